"""What could a model tell apart, had it learnt or not?"""
from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bermuda
from ._program import run_json
from ._work import seed_of, whole, work
from .convert import as_graphs
from .graphs import GraphList
from .making import read

Rows = npt.NDArray[np.float64]
Embed = Callable[[GraphList], Any]

CONTROL = 2**32 - 1  # the draw whose numbering is the control's
AT_ONCE = 32  # pairs


@dataclass(frozen=True)
class ToldApart:
    """Which pairs were told apart. `control` are graphs that were told apart from themselves, renumbered: there must be
    none, or the other figures say nothing."""

    pairs: npt.NDArray[np.bool_]
    control: npt.NDArray[np.bool_]
    categories: list[str]
    category: npt.NDArray[np.int64]

    @property
    def told_apart(self) -> int:
        return int(self.pairs.sum())

    @property
    def by_category(self) -> dict[str, int]:
        return {name: int(self.pairs[self.category == place].sum()) for place, name in enumerate(self.categories)}

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count}" for name, count in self.by_category.items())
        return f"{self.told_apart} of {len(self.pairs)} pairs told apart ({parts}); control {int(self.control.sum())}"


def told_apart(embed: Embed, pairs: Any, *, draws: int = 0, tolerance: float = 1e-8, seed: int = 1) -> ToldApart:
    """Which pairs of graphs a model of yours could tell apart. `embed` is given a GraphList and returns one row of numbers
    per graph: what your model makes of it, at random weights, in double precision, several networks side by side.
    `pairs`: a path (BREC's pairs.tsv, a folder of `bermuda pairs`), a DataSet of pairs, or a sequence of pairs of graphs.

    Rows that differ by more than `tolerance` times their largest number tell a pair apart. A model whose rows hang on
    chance or on the numbering of the nodes wants `draws`, some hundred at least: it is then asked as often, each time with
    nodes numbered anew, and a pair is told apart where the rows' distributions differ by an exact test of level 1e-5
    (sign flips of paired draws). The control asks the same of each first graph and itself, renumbered."""
    seed, draws = seed_of(seed), whole("draws", draws, 0, 10**6)
    if 0 < draws < _bermuda.fewest_draws:
        raise _bermuda.UsageError(f"draws: found {draws}, expected 0 or at least {_bermuda.fewest_draws}")
    graphs, categories, category = _pairs(pairs)
    count = len(graphs) // 2
    told, control = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    for begin in range(0, count, AT_ONCE):
        part = graphs[2 * begin:2 * min(begin + AT_ONCE, count)]
        again = GraphList(_bermuda.renumbered(part[::2]._core, seed, CONTROL))
        if draws:
            told[begin:begin + AT_ONCE], control[begin:begin + AT_ONCE] = _by_draws(
                embed, part, again, draws, tolerance, seed, begin)
        else:
            rows, others = _rows(embed, part), _rows(embed, again)
            told[begin:begin + AT_ONCE] = _differ(rows[::2], rows[1::2], tolerance)
            control[begin:begin + AT_ONCE] = _differ(rows[::2], others, tolerance)
    return ToldApart(told, control, categories, category)


def expressivity(data: Any, methods: Sequence[str] = (), *, seed: int = 1, weights: int = 4, draws: int = 1024,
                 quiet: bool = True) -> dict[str, Any]:
    """What `bermuda expressivity --json` says of our methods: of pairs, how many they could tell apart; of other data, the
    best accuracy that any function of what they see can reach. `data`: a path or graphs."""
    words: list[Any] = ["--seed", seed_of(seed), "--weights", whole("weights", weights, 1, 64),
                        "--draws", whole("draws", draws, _bermuda.fewest_draws, 16384)]
    if methods:
        words += ["--methods", ",".join(methods)]
    with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
        if not isinstance(data, (str, os.PathLike)):
            path = pathlib.Path(folder, "data")
            as_graphs(data).save(path)
            data = path
        found: dict[str, Any] = run_json("expressivity", data, *words, quiet=quiet)
    return found


def _pairs(pairs: Any) -> tuple[GraphList, list[str], npt.NDArray[np.int64]]:
    graphs = read(pairs) if isinstance(pairs, (str, os.PathLike)) else pairs
    if not isinstance(graphs, GraphList):
        graphs = as_graphs([graph for pair in pairs for graph in _two(pair)])
        return graphs, ["pairs"], np.zeros(len(graphs) // 2, np.int64)
    categories, category = _bermuda.pair_categories(graphs._core)
    return graphs, categories, np.array(category, np.int64)


def _two(pair: Any) -> tuple[Any, Any]:
    if len(pair) != 2:
        raise _bermuda.UsageError(f"pairs: found {len(pair)} graphs in one, expected 2")
    return pair[0], pair[1]


def _rows(embed: Embed, graphs: GraphList) -> Rows:
    rows = np.asarray(embed(graphs), dtype=np.float64)
    if rows.ndim == 0 or rows.shape[0] != len(graphs):
        raise _bermuda.UsageError(f"embed: found an array of shape {rows.shape}, expected one row for each of "
                                  f"{len(graphs)} graphs")
    if not np.isfinite(rows).all():
        raise _bermuda.UsageError("embed: found a number that is not finite")
    return np.ascontiguousarray(rows.reshape(len(graphs), -1))


def _differ(one: Rows, other: Rows, tolerance: float) -> npt.NDArray[np.bool_]:
    if one.shape != other.shape:
        raise _bermuda.UsageError(f"embed: found rows of {one.shape[1]} and of {other.shape[1]} numbers")
    scale = np.maximum(np.abs(one), np.abs(other)).max(axis=1, initial=0)
    return np.asarray(np.abs(one - other).max(axis=1, initial=0) > tolerance * scale)


def _by_draws(embed: Embed, part: GraphList, again: GraphList, draws: int, tolerance: float, seed: int,
              begin: int) -> tuple[list[bool], list[bool]]:
    of_pairs, of_control = [], []
    for draw in range(draws):
        # Numberings differ between parts, and between graphs and control.
        number = 2 * (begin // AT_ONCE * draws + draw)
        of_pairs.append(_rows(embed, GraphList(_bermuda.renumbered(part._core, seed, number))))
        of_control.append(_rows(embed, GraphList(_bermuda.renumbered(again._core, seed, number + 1))))
    pairs, control = np.stack(of_pairs, axis=1), np.stack(of_control, axis=1)  # graph, draw, column

    def differ(one: Rows, other: Rows, item: int) -> bool:
        if one.size == 0:
            return False
        found: bool = _bermuda.sign_flip(np.ascontiguousarray(one), np.ascontiguousarray(other), one.shape[1], tolerance,
                                         seed, item, work(1))[0]
        return found

    told = [differ(pairs[2 * i], pairs[2 * i + 1], 2 * (begin + i)) for i in range(len(again))]
    return told, [differ(pairs[2 * i], control[i], 2 * (begin + i) + 1) for i in range(len(again))]
