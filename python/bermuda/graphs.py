"""Graphs, lists of them and data sets. All are read only; lists share the graphs of their data set."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _bermuda
from ._work import whole, work

if TYPE_CHECKING:
    import networkx

Ints = npt.NDArray[np.integer[Any]]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

MOST_SHOWN = 200  # nodes of a graph that a notebook draws by itself


class Dropped(NamedTuple):
    """What a converter left out: graphs here are simple and undirected."""

    self_loops: int = 0
    doubled: int = 0  # edges, or directions of edges, that were given before
    one_way: int = 0  # directed edges without their opposite, whose direction was left out


class Graph:
    """A simple undirected graph with nodes 0..n-1, its class, and what else is known of it."""

    __slots__ = ("_core",)

    def __init__(self, core: _bermuda.Graph) -> None:
        self._core = core

    @property
    def id(self) -> str:
        return self._core.id

    @property
    def y(self) -> int:
        """The class, by its number in the data set; -1 where it is not told."""
        return self._core.y

    @property
    def class_name(self) -> str:
        return self._core.class_name

    @property
    def n(self) -> int:
        return self._core.n

    @property
    def edges(self) -> Ints:
        """Edges x 2, smaller node first, ascending; a view, not a copy."""
        return np.asarray(self._core.edges)

    @property
    def node_labels(self) -> Ints | None:
        labels = self._core.node_labels
        return None if labels is None else np.asarray(labels)

    @property
    def edge_labels(self) -> Ints | None:
        """In the order of `edges`."""
        labels = self._core.edge_labels
        return None if labels is None else np.asarray(labels)

    @property
    def attributes(self) -> Floats | None:
        """Nodes x width."""
        values = self._core.attributes
        return None if values is None else np.asarray(values)

    @property
    def witness_nodes(self) -> Ints:
        """The part of the graph that proves its class; empty where there is none."""
        return np.asarray(self._core.witness_nodes)

    @property
    def witness_edges(self) -> Ints:
        return np.asarray(self._core.witness_edges)

    @property
    def hits(self) -> int | None:
        """How often the filter's classifier was right and confident about it."""
        return self._core.hits if self._core.hits >= 0 else None

    @property
    def origin(self) -> str:
        return self._core.origin

    def to_svg(self, *, weights: Sequence[float] | npt.NDArray[Any] | None = None, title: str = "",
               numbers: bool = True) -> str:
        """A picture as `bermuda draw` makes it, the witness in red; with `weights`, one per edge, edges are as wide as
        these. `numbers`: nodes have theirs."""
        widths = [] if weights is None else np.asarray(weights, dtype=np.float64).tolist()
        if weights is not None and len(widths) != self._core.edge_count:
            raise _bermuda.UsageError(f"{len(widths)} weights for {self._core.edge_count} edges")
        if not all(0 <= width < float("inf") for width in widths):
            raise _bermuda.UsageError("weights: expected finite numbers from 0")
        return self._core.svg(widths, title, numbers, work())

    def _repr_svg_(self) -> str | None:
        """In a notebook; larger ones would hide it."""
        return self.to_svg() if self.n <= MOST_SHOWN else None

    def to_networkx(self) -> networkx.Graph:
        """With `y` and `id` of the graph, `label`, `attributes` and `witness` of nodes and edges where
        there are any."""
        import networkx

        graph = networkx.Graph(y=self.y, id=self.id)
        graph.add_nodes_from(range(self.n))
        edges = self.edges.tolist()
        graph.add_edges_from(edges)
        if self.node_labels is not None:
            for node, label in enumerate(self.node_labels.tolist()):
                graph.nodes[node]["label"] = label
        if self.edge_labels is not None:
            for (u, v), label in zip(edges, self.edge_labels.tolist()):
                graph.edges[u, v]["label"] = label
        if self.attributes is not None:
            for node, values in enumerate(self.attributes.tolist()):
                graph.nodes[node]["attributes"] = values
        for node in self.witness_nodes.tolist():
            graph.nodes[node]["witness"] = True
        for u, v in self.witness_edges.tolist():
            graph.edges[u, v]["witness"] = True
        return graph

    def __repr__(self) -> str:
        return f"<bermuda.Graph {self.id!r}: {self.n} nodes, {self._core.edge_count} edges, class {self.class_name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        known = [self.class_name] if self.y >= 0 else []
        return (_first, (GraphList(_bermuda.collect("", known, [self._core], np.array([min(self.y, 0)], np.int64))),))


def _first(graphs: GraphList) -> Graph:
    return graphs[0]


@dataclass(frozen=True)
class Packed:
    """Many graphs in few arrays. Nodes of graph i are node_offsets[i]..node_offsets[i + 1], its arcs (both
    directions of each edge, by source, then target) arc_offsets[i]..arc_offsets[i + 1]; `edge_index`
    (2 x arcs) numbers nodes within their graph. The masks say what is in the witness."""

    node_offsets: Ints
    arc_offsets: Ints
    edge_index: Ints
    y: Ints
    node_mask: Bools
    arc_mask: Bools
    node_labels: Ints | None = None
    arc_labels: Ints | None = None
    attributes: Floats | None = None


class GraphList(Sequence[Graph]):
    """Some graphs of a data set. A slice, a list of numbers or a mask gives another one; nothing is
    copied."""

    def __init__(self, core: _bermuda.Graphs) -> None:
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, which: int) -> Graph: ...
    @overload
    def __getitem__(self, which: slice | Sequence[int] | npt.NDArray[Any]) -> GraphList: ...

    def __getitem__(self, which: Any) -> Graph | GraphList:
        if isinstance(which, (int, np.integer)):
            return Graph(self._core.graph(int(which)))
        if isinstance(which, slice):
            places = np.arange(*which.indices(len(self)))
        else:
            places = np.asarray(which)
            if places.dtype == np.bool_:
                if places.shape != (len(self),):
                    raise IndexError(f"a mask of {places.shape} for {len(self)} graphs")
                places = np.flatnonzero(places)
            elif places.size and not np.issubdtype(places.dtype, np.integer):
                raise IndexError(f"graphs are numbered by integers, found {places.dtype}")
        return GraphList(self._core.choose(np.ascontiguousarray(places, dtype=np.int64)))

    def __iter__(self) -> Iterator[Graph]:
        graph = self._core.graph
        for place in range(len(self)):
            yield Graph(graph(place))

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def classes(self) -> list[str]:
        """Names of the classes; `y` counts from 0 in this order."""
        return self._core.class_names

    @property
    def y(self) -> Ints:
        """The class of every graph, by number; -1 where it is not told."""
        return np.asarray(self._core.y)

    def packed(self) -> Packed:
        return Packed(**{name: np.asarray(array) for name, array in self._core.packed().items()})

    def to_networkx(self) -> list[networkx.Graph]:
        return [graph.to_networkx() for graph in self]

    def to_pyg(self) -> list[Any]:
        """A torch_geometric Data per graph, whose tensors are views into the packed arrays: edge_index,
        num_nodes, y, node_mask and edge_mask (the witness); node_label, edge_label and x where all
        graphs have labels and attributes."""
        from .pyg import to_pyg

        return to_pyg(self)

    def save(self, path: str | os.PathLike[str], format: str = _bermuda.formats[0], force: bool = False) -> None:
        """Writes a folder, or a file where the format has one; `force` replaces one of ours that stands
        there."""
        self._core.save(os.fspath(path), format, force)

    def __repr__(self) -> str:
        known = self.y[self.y >= 0]
        start = f"<bermuda.{type(self).__name__} {self.name!r}: {len(self)} graphs"
        if len(self) and not len(known):
            return f"{start} without their classes>"
        counts = np.bincount(known, minlength=len(self.classes))
        classes = ", ".join(f"{name}: {count}" for name, count in zip(self.classes, counts))
        return f"{start}, classes {classes}{f'; {len(self) - len(known)} without' if len(known) < len(self) else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (type(self) if self._core.is_whole else GraphList, self._core.encode()))


def _unpickled(kind: type[GraphList], encoded: tuple[Any, ...]) -> GraphList:
    return kind(_bermuda.decode_graphs(encoded))


class DataSet(GraphList):
    """All graphs of a data set, split after split."""

    def __init__(self, core: _bermuda.Graphs, dropped: Dropped = Dropped(),
                 node_label_names: list[Any] | None = None, edge_label_names: list[Any] | None = None) -> None:
        super().__init__(core)
        self.dropped = dropped
        self.node_label_names = node_label_names
        self.edge_label_names = edge_label_names

    @property
    def splits(self) -> dict[str, GraphList]:
        return {name: self.split(name) for name in self._core.split_names}

    def split(self, name: str) -> GraphList:
        return GraphList(self._core.split(name))

    @property
    def train(self) -> GraphList:
        return self.split("train")

    @property
    def valid(self) -> GraphList:
        return self.split("valid")

    @property
    def test(self) -> GraphList:
        return self.split("test")

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was made: task, parameters, seed, figures of the filter; empty for foreign data."""
        found: dict[str, Any] = json.loads(self._core.provenance)
        return found

    def fold(self, fold: int, folding: str = "usual") -> tuple[GraphList, GraphList, GraphList]:
        """What `bermuda train --fold` trains, validates and tests on."""
        train, validation, test = _bermuda.fold(self._core, whole("fold", fold, 0, 9), folding, work())
        return GraphList(train), GraphList(validation), GraphList(test)
