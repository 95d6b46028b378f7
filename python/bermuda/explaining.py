"""Which edges a model looks at."""
from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from .graphs import GraphList

Weights = npt.NDArray[np.float64]


class Explanation(Sequence[Weights]):
    """A weight per edge of each graph, in the order of `graph.edges`, and how often those of largest weight are in
    the witness. `explanation[i]` is an array; prints as figures."""

    def __init__(self, graphs: GraphList, weights: list[Weights], report: dict[str, Any]) -> None:
        self.graphs = graphs
        self._weights = weights
        self._report = report

    def __len__(self) -> int:
        return len(self._weights)

    @overload
    def __getitem__(self, which: int) -> Weights: ...
    @overload
    def __getitem__(self, which: slice) -> list[Weights]: ...

    def __getitem__(self, which: int | slice) -> Weights | list[Weights]:
        return self._weights[which]

    @property
    def how(self) -> str:
        """What the weights are: attention, or gradient x input."""
        return str(self._report["how"])

    @property
    def top(self) -> int:
        """How many edges are held against the witness."""
        return int(self._report["top"])

    @property
    def with_witness(self) -> dict[str, float]:
        """Over the graphs that have a witness with edges: how many `graphs` these are; the `share` of their top edges
        that are in it; the share of graphs where `any` and where `all` are. `share_random` and so on are those of as
        many edges drawn at random. docs/explain.md"""
        return dict(self._report["with_witness"])

    @property
    def answered_right(self) -> dict[str, float] | None:
        """The same over those that the model answers right; None where the graphs' classes are not the model's."""
        found = self._report["answered_right"]
        return None if found is None else dict(found)

    def to_dict(self) -> dict[str, Any]:
        """What `bermuda explain --json` prints."""
        return copy.deepcopy(self._report)

    def to_svg(self, which: int) -> str:
        """A graph with its witness in red and edges as wide as their weight."""
        graph = self.graphs[which]
        title = f"{graph.id}, class {graph.class_name}\nwidth of edges: {self.how}"
        return graph.to_svg(weights=self._weights[which], title=title)

    def __str__(self) -> str:
        found = self.with_witness
        text = f"{self._report['method']}: {self.how}\n{found['graphs']} of {len(self)} graphs have a witness with edges"
        if found["graphs"]:
            text += (f"\nof the top {self.top} edges in the witness: {found['share'] * 100:.1f} %, "
                     f"as many at random {found['share_random'] * 100:.1f} %")
        return text

    def __repr__(self) -> str:
        return f"<bermuda.Explanation of {len(self)} graphs by {self._report['method']}: {self.how}>"
