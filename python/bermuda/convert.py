"""From what people have to data sets: networkx graphs, PyG data (pyg.py), pairs of node count and edges.

Graphs here are simple and undirected. Self loops are dropped. An edge may be given once or once in each
direction; what is given again is dropped. Directed networkx graphs and edge_index list directions: one
without its opposite becomes an edge too, and its direction is dropped. What was dropped is counted
(DataSet.dropped) and told in a DroppedWarning; `strict=True` makes it an error. Errors name the graph,
from 0, and the edge.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain
from operator import index
from typing import Any

import numpy as np

from . import _bermuda
from ._pieces import ARCS, EDGES, Pieces, as_array, classes_of, whole_numbers
from ._work import work
from .graphs import DataSet, Graph, GraphList
from .pyg import from_pyg

UsageError = _bermuda.UsageError


def from_edges(graphs: Iterable[tuple[int, Any]], y: Sequence[Any] | None = None, *,
               node_labels: Iterable[Sequence[Hashable]] | None = None,
               edge_labels: Iterable[Sequence[Hashable]] | None = None,
               name: str = "graphs", strict: bool = False) -> DataSet:
    """From pairs of a number of nodes and edges (anything like an array of edges x 2), each edge once or
    once in each direction. Labels are one sequence per graph."""
    pieces = Pieces()
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
    return whole_numbers(found, place, "edges")


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
    pieces = Pieces()
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


def _from_ours(graphs: list[Graph], y: Sequence[Any] | None, *, name: str = "graphs") -> DataSet:
    if y is None:
        known = [graph.y >= 0 for graph in graphs]
        classes, numbers = classes_of([graph.class_name for graph in graphs if graph.y >= 0], sum(known))
        labels = np.full(len(graphs), -1, np.int64)
        labels[known] = numbers
    else:
        check_own_classes(graphs, y)
        classes, labels = classes_of(y, len(graphs))
    return DataSet(_bermuda.collect(name, classes, [graph._core for graph in graphs], labels))


def check_own_classes(graphs: Any, y: Sequence[Any]) -> None:
    """Where `y` is what graphs of ours say themselves, -1 is no class but the lack of one."""
    if not isinstance(graphs, (GraphList, list, tuple)):
        return
    own = [graph.y if isinstance(graph, Graph) else 0 for graph in graphs]
    if -1 in own and as_array(y).tolist() == own:
        raise UsageError(f"graph {own.index(-1)} has no class, which is needed here")


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
