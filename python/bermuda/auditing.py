"""Is a data set about topology at all?"""
from __future__ import annotations

import copy
import difflib
import html
import json
import os
import pathlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from . import _bermuda
from ._describe import described
from ._ladder import ladder_svg
from ._work import as_options, seed_of, work
from .convert import as_graphs


@dataclass(frozen=True)
class Probe:
    """A rung of the ladder: a cross-validated linear model on one kind of feature."""

    name: str
    kind: str  # "counts" (no topology), "structure" or "order" (of the nodes in the file)
    description: str
    features: int
    accuracy: float
    interval: tuple[float, float]  # 95 %, of the accuracy
    macro_f1: float
    effect: str  # over the majority class: "none", "hint", "clear", "strong" or "below"
    behind_best: dict[str, Any] | None  # difference to the best probe, and its interval
    beats_majority: bool
    below_majority: bool


def _probe_of(interval: list[float], **others: Any) -> Probe:
    return Probe(interval=(interval[0], interval[1]), **others)


class Audit:
    """What the audit found. Prints as `bermuda audit` does; a picture in a notebook."""

    def __init__(self, report: dict[str, Any], text: str) -> None:
        self._report = report
        self._text = text
        self.probes = [_probe_of(**entry) for entry in report["probes"]]

    def __getitem__(self, name: str) -> Probe:
        for probe in self.probes:
            if probe.name == name:
                return probe
        names = [probe.name for probe in self.probes]
        near = difflib.get_close_matches(name, names, 1)
        raise KeyError(f"{name}: {f'did you mean {near[0]}?' if near else 'there are ' + ', '.join(names)}")

    def __iter__(self) -> Iterator[Probe]:
        return iter(self.probes)

    @property
    def name(self) -> str:
        return str(self._report["name"])

    @property
    def majority(self) -> float:
        """The share of the largest class."""
        return float(self._report["majority"])

    @property
    def summary(self) -> str:
        """The verdict, in a paragraph."""
        return str(self._report["summary"])

    def to_dict(self) -> dict[str, Any]:
        """What `bermuda audit --json` prints."""
        return copy.deepcopy(self._report)

    def to_svg(self) -> str:
        """The ladder as a picture."""
        return ladder_svg([(p.name, p.accuracy, p.interval) for p in self.probes], self.majority)

    def save(self, path: str | os.PathLike[str]) -> None:
        """As a page, JSON, a picture or text, by the ending: .html, .json, .svg or .txt."""
        makers = {".html": self._page, ".json": lambda: json.dumps(self._report, indent=2) + "\n",
                  ".svg": self.to_svg, ".txt": self.__str__}
        target = pathlib.Path(path)
        if target.suffix not in makers:
            raise _bermuda.UsageError(f"{target.name}: expected one of {', '.join(makers)} at its end")
        target.write_text(makers[target.suffix](), encoding="utf-8")

    def _page(self) -> str:
        title = html.escape(f"Audit of {self.name}")
        return (f"<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n"
                f"<body style=\"font-family: sans-serif; max-width: 60em; margin: 2em auto\">\n<h1>{title}</h1>\n"
                f"{self._repr_html_()}\n<pre>{html.escape(self._text)}</pre>\n</body></html>\n")

    def _repr_html_(self) -> str:
        return f"<div>{self.to_svg()}<p>{html.escape(self.summary)}</p></div>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        best = max(self.probes, key=lambda probe: probe.accuracy)
        return f"<bermuda.Audit of {self.name!r}: best probe {best.name}, {best.accuracy * 100:.1f} %>"


def audit(graphs: Any, y: Sequence[Any] | None = None, *, seed: int = 1, threads: int | None = None,
          quiet: bool = False, convert: dict[str, Any] | None = None, **parameters: Any) -> Audit:
    """Asks a ladder of probes, from counts to graphlets, what the classes can be told by. `graphs`: networkx
    graphs, PyG data, pairs of node count and edges, a path, or a bermuda.DataSet. `convert` goes to the
    converter ({"node_label": "atom"}). `threads`: how many may work, all cores by default."""
    found = as_graphs(graphs, y, **(convert or {}))
    report, text = _bermuda.audit(found._core, seed_of(seed), as_options(parameters), work(threads, quiet))
    return Audit(json.loads(report), text)


described(audit, [("Parameters, those of `bermuda audit`", _bermuda.audit_settings())], [_bermuda.audit_settings()])
