"""Anybody's model in the table: its runs are done in your loop and recorded in a store, beside methods of ours."""
from __future__ import annotations

import math
import os
import pathlib
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bermuda
from ._program import run_json, run_text
from ._study_grid import Compared, StudyGrid
from .graphs import DataSet, GraphList
from .making import read

UsageError = _bermuda.UsageError


class _Questions:
    """Graphs in another order than that of their file, which may go by class, and without anything that tells a class.
    They may be several rounds of the same."""

    def __init__(self, graphs: GraphList, source: Sequence[int], path: str, rounds: int = 1) -> None:
        self.graphs, self.path, self.rounds = graphs, path, rounds
        self.order = np.random.default_rng(source).permutation(len(graphs))
        self.asked = GraphList(_bermuda.questions(graphs._core, np.ascontiguousarray(self.order, np.int64)))

    def tables(self, said: Sequence[int], scores: npt.NDArray[np.float64] | None, classes: Sequence[str]) -> list[str]:
        """Tables of answers, one per round, from answers in the order of the questions."""
        head = "\t".join(["#id", "class", *(f"score of {name}" for name in classes if scores is not None)]) + "\n"
        made = [head] * self.rounds
        for i, place in enumerate(self.order.tolist()):
            more = [] if scores is None else [repr(float(score)) for score in scores[i]]
            made[place * self.rounds // len(self.graphs)] += "\t".join([self.graphs[place].id, classes[said[i]], *more]) + "\n"
        return made


class Run:
    """A run that is yours to do: learn from `train`, choose on `valid`, answer `test`, then record(). `asked` has what the
    grid asks a trained model beside, by name: a list of graphs each."""

    def __init__(self, study: Study, row: str, place: _Place, whole: DataSet, asked: dict[str, Any]) -> None:
        self._study, self._row, self._place, self._whole = study, row, place, whole
        self.data, self.fold = place.data, place.fold
        self.train, self.valid, tested = whole.fold(place.fold, place.folding)
        source = [place.seed % 2**63, place.fold, int(place.checksum[:15], 16)]  # the same for the same run
        self._tested = _Questions(tested, source, place.path)
        self.test = self._tested.asked
        self._asked: dict[str, _Questions] = {}
        for number, (name, one) in enumerate(asked.items(), 2):
            path, rounds = one.get("path", place.path), one.get("rounds", 0)
            graphs: GraphList = study._data(path)
            if rounds:
                again = tested[np.tile(np.arange(len(tested)), rounds)]
                graphs = GraphList(_bermuda.renumbered(again._core, place.seed, 0))
            self._asked[name] = _Questions(graphs, [*source, number], path, max(rounds, 1))
        self.asked: dict[str, GraphList] = {name: questions.asked for name, questions in self._asked.items()}
        self.seed = int(np.random.default_rng([*source, 1]).integers(2**31))  # for your random numbers: its own per run
        self.result: dict[str, Any] | None = None
        self._began = time.monotonic()

    @property
    def classes(self) -> list[str]:
        """Columns of scores are in this order; numbers among answers count in it."""
        return self._whole.classes

    def record(self, *, scores: Any = None, answers: Sequence[int | str] | npt.NDArray[Any] | None = None,
               asked: Mapping[str, Any] | None = None, seconds: float | None = None) -> None:
        """Writes down what was said of `test`, in its order: `scores`, graphs x classes, of which the largest counts; or
        `answers`, a class each, by name or by its number in `classes`. `asked`: the same of all that `asked` of this run
        has, by its names, scores or answers as those of `test` are. Without it only the test graphs count. `seconds`: how
        long learning took; by default since the run was handed out. Done once: `result` has the figures then."""
        if (scores is None) == (answers is None):
            raise UsageError("expected either scores or answers")
        took = time.monotonic() - self._began if seconds is None else _seconds(seconds)
        if asked and set(asked) != set(self._asked):
            raise UsageError(f"asked: found {', '.join(map(str, asked))}, expected {', '.join(self._asked) or 'nothing'}")
        read = self._from_answers if scores is None else self._from_scores
        said: list[tuple[list[str], _Questions, Any]] = [([], self._tested, answers if scores is None else scores)]
        said += [(["--asked", name], self._asked[name], one) for name, one in (asked or {}).items()]
        with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
            words: list[Any] = []
            for option, questions, one in said:
                for table in questions.tables(*read(one, questions.asked), self.classes):
                    file = pathlib.Path(folder, f"{len(words)}.tsv")
                    file.write_text(table, encoding="utf-8")
                    words += [*option, file, questions.path]
            self.result = run_json("score", *words, "--store", self._study.store, "--grid", self._study._grid.name,
                                   "--row", self._row, "--fold", self.fold, "--seed", self._place.seed, "--seconds",
                                   f"{took:.3f}")

    def _from_scores(self, scores: Any, graphs: GraphList) -> tuple[list[int], npt.NDArray[np.float64]]:
        from ._pieces import as_array

        table = as_array(scores).astype(np.float64)
        wanted = (len(graphs), len(self.classes))
        if table.shape != wanted:
            raise UsageError(f"scores of shape {table.shape}, expected graphs x classes: {wanted}")
        if not np.isfinite(table).all():
            raise UsageError("scores: expected finite numbers")
        return table.argmax(axis=1).tolist(), table

    def _from_answers(self, answers: Any, graphs: GraphList) -> tuple[list[int], None]:
        from ._pieces import as_array

        given = as_array(answers).tolist()
        if not isinstance(given, list) or len(given) != len(graphs):
            found = len(given) if isinstance(given, list) else 1
            raise UsageError(f"{found} answers for {len(graphs)} graphs")
        number = {name: place for place, name in enumerate(self.classes)}
        said = [number.get(one, -1) if isinstance(one, str) else one for one in given]
        for one, place in zip(given, said):
            if not isinstance(place, int) or not 0 <= place < len(self.classes):
                raise UsageError(f"answer {one!r}, expected one of {', '.join(self.classes)} or its number")
        return said, None

    def __repr__(self) -> str:
        done = "" if self.result is None else f", recorded: {self.result['accuracy'] * 100:.1f} %"
        return f"<bermuda.Run of {self._row} on {self.data}, fold {self.fold}{done}>"


class _Place:
    """A place of the table that a run fills."""

    def __init__(self, data: str, fold: int, seed: int, run: int, folding: str, checksum: str, path: str) -> None:
        self.data, self.fold, self.seed, self.run = data, fold, seed, run
        self.folding, self.checksum, self.path = folding, checksum, path


PLACES = """SELECT entries.data, entries.fold, entries.seed, runs.id, runs.folding, data_sets.checksum, data_sets.path
FROM entries JOIN grids ON grids.id = entries.grid JOIN runs ON runs.id = entries.run
JOIN data_sets ON data_sets.checksum = runs.data_checksum
WHERE grids.name = ? AND entries.row = ? ORDER BY entries.place, entries.fold, entries.seed"""


class Table:
    """Mean and deviation per method and data set, who is best (*) and who does not differ from it (=). Prints as
    `bermuda bench` does."""

    def __init__(self, table: dict[str, Any], text: str) -> None:
        self._table, self._text = table, text

    def to_dict(self) -> dict[str, Any]:
        """What `bermuda bench --json` has as its table: per row and column mean, sd, interval, runs and mark."""
        return dict(self._table)

    def __getitem__(self, place: tuple[str, str]) -> dict[str, Any] | None:
        """The cell of a row and a data set; None while it is empty."""
        row, data = place
        for entry in self._table["rows"]:
            if entry["method"] == row and data in self._table["columns"]:
                cell: dict[str, Any] = entry["cells"][self._table["columns"].index(data)]
                return cell if cell["runs"] else None
        raise KeyError(f"{row} on {data}")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<bermuda.Table {self._table['title']!r}: {len(self._table['rows'])} methods>"


class Study:
    """A table with models of your own in it. `grid`: "table1" and the like, a TOML file of `bermuda bench`, or a data set
    (any graphs with their classes, or a folder). `store`: the file that keeps results. `compare`: rows of the grid, or
    any of our methods, that stand beside yours, on the folds that yours has; a dict gives options of each. `data`: the
    columns of the grid that count. `folder`: where data sets stand that a grid names by path."""

    def __init__(self, grid: Any, y: Sequence[Any] | None = None, *, store: str | os.PathLike[str],
                 compare: Compared = (), data: Sequence[str] | None = None,
                 folder: str | os.PathLike[str] | None = None, jobs: int | None = None, quiet: bool = True) -> None:
        self.store = pathlib.Path(store).absolute()
        self._words = [*(["--data", folder] if folder is not None else [])]
        self._jobs = [] if jobs is None else ["--jobs", jobs]
        self._quiet = quiet
        self._grid = StudyGrid(grid, y, self.store, compare, data)
        self._read: dict[str, DataSet] = {}

    def runs(self, name: str, *, folds: Iterable[int] | None = None, seeds: int = 1) -> Iterator[Run]:
        """The runs of a model of yours that are not recorded yet, one after the other: a loop that was stopped goes on.
        `folds`: 0 to 9, by default as the grid says; `seeds`: how many runs of each."""
        columns = self._grid.add(name, folds, seeds, lambda: self._bench("--no-run"))["data"]
        for place in self._places(name):
            if not self._is_done(place):
                yield Run(self, name, place, self._data(place.path), columns[place.data]["asked"])

    def table(self) -> Table:
        """Does what the compared methods have not done yet, which may take long, and shows all."""
        found = self._bench(*self._jobs)["table"]
        words = ["bench", self._grid.file, "--store", self.store, "--no-run", "--no-report", *self._words]
        text = run_text(*words)
        # What the program says of files of its own is of no interest here.
        return Table(found, re.sub(r"^\d+ runs? .*; all in .*\n?", "", text, flags=re.M))

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """The page of `bermuda report`: tables, tests of every pair, confusions, graphs that are hard."""
        self._bench(*self._jobs)
        run_json("report", self.store, "-o", path, *(["--force"] if force else []))

    def _bench(self, *words: Any) -> Any:
        return run_json("bench", self._grid.file, "--store", self.store, "--no-report", *self._words, *words,
                        quiet=self._quiet)

    def _places(self, row: str) -> list[_Place]:
        return [_Place(*found) for found in self._ask(PLACES, (self._grid.name, row))]

    def _is_done(self, place: _Place) -> bool:
        return bool(self._ask("SELECT state FROM runs WHERE id = ?", (place.run,))[0][0] == "done")

    def _ask(self, question: str, values: Sequence[Any]) -> list[Any]:
        """The store is open to everybody's SQL: docs/bench.md."""
        import sqlite3

        connection = sqlite3.connect(f"file:{_uri(self.store)}?mode=ro", uri=True)
        try:
            return connection.execute(question, values).fetchall()
        finally:
            connection.close()

    def _data(self, path: str) -> DataSet:
        if path not in self._read:
            self._read[path] = read(path)
        return self._read[path]

    def __repr__(self) -> str:
        return f"<bermuda.Study {self._grid.title!r} in {self.store.name}>"


def _seconds(given: Any) -> float:
    try:
        found = float(given)
    except (TypeError, ValueError):
        found = math.nan
    if not 0 <= found < math.inf:
        raise UsageError(f"seconds: found {given!r}, expected a finite number from 0")
    return found


def _uri(path: pathlib.Path) -> str:
    return path.as_uri().removeprefix("file:")


