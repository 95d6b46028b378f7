"""From PyTorch Geometric, or what looks like it, and to it: it is imported in to_pyg() and nowhere else."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _bermuda
from ._pieces import ARCS, Pieces, as_array, whole_numbers
from .graphs import DataSet, GraphList

UsageError = _bermuda.UsageError


def from_pyg(graphs: Iterable[Any], y: Sequence[Any] | None = None, *, node_label: str | None = None,
             edge_label: str | None = None, name: str = "graphs", strict: bool = False) -> DataSet:
    """From objects with `edge_index` as PyTorch Geometric has them. Labels are taken from the attributes
    that are named: numbers, or rows of which one entry is 1. Else from `node_label` and `edge_label`, and
    from `x` and `edge_attr` where all their rows are such; any other `x` becomes node attributes."""
    graphs = list(graphs)
    pieces = Pieces()
    for place, data in enumerate(graphs):
        ends = as_array(data.edge_index)
        if ends.ndim != 2 or ends.shape[0] != 2:
            raise UsageError(f"graph {place}: edge_index of shape {ends.shape}, expected 2 x edges")
        ends = ends.T if ends.size == 0 else whole_numbers(ends.T, place, "edge_index")
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


def to_pyg(graphs: GraphList) -> list[Any]:
    import torch
    from torch_geometric.data import Data

    packed = graphs.packed()
    nodes, arcs = packed.node_offsets.tolist(), packed.arc_offsets.tolist()
    edge_index, y = torch.from_numpy(packed.edge_index), torch.from_numpy(packed.y)
    by_node: dict[str, Any] = {"node_mask": packed.node_mask, "node_label": packed.node_labels}
    if packed.attributes is not None:
        by_node["x"] = packed.attributes.astype(np.float32)
    by_arc: dict[str, Any] = {"edge_mask": packed.arc_mask, "edge_label": packed.arc_labels}
    node_tensors = {name: torch.from_numpy(array) for name, array in by_node.items() if array is not None}
    arc_tensors = {name: torch.from_numpy(array) for name, array in by_arc.items() if array is not None}
    made = []
    for place in range(len(graphs)):
        of_nodes, of_arcs = slice(*nodes[place:place + 2]), slice(*arcs[place:place + 2])
        made.append(Data(edge_index=edge_index[:, of_arcs], y=y[place:place + 1],
                         num_nodes=nodes[place + 1] - nodes[place],
                         **{name: whole[of_nodes] for name, whole in node_tensors.items()},
                         **{name: whole[of_arcs] for name, whole in arc_tensors.items()}))
    return made
