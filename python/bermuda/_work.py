"""How the package hands long work to the library: threads, progress, options as text."""
from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from operator import index
from typing import Any, TextIO

import numpy as np

from . import _bermuda
from ._notebook import Current, Finished, NotebookProgress, in_notebook

REDRAW = 0.1  # seconds
PLAIN_LINE = 10.0
BAR = 24


class Progress:
    """Progress on standard error as the command line shows it: a bar on a terminal, else a line per finished stage and
    one of status every ten seconds."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._draws = stream.isatty()
        self._shown = 0  # columns of the bar that is showing
        self._said = time.monotonic()
        self._status = ""

    def __call__(self, finished: list[Finished], current: Current | None) -> None:
        for what, count, seconds in finished:
            self._write(f"{what}: {count} in {seconds:.1f} s\n")
        now = time.monotonic()
        if current is None:
            self._write("")
        elif self._draws and now - self._said >= REDRAW:
            self._draw(current)
            self._said = now
        elif not self._draws and current[4] != self._status and now - self._said >= PLAIN_LINE:
            self._status = current[4]
            self._write(f"{current[0]}: {current[4]}\n")
            self._said = now

    def _write(self, text: str) -> None:
        if self._shown:
            text = "\r" + " " * self._shown + "\r" + text
            self._shown = 0
        if text:
            self._stream.write(text)
            self._stream.flush()

    def _draw(self, current: Current) -> None:
        what, done, total, seconds, status = current
        share = min(done / total, 1.0) if total else 1.0
        bar = "#" * int(share * BAR)
        left = f"  {seconds / share - seconds:.0f} s left" if share > 0 else ""
        line = f"{what} [{bar:.<{BAR}}] {share * 100:3.0f} %{left}  {status}".rstrip()[:99]
        self._stream.write("\r" + line.ljust(self._shown))
        self._stream.flush()
        self._shown = len(line)


def progress() -> Progress | NotebookProgress | None:
    """For who shall see it; nobody where there is no standard error."""
    if in_notebook():
        return NotebookProgress()
    return None if sys.stderr is None else Progress(sys.stderr)


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number in a range, or an error that says which."""
    try:
        number = index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise _bermuda.UsageError(f"{name}: found {value!r}, expected a whole number in {low}..{high}")
    return number


def seed_of(seed: Any) -> int:
    return whole("seed", seed, 0, 2**64 - 1)


def work(threads: int | None = None, quiet: bool = True) -> _bermuda.Work:
    """None threads: all cores. Results never depend on it."""
    count = 0 if threads is None else whole("threads", threads, 1, 1024)
    return _bermuda.Work(count, None if quiet else progress())


def as_text(value: Any) -> str:
    """A value as the command line would have it."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(as_text(one) for one in value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value)


def as_options(options: Mapping[str, Any]) -> dict[str, str]:
    """None leaves an option at its default."""
    return {name: as_text(value) for name, value in options.items() if value is not None}
