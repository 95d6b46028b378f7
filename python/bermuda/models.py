"""Methods, and what they learn."""
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
from ._describe import Section, described, line_of
from ._program import run_json
from ._work import as_options, as_text, seed_of, whole, work
from .convert import as_graphs
from .explaining import Explanation
from .graphs import GraphList
from .program_model import MODEL_FILE, ProgramModel, _threads, accuracy

RUN_FILE = "run.json"


def methods() -> dict[str, str]:
    """Names of all methods and what they do: our own, which work in this process, and those of plug-ins, which
    the program runs."""
    found = _bermuda.methods()
    try:
        found.update({entry["name"]: entry["summary"] for entry in run_json("methods")["methods"]})
    except _bermuda.Error:
        pass  # no program, no plug-ins
    return found


def parameters(name: str) -> Parameters:
    """What a task, a method, "audit" or "filter" can be told: name, help, default and range. print() shows a line
    for each."""
    if name in ("audit", "filter"):
        settings = _bermuda.audit_settings() if name == "audit" else _bermuda.filter_settings()
    elif name in _bermuda.tasks():
        settings = _bermuda.task_settings(name)
    elif name in _bermuda.methods():
        settings = _bermuda.method_settings(name)
    else:
        entries = run_json("methods", name)["methods"][0]["parameters"]
        return Parameters({**entry, "name": entry["name"].replace("-", "_")} for entry in entries)
    return Parameters(json.loads(settings))


def method_sections() -> list[Section]:
    """Of the methods that work in this process, for docstrings; the others would have to be asked for."""
    return [(f"Of {name} ({summary})", _bermuda.method_settings(name)) for name, summary in _bermuda.methods().items()]


class Parameters(list[dict[str, Any]]):
    """A list of dicts with name, help, default, range and when_open; prints as a line for each."""

    def __str__(self) -> str:
        return "\n".join(line_of(entry).strip() for entry in self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


class Model:
    """A fitted method that works in this process."""

    def __init__(self, core: _bermuda.Model, result: dict[str, Any] | None = None) -> None:
        self._core = core
        self._result = result

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
        """What `bermuda train --json` prints; of a model file nothing."""
        found: dict[str, Any] = json.loads(self._core.report) if self._result is None else dict(self._result)
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

    def explain(self, graphs: Any, *, top: int = 3, layers: Sequence[int] | None = None,
                threads: int | None = None) -> Explanation:
        """For neural methods: this one cannot tell which edges it looks at."""
        raise _bermuda.UsageError(f"{self.method} cannot tell which edges it looks at")

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """As a model file, which `bermuda predict` takes too."""
        _bermuda.write_file(os.fspath(path), self._core.encode(), force)

    def __repr__(self) -> str:
        return f"<bermuda.Model {self.method}: classes {', '.join(self.classes)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._core.encode(),))


def _unpickled(encoded: bytes) -> Model:
    return Model(_bermuda.decode_model(encoded, "pickle"))


def fit(method: str, data: Any, y: Sequence[Any] | None = None, *, fold: int = 0, seed: int = 1,
        folding: str = "usual", threads: int | None = None, quiet: bool = False,
        **options: Any) -> Model | ProgramModel:
    """Trains and tests on a fold, as `bermuda train` does; `result` of the model says how it went. Options are
    those of the method; print(bermuda.parameters(method)) tells them, of any method. `rounds` is min_rounds and
    max_rounds in one, where there are such."""
    graphs = as_graphs(data, y)
    fold = whole("fold", fold, 0, 9)
    options = with_rounds(method, options)
    if method in _bermuda.methods():
        return Model(_bermuda.fit_fold(method, as_options(options), graphs._core, fold, folding, seed_of(seed),
                                       work(threads, quiet)))
    graphs._core.check_classes()
    return _fit_by_program(method, graphs, ["--fold", fold, "--folding", folding, "--seed", seed,
                                            *_threads(threads), *_words(options)], quiet)


def _fit_by_program(method: str, graphs: GraphList, words: list[Any], quiet: bool) -> ProgramModel:
    with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
        data, run = pathlib.Path(folder, "data"), pathlib.Path(folder, "run")
        graphs.save(data)
        result = run_json("train", method, data, "-o", run, *words, quiet=quiet)
        # Its command, where it has one, was just given to us and was run.
        return ProgramModel((run / MODEL_FILE).read_bytes(), result, run_command=True)


def with_rounds(method: str, options: dict[str, Any]) -> dict[str, Any]:
    """`rounds` for a method that chooses between min_rounds and max_rounds sets both."""
    both = ("min_rounds", "max_rounds")
    if options.get("rounds") is None:
        return {name: value for name, value in options.items() if name != "rounds"}
    names = {entry["name"] for entry in parameters(method)}
    if "rounds" in names or not names.issuperset(both):
        return options
    if set(options) & set(both):
        raise _bermuda.UsageError("rounds: sets min_rounds and max_rounds, which are given too")
    others = {name: value for name, value in options.items() if name != "rounds"}
    return {**others, **dict.fromkeys(both, options["rounds"])}


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


def load(path: str | os.PathLike[str], *, run_command: bool = False) -> Model | ProgramModel:
    """A model file, or the folder of a run, whose `result` is then that of the run. `run_command`: the model of a program
    may run its command, which comes with the file and may be anybody's."""
    file, result = pathlib.Path(path), None
    if file.is_dir():
        run = file / RUN_FILE
        result = json.loads(run.read_text(encoding="utf-8")) if run.is_file() else None
        file = file / MODEL_FILE
    encoded = file.read_bytes()
    if _bermuda.model_header(encoded, str(file))[0] in _bermuda.methods():
        return Model(_bermuda.decode_model(encoded, str(file)), result)
    return ProgramModel(encoded, result or {}, str(file), run_command)


described(fit, method_sections())
