"""Many graphs in few arrays, from which the library builds and checks them in one go."""
from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _bermuda
from .graphs import DataSet, Dropped

UsageError = _bermuda.UsageError

EDGES, ARCS = 0, 1  # what a line of an edge list means: see build.cpp


class DroppedWarning(UserWarning):
    """Edges that a simple undirected graph cannot have were left out."""


class Pieces:
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


def whole_numbers(found: np.ndarray[Any, Any], place: int, what: str) -> np.ndarray[Any, Any]:
    if not np.issubdtype(found.dtype, np.integer):
        raise UsageError(f"graph {place}: {what} are {found.dtype}, expected whole numbers")
    return found
