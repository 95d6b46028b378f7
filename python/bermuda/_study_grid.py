"""The grid of a study: rows of another grid, or methods on a data set, and rows that are recorded. A TOML file beside the
store, which `bermuda bench` takes, and which remembers the rows from one session to the next."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

from . import _bermuda
from ._program import program
from ._toml import toml_of
from ._work import whole
from .convert import as_graphs
from .graphs import GraphList

UsageError = _bermuda.UsageError
Compared = Union[Sequence[str], Mapping[str, Mapping[str, Any]]]


class StudyGrid:
    def __init__(self, grid: Any, y: Sequence[Any] | None, store: pathlib.Path, compare: Compared,
                 data: Sequence[str] | None) -> None:
        if isinstance(compare, str):
            raise UsageError("compare: expected a list of methods")
        self.name = store.stem + ".study"
        self.file = store.with_name(self.name + ".toml")
        base, beside = _base(grid, y, store)
        self.title = str(base.get("title", beside.name))
        self._grid = _narrowed(base, beside, compare, data)
        self._compared = list(compare)
        # Rows that were recorded in other sessions stay in the table.
        earlier = _read_toml(self.file).get("run", []) if self.file.is_file() else []
        self._recorded: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in earlier if entry.get("recorded")}

    def add(self, name: str, folds: Iterable[int] | None, seeds: int, check: Callable[[], Any]) -> Any:
        """A row that is recorded, or more folds of one; written down. Returns what `check` of what was written does; where
        that throws, all is as it was before: a file that the program refuses would be in the way of every other row."""
        if not isinstance(name, str):
            raise UsageError(f"found {name!r}, expected the name of a row")
        if name in self._compared:
            raise UsageError(f"{name} is a method to compare with: give yours another name")
        wanted = set(_folds(self._grid.get("folds", "0-9")) if folds is None else (whole("fold", f, 0, 9) for f in folds))
        if not wanted:
            raise UsageError("folds: expected at least one of 0..9")
        known = self._recorded.get(name, {})
        wanted |= set(_folds(known["folds"])) if known else set()
        row = {"name": name, "recorded": True, "folds": _text(wanted),
               "seeds": max(whole("seeds", seeds, 1, 1000), known.get("seeds", 1))}
        rows, text = self._recorded, self.file.read_bytes() if self.file.is_file() else None
        self._recorded = {**rows, name: row}
        try:
            self.write()
            return check()
        except BaseException:
            self._recorded = rows
            if text is None:
                self.file.unlink(missing_ok=True)
            else:
                _replace(self.file, text)
            raise

    def write(self) -> None:
        """Whatever is compared is so on the folds that were recorded: all else would be hours for nothing."""
        folds: set[int] = set().union(*(_folds(row["folds"]) for row in self._recorded.values()))
        runs = [{**entry, "folds": _text(folds)} if "same_as" not in entry else entry for entry in self._grid["run"]]
        text = toml_of({**self._grid, "run": [*self._recorded.values(), *runs]})
        _replace(self.file, text.encode())


def _replace(file: pathlib.Path, text: bytes) -> None:
    """As a whole, and only where it is another."""
    if not file.is_file() or file.read_bytes() != text:
        pending = file.with_name(f"{file.name}.{os.getpid()}")
        pending.write_bytes(text)
        pending.replace(file)


def _base(grid: Any, y: Sequence[Any] | None, store: pathlib.Path) -> tuple[dict[str, Any], pathlib.Path]:
    """A grid, and the file beside which its data may stand."""
    if isinstance(grid, (str, os.PathLike)) and y is None:
        path = pathlib.Path(grid)
        if path.suffix == ".toml":
            return _read_toml(path), path.absolute()
        if not path.exists():
            return _read_toml(_named(str(grid))), path.absolute()
    graphs = as_graphs(grid, y)
    graphs._core.check_classes()
    folder = _kept(graphs, store.with_name(store.stem + ".data"))
    made = {"title": graphs.name, "metric": "accuracy", "data": {graphs.name: {"path": os.fspath(folder)}}, "run": []}
    return made, folder


def _named(name: str) -> pathlib.Path:
    """Where the program has its own: beside it as it is built, or installed."""
    folders = [pathlib.Path(program()).resolve().parents[1] / place for place in ("configs", "share/bermuda/configs")]
    found = {path.stem: path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.toml"))}
    if name not in found:
        raise UsageError(f"{name!r}: no such file, and no such configuration; there are: {', '.join(sorted(found))}")
    return found[name]


def _kept(graphs: GraphList, folder: pathlib.Path) -> pathlib.Path:
    """The data set beside the store. One that stands there must be the same, or its results would be of other graphs."""
    if not folder.exists():
        graphs.save(folder)
        return folder
    with tempfile.TemporaryDirectory(prefix="bermuda-") as place:
        again = pathlib.Path(place, "data")
        graphs.save(again)
        if _content(again) != _content(folder):
            raise UsageError(f"{folder}: holds other graphs; a study of these wants another store")
    return folder


def _content(folder: pathlib.Path) -> tuple[Any, dict[str, bytes]]:
    """Classes and graphs. The rest of a manifest tells of the program that wrote it, and the next version is another."""
    try:
        classes = json.loads((folder / "manifest.json").read_bytes())["classes"]
    except (OSError, ValueError, LookupError, TypeError):
        classes = None  # no data set of ours
    return classes, {path.name: path.read_bytes() for path in folder.glob("*.tsv")}


def _narrowed(base: dict[str, Any], beside: pathlib.Path, compare: Compared,
              data: Sequence[str] | None) -> dict[str, Any]:
    columns = list(base.get("data", {})) if data is None else list(data)
    for name in columns:
        if name not in base.get("data", {}):
            raise UsageError(f"data: no {name!r}; there are: {', '.join(base.get('data', {}))}")
    tables = {name: _with_paths(base["data"][name], beside) for name in columns}
    options = compare if isinstance(compare, Mapping) else dict.fromkeys(compare, {})
    rows: list[dict[str, Any]] = []
    for name in options:
        found = [] if options[name] else [_of_row(entry, name, columns) for entry in base.get("run", [])]
        rows += [entry for entry in found if entry] or [{"methods": [name], "data": columns,
                                                         **({"options": dict(options[name])} if options[name] else {})}]
    kept = {key: value for key, value in base.items() if key not in ("data", "run", "paper")}
    kept = _with_paths(kept, beside)  # what all data sets are asked
    paper = base.get("paper", {})
    if paper:
        kept["paper"] = {key: value for key, value in paper.items() if not isinstance(value, dict)}
        for name in columns:
            figures = {row: figure for row, figure in paper.get(name, {}).items() if row in options}
            if figures:
                kept["paper"][name] = figures
    return {**kept, "data": tables, "run": rows}


def _with_paths(table: dict[str, Any], beside: pathlib.Path) -> dict[str, Any]:
    """With whole paths, of the data and of what is asked: the grid is written elsewhere."""
    made = dict(table)
    if "path" in made and (beside.parent / made["path"]).exists():
        made["path"] = os.fspath(beside.parent / made["path"])
    if isinstance(made.get("ask"), dict):
        made["ask"] = {name: _with_paths(one, beside) if isinstance(one, dict) else one
                       for name, one in made["ask"].items()}
    return made


def _of_row(entry: dict[str, Any], name: str, columns: list[str]) -> dict[str, Any] | None:
    """What a [[run]] has of a row, on these columns."""
    if name not in ([entry["name"]] if "name" in entry else entry.get("methods", [])):
        return None  # a program of somebody's, too, has a name
    data = entry.get("data", columns)
    on = [one for one in ([data] if isinstance(data, str) else data) if one in columns]
    if not on or entry.get("same_as", columns[0]) not in columns:
        return None
    chosen = {} if "name" in entry else {"methods": [name]}
    return {**entry, **chosen, "data": on[0] if "same_as" in entry else on}


def _read_toml(path: pathlib.Path) -> dict[str, Any]:
    try:
        import tomllib
    except ImportError as error:  # Python 3.10
        raise UsageError("a study reads grids, which takes Python 3.11") from error
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise _bermuda.InputError(f"{path}: {error}") from None


def _folds(text: Any) -> list[int]:
    """ "0-2,5" as numbers; the program says what is wrong with others."""
    found: list[int] = []
    for part in str(text).split(","):
        first, _, last = part.partition("-")
        try:
            found += range(int(first), int(last or first) + 1)
        except ValueError:
            raise UsageError(f"folds: found {text!r}, expected something like 0-9 or 0,2,5") from None
    return found


def _text(folds: Iterable[int]) -> str:
    return ",".join(map(str, sorted(folds)))
