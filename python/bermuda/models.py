"""Methods, and what they learn."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bermuda
from ._program import run_json
from ._work import as_options, as_text, seed_of, whole, work
from .convert import as_graphs
from .graphs import GraphList

MODEL_FILE = "model.bermuda"


def methods() -> dict[str, str]:
    """Names of all methods and what they do: our own, which work in this process, and those of plug-ins, which
    the program runs."""
    found = _bermuda.methods()
    try:
        found.update({entry["name"]: entry["summary"] for entry in run_json("methods")["methods"]})
    except _bermuda.Error:
        pass  # no program, no plug-ins
    return found


def parameters(name: str) -> list[dict[str, Any]]:
    """What a task, a method, "audit" or "filter" can be told: name, help, default and range."""
    if name in ("audit", "filter"):
        settings = _bermuda.audit_settings() if name == "audit" else _bermuda.filter_settings()
    elif name in _bermuda.tasks():
        settings = _bermuda.task_settings(name)
    elif name in _bermuda.methods():
        settings = _bermuda.method_settings(name)
    else:
        entries = run_json("methods", name)["methods"][0]["parameters"]
        return [{**entry, "name": entry["name"].replace("-", "_")} for entry in entries]
    found: list[dict[str, Any]] = json.loads(settings)
    return found


class Model:
    """A fitted method that works in this process."""

    def __init__(self, core: _bermuda.Model) -> None:
        self._core = core

    @property
    def method(self) -> str:
        return self._core.method

    @property
    def classes(self) -> list[str]:
        return self._core.class_names

    @property
    def options(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._core.options)
        return found

    @property
    def result(self) -> dict[str, Any]:
        """What `bermuda train --json` prints; of a model from a file nothing."""
        found: dict[str, Any] = json.loads(self._core.report)
        return found

    def predict(self, graphs: Any, *, threads: int | None = None) -> npt.NDArray[np.int64]:
        """The class of each graph, as a number that counts in `classes`."""
        return np.asarray(self._core.predict(as_graphs(graphs)._core, work(threads))[0])

    def scores(self, graphs: Any, *, threads: int | None = None) -> npt.NDArray[np.float64]:
        """Graphs x classes; larger means likelier."""
        return np.asarray(self._core.predict(as_graphs(graphs)._core, work(threads))[1])

    def score(self, graphs: Any, y: Sequence[Any] | None = None) -> float:
        """The share of graphs that are given their class."""
        return accuracy(self, as_graphs(graphs, y))

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """As a model file, which `bermuda predict` takes too."""
        _bermuda.write_file(os.fspath(path), self._core.encode(), force)

    def __repr__(self) -> str:
        return f"<bermuda.Model {self.method}: classes {', '.join(self.classes)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._core.encode(),))


def _unpickled(encoded: bytes) -> Model:
    return Model(_bermuda.decode_model(encoded, "pickle"))


class ProgramModel:
    """A fitted method that the program asks for us. Its folder goes when it is no longer used."""

    def __init__(self, folder: tempfile.TemporaryDirectory[str], result: dict[str, Any]) -> None:
        self._folder = folder
        self.result = result

    @property
    def method(self) -> str:
        return str(self.result["method"])

    @property
    def classes(self) -> list[str]:
        return list(self.result["classes"])

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.result["options"])

    def predict(self, graphs: Any, *, threads: int | None = None) -> npt.NDArray[np.int64]:
        """The class of each graph, as a number that counts in `classes`."""
        found = as_graphs(graphs)
        # Whatever their classes are, the program wants those of the model.
        core = _bermuda.collect("asked", self.classes[:1], [g._core for g in found], np.zeros(len(found), np.int64))
        with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
            data, answers = pathlib.Path(folder, "data"), pathlib.Path(folder, "answers.tsv")
            GraphList(core).save(data)
            run_json("predict", self._run, data, "-o", answers, "--relabel", 0, *_threads(threads))
            said = [line.split("\t")[1] for line in answers.read_text().splitlines()[1:]]
        number = {name: place for place, name in enumerate(self.classes)}
        return np.array([number[name] for name in said], dtype=np.int64)

    def score(self, graphs: Any, y: Sequence[Any] | None = None) -> float:
        """The share of graphs that are given their class."""
        return accuracy(self, as_graphs(graphs, y))

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """As a model file, which `bermuda predict` takes too."""
        _bermuda.write_file(os.fspath(path), (self._run / MODEL_FILE).read_bytes(), force)

    @property
    def _run(self) -> pathlib.Path:
        return pathlib.Path(self._folder.name, "run")

    def __repr__(self) -> str:
        return f"<bermuda.ProgramModel {self.method}: classes {', '.join(self.classes)}>"


def accuracy(model: Model | ProgramModel, graphs: GraphList) -> float:
    said = np.array(model.classes, dtype=object)[model.predict(graphs)]
    truth = np.array(graphs.classes, dtype=object)[graphs.y]
    return float(np.mean(said == truth))


def fit(method: str, data: Any, y: Sequence[Any] | None = None, *, fold: int = 0, seed: int = 1,
        folding: str = "usual", threads: int | None = None, quiet: bool = False,
        **options: Any) -> Model | ProgramModel:
    """Trains and tests on a fold, as `bermuda train` does; `result` of the model says how it went. Options are
    those of the method: `bermuda.parameters(method)`."""
    graphs = as_graphs(data, y)
    fold = whole("fold", fold, 0, 9)
    if method in _bermuda.methods():
        return Model(_bermuda.fit_fold(method, as_options(options), graphs._core, fold, folding, seed_of(seed),
                                       work(threads, quiet)))
    return _fit_by_program(method, graphs, ["--fold", fold, "--folding", folding, "--seed", seed,
                                            *_threads(threads), *_words(options)], quiet)


def _fit_by_program(method: str, graphs: GraphList, words: list[Any], quiet: bool) -> ProgramModel:
    folder = tempfile.TemporaryDirectory(prefix="bermuda-")
    try:
        data = pathlib.Path(folder.name, "data")
        graphs.save(data)
        result = run_json("train", method, data, "-o", pathlib.Path(folder.name, "run"), *words, quiet=quiet)
        shutil.rmtree(data)
    except BaseException:
        folder.cleanup()
        raise
    return ProgramModel(folder, result)


def _threads(threads: int | None) -> list[Any]:
    return [] if threads is None else ["--threads", threads]


def _words(options: dict[str, Any]) -> list[str]:
    """Options as words of the command line, where a flag has no value."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, (bool, np.bool_)):
            words += [flag] if value else []
        elif value is not None:
            words += [flag, as_text(value)]
    return words


def load(path: str | os.PathLike[str]) -> Model:
    """A model file, or the folder of a run, of a method that works in this process."""
    file = pathlib.Path(path)
    if file.is_dir():
        file = file / MODEL_FILE
    return Model(_bermuda.decode_model(file.read_bytes(), str(file)))
