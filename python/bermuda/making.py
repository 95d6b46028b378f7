"""Reading and making data sets."""
from __future__ import annotations

import os
from typing import Any

from . import _bermuda
from ._describe import described
from ._work import as_options, seed_of, whole, work
from .graphs import DataSet


def read(path: str | os.PathLike[str], *, max_nodes: int = _bermuda.most_nodes) -> DataSet:
    """A data set in any format that `bermuda convert` knows. Graphs may lack a class: their y is -1."""
    return DataSet(_bermuda.read(os.fspath(path), whole("max_nodes", max_nodes, 1, 2**20), work()))


def tasks() -> dict[str, str]:
    """Names of the tasks and what they ask."""
    return _bermuda.tasks()


def _count(name: str, value: int) -> int:
    return whole(name, value, 2, _bermuda.most_candidates)


def make(task: str, seed: int = 1, *, candidates: int = 200_000, test_nodes: str | tuple[int, int] | None = None,
         threads: int | None = None, quiet: bool = False, **parameters: Any) -> DataSet:
    """A filtered data set with splits train, valid and test: the bytes of `bermuda dataset TASK`. Parameters
    are those of the filter and of the task. `test_nodes`, "20:40" or (20, 40): test on graphs of other sizes."""
    sizes = ":".join(map(str, test_nodes)) if isinstance(test_nodes, tuple) else test_nodes or ""
    return DataSet(_bermuda.make(task, seed_of(seed), _count("candidates", candidates), sizes, as_options(parameters),
                                 work(threads, quiet)))


def generate(task: str, seed: int = 1, *, count: int = 200_000, threads: int | None = None,
             quiet: bool = False, **parameters: Any) -> DataSet:
    """Candidates without a filter: the bytes of `bermuda generate TASK`."""
    return DataSet(_bermuda.generate(task, seed_of(seed), _count("count", count), as_options(parameters),
                                     work(threads, quiet)))


def make_pairs(task: str, same: str = "degrees", count: int = 1000, seed: int = 1, *, threads: int | None = None,
               quiet: bool = False, **parameters: Any) -> DataSet:
    """Twins, one after the other: two graphs of different class that agree in `same` ("degrees", "degree-pairs" or
    "wl-H"), so that any function of that is right about exactly one of them. The bytes of `bermuda pairs TASK`."""
    return DataSet(_bermuda.make_pairs(task, same, seed_of(seed), whole("count", count, 1, _bermuda.most_pairs),
                                       as_options(parameters), work(threads, quiet)))


_tasks = [(f"Of the task {name} ({summary})", _bermuda.task_settings(name)) for name, summary in tasks().items()]
described(make, [("Of the filter", _bermuda.filter_settings()), *_tasks], [_bermuda.filter_settings()])
described(generate, _tasks)
described(make_pairs, _tasks)
