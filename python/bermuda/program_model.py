"""Models that the program asks for us: those of plug-ins, the neural ones among them."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bermuda
from ._program import run_json
from .convert import as_graphs
from .explaining import Explanation
from .graphs import GraphList

MODEL_FILE = "model.bermuda"
PROGRAM = "command"  # the method that is a program of the user's


class ProgramModel:
    """A fitted method that the program asks for us, so that LibTorch stays out of this process."""

    def __init__(self, encoded: bytes, result: dict[str, Any], source: str = "model", run_command: bool = False) -> None:
        self._encoded = encoded
        self._run_command = run_command  # whether the model of a program may run its command, which comes with it
        self.result = result  # what `bermuda train --json` prints; of a model file nothing
        self.method, self._classes, self._options = _bermuda.model_header(encoded, source)

    @property
    def classes(self) -> list[str]:
        return list(self._classes)

    @property
    def options(self) -> dict[str, Any]:
        if "options" not in self.result:
            self.result = {**self.result, "options": _typed_options(self.method, self._options)}
        return dict(self.result["options"])

    def predict(self, graphs: Any, *, threads: int | None = None) -> npt.NDArray[np.int64]:
        """The class of each graph, as a number that counts in `classes`."""
        number = {name: place for place, name in enumerate(self._classes)}
        return np.array([number[row[1]] for row in self._answers(graphs, threads)[1]], dtype=np.int64)

    def scores(self, graphs: Any, *, threads: int | None = None) -> npt.NDArray[np.float64]:
        """Graphs x classes; larger means likelier. To six digits, as `bermuda predict` writes them."""
        header, rows = self._answers(graphs, threads)
        columns = [header.index(f"score of {name}") for name in self._classes]
        found = [[float(row[column]) for column in columns] for row in rows]
        return np.array(found, dtype=np.float64).reshape(len(rows), len(columns))

    def score(self, graphs: Any, y: Sequence[Any] | None = None) -> float:
        """The share of graphs that are given their class."""
        return accuracy(self, as_graphs(graphs, y))

    def explain(self, graphs: Any, *, top: int = 3, layers: Sequence[int] | None = None,
                threads: int | None = None) -> Explanation:
        """Which edges it looks at: a weight per edge of each graph, and how often the `top` ones are in the witness.
        `layers`: those of a Transformer whose attention counts, from 1. As `bermuda explain`."""
        found = as_graphs(graphs)
        known = set(found.classes) <= set(self._classes) and bool((found.y >= 0).all())
        with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
            table = pathlib.Path(folder, "weights.tsv")
            words = ["explain", *self._asked(found, folder, known), "--weights", table, "--top", top, *_threads(threads)]
            report = run_json(*words, *(["--layers", ",".join(map(str, layers))] if layers is not None else []))
            lines = _lines(table)[1:]
        weights = np.array([float(line.split("\t")[3]) for line in lines], dtype=np.float64)
        ends = np.cumsum([graph._core.edge_count for graph in found])
        if not known:
            report["answered_right"] = None
        return Explanation(found, [part.copy() for part in np.split(weights, ends[:-1])], report)

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """As a model file, which `bermuda predict` takes too."""
        _bermuda.write_file(os.fspath(path), self._encoded, force)

    def _answers(self, graphs: Any, threads: int | None) -> tuple[list[str], list[list[str]]]:
        if self.method == PROGRAM and not self._run_command:
            command = json.loads(self._options).get("command", "")
            raise _bermuda.UsageError(f"the model runs the command {command!r}; load(path, run_command=True) allows that")
        with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
            answers = pathlib.Path(folder, "answers.tsv")
            run_json("predict", *self._asked(as_graphs(graphs), folder, False), "-o", answers, "--relabel", 0,
                     *(["--run-command"] if self._run_command else []), *_threads(threads))
            header, *rows = (line.split("\t") for line in _lines(answers))
        return header, rows

    def _asked(self, graphs: GraphList, folder: str, with_classes: bool) -> tuple[pathlib.Path, pathlib.Path]:
        """Writes what the program is given: the model and the graphs, which have no classes or those of the model."""
        model, data = pathlib.Path(folder, MODEL_FILE), pathlib.Path(folder, "data")
        model.write_bytes(self._encoded)
        names = graphs.classes if with_classes else []
        y = graphs.y if with_classes else np.full(len(graphs), -1)
        cores = [graph._core for graph in graphs]
        GraphList(_bermuda.collect("asked", names, cores, np.ascontiguousarray(y, np.int64))).save(data)
        return model, data

    def __repr__(self) -> str:
        return f"<bermuda.ProgramModel {self.method}: classes {', '.join(self._classes)}>"


def accuracy(model: Any, graphs: GraphList) -> float:
    graphs._core.check_classes()
    said = np.array(model.classes, dtype=object)[model.predict(graphs)]
    truth = np.array(graphs.classes, dtype=object)[graphs.y]
    return float(np.mean(said == truth))


def _lines(table: pathlib.Path) -> list[str]:
    """Not splitlines(), which takes U+2028 and others within a name for the end of a line."""
    return table.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _threads(threads: int | None) -> list[Any]:
    return [] if threads is None else ["--threads", threads]


def _typed_options(method: str, given: str) -> dict[str, Any]:
    """A model file holds options as texts: the defaults tell of what kind they are."""
    from .models import parameters

    texts = json.loads(given)
    return {entry["name"]: _typed(texts.get(entry["name"]), entry["default"]) for entry in parameters(method)}


def _typed(text: str | None, default: Any) -> Any:
    if text is None:
        return None
    if isinstance(default, bool):
        return text == "on"
    if isinstance(default, list):
        return [_typed(part, default[0] if default else "") for part in text.split(",")] if text else []
    if isinstance(default, str):
        return text
    return int(text) if text.lstrip("-").isdigit() and not isinstance(default, float) else float(text)
