"""Where does a model break? Its accuracy over sizes, densities and distances."""
from __future__ import annotations

import html
import json
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _bermuda
from ._work import as_options, seed_of, whole, work
from .graphs import DataSet, GraphList
from .models import Model
from .program_model import ProgramModel

Axis = Union[str, int, float, Sequence[int], Sequence[float], npt.NDArray[Any], None]
MOST_GRAPHS = 1_000_000


class RegimeMap:
    """A model asked everywhere. Prints as `bermuda regimes` does; heat maps in a notebook. Arrays have an axis per
    axis of the map that was given, in the order distance, degree, nodes; fields without graphs are NaN."""

    def __init__(self, found: dict[str, Any], text: str, pictures: list[str], page: str) -> None:
        self._found = found
        self._text = text
        self._pictures = pictures
        self._page = page
        axes = found["axes"]
        self.axes: dict[str, list[float]] = {name: axes[name] for name in ("distance", "degree", "nodes") if axes[name]}

    @property
    def name(self) -> str:
        return str(self._found["name"])

    @property
    def task(self) -> str:
        return str(self._found["task"])

    @property
    def accuracy(self) -> npt.NDArray[np.float64]:
        """Of each field."""
        return self._array("accuracy")

    @property
    def low(self) -> npt.NDArray[np.float64]:
        """The lower end of the accuracy's 95 % interval (Wilson)."""
        return self._array("interval", 0)

    @property
    def high(self) -> npt.NDArray[np.float64]:
        """The upper end."""
        return self._array("interval", 1)

    @property
    def graphs(self) -> npt.NDArray[np.int64]:
        """How many were asked in each field."""
        return self._array("graphs").astype(np.int64)

    @property
    def trained(self) -> npt.NDArray[np.bool_]:
        """Which fields are within what training had; none where that is not known."""
        return self._array("trained").astype(np.bool_)

    @property
    def relabelling_sensitivity(self) -> float | None:
        """Share of answers that change when nodes are renumbered; None where that was not asked."""
        found = self._found["relabelling_sensitivity"]
        return None if found is None else float(found)

    def _array(self, key: str, part: int | None = None) -> npt.NDArray[np.float64]:
        values = [cell.get(key) for cell in self._found["cells"]]
        numbers = [np.nan if value is None else value if part is None else value[part] for value in values]
        return np.array(numbers, dtype=np.float64).reshape([len(values) for values in self.axes.values()])

    def to_dict(self) -> dict[str, Any]:
        """What `bermuda regimes --json` tells of a model."""
        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def to_json(self) -> str:
        return json.dumps(self._found)

    def to_svg(self, picture: int = 0) -> str:
        """A heat map; several where degrees and distances were asked, one per degree."""
        return self._pictures[picture]

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """As a page (.html), JSON (.json), text (.txt) or the first heat map (.svg)."""
        texts = {".html": self._page, ".json": json.dumps({"bermuda_regimes": 1, **self._found}), ".txt": self._text,
                 ".svg": self.to_svg()}
        ending = pathlib.Path(path).suffix
        if ending not in texts:
            raise _bermuda.UsageError(f"{os.fspath(path)}: expected one of {', '.join(texts)} at the end")
        _bermuda.write_file(os.fspath(path), texts[ending].encode(), force)

    def _repr_html_(self) -> str:
        return f"<div title={html.escape(self.name)!r}>{''.join(self._pictures)}</div>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<bermuda.RegimeMap {self.name} on {self.task}: {' x '.join(self.axes)}>"


def _whole_axis(name: str, given: Axis) -> list[int]:
    if given is None:
        return []
    if isinstance(given, str):
        return _bermuda.whole_axis(name, given)
    return [whole(name, value, 0, 10**6) for value in np.atleast_1d(np.asarray(given)).tolist()]


def _degree_axis(given: Axis) -> tuple[list[float], float]:
    if given is None:
        return [], 1.0
    if isinstance(given, str):
        return _bermuda.degree_axis("degree", given)
    values = np.atleast_1d(np.asarray(given, dtype=np.float64))
    steps = np.diff(values)
    if not np.isfinite(values).all() or (steps <= 0).any() or (len(steps) and not np.allclose(steps, steps[0])):
        raise _bermuda.UsageError(f"degree: found {given!r}, expected rising values, equally far apart")
    return values.tolist(), float(steps[0]) if len(steps) else 1.0


def _answers(model: Any, graphs: GraphList) -> npt.NDArray[np.int64]:
    """0 or 1 of each graph; -1 for anything else that a model of more classes says."""
    if isinstance(model, (Model, ProgramModel)):
        number = {"0": 0, "1": 1}
        return np.array([number.get(model.classes[place], -1) for place in model.predict(graphs)], dtype=np.int64)
    said = np.asarray(model.predict(graphs) if hasattr(model, "predict") else model(graphs))
    if said.shape != (len(graphs),):
        raise _bermuda.UsageError(f"answers of shape {said.shape}, expected a class, 0 or 1, for each of "
                                  f"{len(graphs)} graphs")
    if said.dtype.kind == "f" and not np.isin(said, (0, 1)).all():
        raise _bermuda.UsageError("found answers other than 0 and 1, expected classes; of probabilities, ask p > 0.5")
    try:
        return np.ascontiguousarray(said.astype(np.int64))
    except (TypeError, ValueError):
        raise _bermuda.UsageError(f"found {said[0]!r} as an answer, expected 0 or 1") from None


def regime_map(model: Model | ProgramModel | Callable[[GraphList], Any] | Any, task: str | DataSet, *,
               nodes: Axis = None, degree: Axis = None, distance: Axis = None, graphs: int = 200, seed: int = 1,
               relabel: int = 1, name: str | None = None, threads: int | None = None, quiet: bool = False,
               **parameters: Any) -> RegimeMap:
    """The accuracy of a model over sizes, mean degrees and distances, with fresh graphs in each field.

    `model` is one of ours, anything with predict(), or a function: it is given all graphs at once, as a GraphList
    without classes, and answers 0 or 1 for each. `task` is the name of a task, with `parameters` of it, or the data set
    that the model was trained on, whose task, parameters and ranges are then known. An axis is "8:40:4" as on the
    command line, a value, or several; `graphs` is how many per field. The graphs follow from `seed`, and none of them
    was generated for training."""
    trained_on = task._core if isinstance(task, DataSet) else None
    degrees, step = _degree_axis(degree)
    regimes = _bermuda.Regimes(task.name if isinstance(task, DataSet) else task, as_options(parameters), trained_on,
                               _whole_axis("nodes", nodes), degrees, step, _whole_axis("distance", distance),
                               whole("graphs", graphs, 2, MOST_GRAPHS), seed_of(seed), whole("relabel", relabel, 0, 1000),
                               work(threads, quiet))
    said = _answers(model, GraphList(regimes.asked))
    method = model.method if isinstance(model, (Model, ProgramModel)) else ""
    called = name or method or getattr(model, "__name__", None) or type(model).__name__
    found, text, pictures, page = regimes.measure(said, str(called))
    return RegimeMap({**json.loads(found), "method": method}, text, pictures, page)
