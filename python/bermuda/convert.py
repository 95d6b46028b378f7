"""From what people have to data sets: networkx graphs, PyG data, pairs of node count and edges.

Graphs here are simple and undirected. Self loops are dropped. An edge may be given once or once in each
direction; what is given again is dropped. Directed networkx graphs and edge_index list directions: one
without its opposite becomes an edge too, and its direction is dropped. What was dropped is counted (DataSet.dropped) and told in a DroppedWarning; `strict=True` makes
it an error. Errors name the graph, from 0, and the edge.
"""
from __future__ import annotations

import os
import warnings
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain
from operator import index
from typing import Any

import numpy as np

from . import _bermuda
from ._work import work
from .graphs import DataSet, Dropped, Graph, GraphList

UsageError = _bermuda.UsageError

EDGES, ARCS = 0, 1  # what a line of an edge list means: see build.cpp


class DroppedWarning(UserWarning):
    """Edges that a simple undirected graph cannot have were left out."""


class _Pieces:
    """Many graphs in few arrays, for the library."""

    def __init__(self) -> None:
        self.node_counts, self.line_counts, self.ends = array("q"), array("q"), array("q")
        self.meanings = array("B")
        self.node_labels: list[Any] = []
        self.line_labels: list[Any] = []
        self.attributes: list[np.ndarray[Any, Any]] = []

    def add(self, nodes: int, ends: Iterable[int], meaning: int) -> None:
        before = len(self.ends)
        if isinstance(ends, np.ndarray):
            self.ends.frombytes(np.ascontiguousarray(ends, dtype=np.int64).tobytes())
        else:
            self.ends.extend(ends)
        self.node_counts.append(nodes)
        self.line_counts.append((len(self.ends) - before) // 2)
        self.meanings.append(meaning)

    def build(self, y: Sequence[Any] | None, name: str, strict: bool) -> DataSet:
        count = len(self.node_counts)
        classes, labels = classes_of(y, count)
        node_labels, node_names = _numbered(self.node_labels)
        line_labels, edge_names = _numbered(self.line_labels)
        widths = {block.shape[1] for block in self.attributes}
        if len(widths) > 1:
            raise UsageError(f"graphs have different numbers of attributes: {sorted(widths)}")
        attributes = np.concatenate(self.attributes) if self.attributes else np.empty((0, 0))
        arrays = {"node_counts": self.node_counts, "line_counts": self.line_counts, "ends": self.ends,
                  "meanings": self.meanings, "labels": labels, "node_labels": node_labels,
                  "line_labels": line_labels, "attributes": np.ascontiguousarray(attributes, np.float64)}
        ids = [str(place) for place in range(count)]
        core, dropped = _bermuda.build(name, classes, ids, arrays, attributes.shape[1], strict)
        _warn(Dropped(*dropped))
        return DataSet(core, Dropped(*dropped), node_names, edge_names)


def _warn(dropped: Dropped) -> None:
    told = []
    if dropped.self_loops:
        told.append(f"{dropped.self_loops} self loops")
    if dropped.doubled:
        told.append(f"{dropped.doubled} edges that were there already")
    if dropped.one_way:
        told.append(f"the direction of {dropped.one_way} edges without their opposite")
    if told:
        warnings.warn("left out " + ", ".join(told), DroppedWarning, stacklevel=4)


def _numbered(labels: list[Any]) -> tuple[np.ndarray[Any, Any], list[Any] | None]:
    """Whole numbers stay; other labels are numbered in their order, and the names are told."""
    if all(isinstance(label, (int, np.integer)) for label in labels):
        return np.array(labels, dtype=np.int64), None
    names = sorted(set(labels), key=lambda label: (str(type(label)), label))
    number = {name: place for place, name in enumerate(names)}
    return np.array([number[label] for label in labels], dtype=np.int64), names


def classes_of(y: Sequence[Any] | None, count: int) -> tuple[list[str], np.ndarray[Any, Any]]:
    """Names of the classes in the order that the readers use, and the number of each graph's class.
    Without y all graphs are of one class, 0."""
    if y is None:
        return ["0"], np.zeros(count, dtype=np.int64)
    values = [_class_name(value, place) for place, value in enumerate(as_array(y).tolist())]
    if len(values) != count:
        raise UsageError(f"{len(values)} classes for {count} graphs")
    names = sorted(set(values), key=_class_order)
    number = {name: place for place, name in enumerate(names)}
    return names, np.array([number[value] for value in values], dtype=np.int64)


def _class_name(value: Any, place: int) -> str:
    if isinstance(value, list) and len(value) == 1:  # PyG has an array of one number per graph
        value = value[0]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, (int, str)):
        return str(int(value) if isinstance(value, bool) else value)
    raise UsageError(f"graph {place}: class {value!r}, expected a whole number or text")


def _class_order(name: str) -> tuple[bool, int, str]:
    try:
        return (False, int(name), name)
    except ValueError:
        return (True, 0, name)


def as_array(values: Any) -> np.ndarray[Any, Any]:
    """Also of a tensor, wherever it is."""
    for step in ("detach", "cpu"):
        if hasattr(values, step):
            values = getattr(values, step)()
    if isinstance(values, (list, tuple)) and values and not isinstance(values[0], (int, float, str, np.generic)):
        values = [as_array(value).tolist() for value in values]
    return np.asarray(values)


def from_edges(graphs: Iterable[tuple[int, Any]], y: Sequence[Any] | None = None, *,
               node_labels: Iterable[Sequence[Hashable]] | None = None,
               edge_labels: Iterable[Sequence[Hashable]] | None = None,
               name: str = "graphs", strict: bool = False) -> DataSet:
    """From pairs of a number of nodes and edges (anything like an array of edges x 2), each edge once or
    once in each direction. Labels are one sequence per graph."""
    pieces = _Pieces()
    for place, pair in enumerate(graphs):
        try:
            nodes, edges = pair
            nodes = index(nodes)
        except (TypeError, ValueError):
            raise UsageError(f"graph {place}: expected a pair of node count and edges") from None
        pieces.add(nodes, _pairs(edges, place), EDGES)
    _add_labels(pieces.node_labels, node_labels, pieces.node_counts, "node")
    _add_labels(pieces.line_labels, edge_labels, pieces.line_counts, "edge")
    return pieces.build(y, name, strict)


def _pairs(edges: Any, place: int) -> np.ndarray[Any, Any]:
    if isinstance(edges, (set, frozenset)):
        edges = sorted(edges)
    try:
        found = as_array(edges if hasattr(edges, "__len__") else list(edges))
    except ValueError:
        raise UsageError(f"graph {place}: edges of different lengths, expected pairs of nodes") from None
    if found.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if found.ndim != 2 or found.shape[1] != 2:
        raise UsageError(f"graph {place}: edges of shape {found.shape}, expected pairs of nodes")
    return _whole(found, place, "edges")


def _whole(found: np.ndarray[Any, Any], place: int, what: str) -> np.ndarray[Any, Any]:
    if not np.issubdtype(found.dtype, np.integer):
        raise UsageError(f"graph {place}: {what} are {found.dtype}, expected whole numbers")
    return found


def _add_labels(labels: list[Any], given: Iterable[Sequence[Hashable]] | None, counts: Sequence[int],
                what: str) -> None:
    if given is None:
        return
    blocks = [as_array(block).tolist() for block in given]
    if len(blocks) != len(counts):
        raise UsageError(f"{what} labels of {len(blocks)} graphs, expected those of {len(counts)}")
    for place, (block, count) in enumerate(zip(blocks, counts)):
        if len(block) != count:
            raise UsageError(f"graph {place}: {len(block)} {what} labels for {count} {what}s")
        labels.extend(block)


def from_networkx(graphs: Iterable[Any], y: Sequence[Any] | str | None = None, *, node_label: str | None = None,
                  edge_label: str | None = None, node_attributes: Sequence[str] | None = None,
                  name: str = "graphs", strict: bool = False) -> DataSet:
    """From networkx graphs of any kind. Labels and attributes are taken from the node and edge attributes
    that are named; y may be the name of a graph attribute."""
    pieces = _Pieces()
    graphs = list(graphs)
    for place, graph in enumerate(graphs):
        number = {node: place_of for place_of, node in enumerate(graph)}
        ends: Iterable[int] = chain.from_iterable(graph.edges())
        if any(type(node) is not int or node != place_of for node, place_of in number.items()):
            ends = [number[node] for node in ends]
        pieces.add(len(number), ends, ARCS if graph.is_directed() else EDGES)
        if node_label is not None:
            pieces.node_labels.extend(_named(graph.nodes(data=node_label), node_label, place))
        if edge_label is not None:
            pieces.line_labels.extend(_named(graph.edges(data=edge_label), edge_label, place))
        if node_attributes is not None:
            pieces.attributes.append(_attributes(graph, node_attributes, place))
    if isinstance(y, str):
        y = [_graph_attribute(graph, y, place) for place, graph in enumerate(graphs)]
    return pieces.build(y, name, strict)


def _named(items: Iterable[tuple[Any, ...]], name: str, place: int) -> list[Any]:
    labels = []
    for *where, label in items:
        if label is None:
            what = "node" if len(where) == 1 else "edge"
            raise UsageError(f"graph {place}: {what} {'-'.join(map(str, where))} has no {name!r}")
        labels.append(label.item() if isinstance(label, np.generic) else label)
    return labels


def _attributes(graph: Any, names: Sequence[str], place: int) -> np.ndarray[Any, Any]:
    columns = [_named(graph.nodes(data=name), name, place) for name in names]
    try:
        blocks = [np.array(column, dtype=np.float64).reshape(len(graph), -1) for column in columns]
        return np.concatenate(blocks, axis=1) if len(graph) else np.empty((0, len(names)))
    except (TypeError, ValueError):
        raise UsageError(f"graph {place}: attributes {', '.join(names)} are not all numbers") from None


def _graph_attribute(graph: Any, name: str, place: int) -> Any:
    if name not in graph.graph:
        raise UsageError(f"graph {place}: has no {name!r} to take its class from")
    return graph.graph[name]


def from_pyg(graphs: Iterable[Any], y: Sequence[Any] | None = None, *, node_label: str | None = None,
             edge_label: str | None = None, name: str = "graphs", strict: bool = False) -> DataSet:
    """From objects with `edge_index` as PyTorch Geometric has them. Labels are taken from the attributes
    that are named: numbers, or rows of which one entry is 1. Else from `node_label` and `edge_label`, and
    from `x` and `edge_attr` where all their rows are such; any other `x` becomes node attributes."""
    graphs = list(graphs)
    pieces = _Pieces()
    for place, data in enumerate(graphs):
        ends = as_array(data.edge_index)
        if ends.ndim != 2 or ends.shape[0] != 2:
            raise UsageError(f"graph {place}: edge_index of shape {ends.shape}, expected 2 x edges")
        ends = ends.T if ends.size == 0 else _whole(ends.T, place, "edge_index")
        pieces.add(_node_count(data, ends), ends, ARCS)
    if y is None and graphs and all(getattr(data, "y", None) is not None for data in graphs):
        y = [as_array(data.y).reshape(-1).tolist() for data in graphs]
    xs = _tables(graphs, "x") if node_label is None else None
    pieces.node_labels = _labels(graphs, node_label, ("node_label", "x"), pieces.node_counts)
    pieces.line_labels = _labels(graphs, edge_label, ("edge_label", "edge_attr"), pieces.line_counts)
    if xs is not None and not all(map(_is_one_hot, xs)):
        pieces.attributes = [_numeric(x, place, count) for place, (x, count) in enumerate(zip(xs, pieces.node_counts))]
    return pieces.build(y, name, strict)


def _node_count(data: Any, ends: np.ndarray[Any, Any]) -> int:
    if getattr(data, "num_nodes", None) is not None:
        return int(data.num_nodes)
    x = getattr(data, "x", None)
    return len(x) if x is not None else int(ends.max(initial=-1)) + 1


def _tables(graphs: list[Any], name: str) -> list[np.ndarray[Any, Any]] | None:
    """The attribute of every graph as a table, if they all have it."""
    found = [getattr(data, name, None) for data in graphs]
    if not found or any(one is None for one in found):
        return None
    tables = [as_array(one) for one in found]
    return [table.reshape(len(table), -1) if table.size else table.reshape(len(table), -1 if table.ndim > 1 else 1)
            for table in tables]


def _is_one_hot(table: np.ndarray[Any, Any]) -> bool:
    return table.shape[1] > 1 and bool(((table == 0) | (table == 1)).all() and (table.sum(axis=1) == 1).all())


def _labels(graphs: list[Any], asked: str | None, usual: tuple[str, str], counts: Sequence[int]) -> list[Any]:
    name = asked or usual[0]
    tables = _tables(graphs, name)
    if asked is not None and tables is None:
        place = next((p for p, data in enumerate(graphs) if getattr(data, asked, None) is None), 0)
        raise UsageError(f"graph {place}: has no {asked!r}")
    if tables is None:
        tables = _tables(graphs, usual[1])
        if tables is None or not all(map(_is_one_hot, tables)):
            return []
    labels: list[Any] = []
    for place, (table, count) in enumerate(zip(tables, counts)):
        if len(table) != count:
            raise UsageError(f"graph {place}: {len(table)} rows of {name}, expected {count}")
        if _is_one_hot(table):
            labels.extend(table.argmax(axis=1).tolist())
        elif table.shape[1] == 1 and (table == np.round(table)).all():
            labels.extend(map(int, table[:, 0].tolist()))
        else:
            raise UsageError(f"graph {place}: {name} are no labels: expected whole numbers, or a 1 per row")
    return labels


def _numeric(table: np.ndarray[Any, Any], place: int, count: int) -> np.ndarray[Any, Any]:
    if len(table) != count:
        raise UsageError(f"graph {place}: {len(table)} rows of x for {count} nodes")
    return table.astype(np.float64)


def _from_ours(graphs: list[Graph], y: Sequence[Any] | None, *, name: str = "graphs") -> DataSet:
    if y is None:
        y = [graph.class_name for graph in graphs]
    classes, labels = classes_of(y, len(graphs))
    return DataSet(_bermuda.collect(name, classes, [graph._core for graph in graphs], labels))


def _kind(graph: Any) -> Callable[..., DataSet] | None:
    if isinstance(graph, Graph):
        return _from_ours
    if hasattr(graph, "edge_index"):
        return from_pyg
    if hasattr(graph, "is_directed") and hasattr(graph, "adj"):
        return from_networkx
    if isinstance(graph, (tuple, list)) and len(graph) == 2:
        return from_edges
    return None


def as_graphs(graphs: Any, y: Sequence[Any] | None = None, **options: Any) -> GraphList:
    """Whatever has graphs: a GraphList or DataSet, a path, or a list of graphs of one kind, with the options
    of its converter."""
    if isinstance(graphs, (str, os.PathLike)):
        graphs = DataSet(_bermuda.read(os.fspath(graphs), _bermuda.most_nodes, work()))
    if isinstance(graphs, GraphList):
        if options:
            raise UsageError(f"{', '.join(options)}: for graphs that are converted only")
        return graphs if y is None else _from_ours(list(graphs), y, name=graphs.name)
    if _kind(graphs) in (_from_ours, from_pyg, from_networkx):
        raise UsageError("expected a list of graphs, found one graph")
    try:
        graphs = list(graphs)
    except TypeError:
        raise UsageError(f"expected a list of graphs, found {type(graphs).__name__}") from None
    if not graphs:
        raise UsageError("there are no graphs")
    kinds = [_kind(graph) for graph in graphs]
    for place, kind in enumerate(kinds):
        if kind is None or kind is not kinds[0]:
            expected = "like the others" if kind else "a networkx graph, PyG data or a pair of node count and edges"
            raise UsageError(f"graph {place}: found {type(graphs[place]).__name__}, expected {expected}")
    return kinds[0](graphs, y, **options)  # type: ignore[misc]
