"""Progress in a notebook: one line with a bar, which changes while the work goes on and stays as a summary."""
from __future__ import annotations

import sys
import time
from html import escape
from typing import Any

Finished = tuple[str, int, float]  # what, how many, seconds
Current = tuple[str, int, int, float, str]  # what, done, total, seconds, status

REDRAW = 0.2  # seconds: each is a message to the browser


def in_notebook() -> bool:
    """Whether this is a kernel of IPython, which can change what it has shown. IPython is never imported by us."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookProgress:
    """Shown where it is made, in the cell that runs."""

    def __init__(self) -> None:
        from IPython.display import display

        self._handle: Any = display(self._bundle("", ""), raw=True, display_id=True)
        self._began = self._shown = time.monotonic()
        self._stages = 0

    def __call__(self, finished: list[Finished], current: Current | None) -> None:
        self._stages += len(finished)
        now = time.monotonic()
        if current is None:
            if finished:
                what, count, seconds = finished[-1]
                steps = f"; {self._stages} steps in {now - self._began:.1f} s" if self._stages > 1 else ""
                self._show(f"{what}: {count} in {seconds:.1f} s{steps}")
        elif now - self._shown >= REDRAW:
            self._shown = now
            what, done, total, seconds, status = current
            share = min(done / total, 1.0) if total else 1.0
            left = f", {seconds / share - seconds:.0f} s left" if share > 0 else ""
            self._show(f"{what} {share * 100:.0f} %{left}  {status}".rstrip(), share)

    def say(self, line: str) -> None:
        """What the program said last."""
        self._show(line.strip())

    def _show(self, text: str, share: float | None = None) -> None:
        bar = "" if share is None else f'<progress max="1" value="{share:.3f}"></progress> '
        self._handle.update(self._bundle(text, bar), raw=True)

    @staticmethod
    def _bundle(text: str, bar: str) -> dict[str, str]:
        return {"text/plain": text, "text/html": f'<div style="font-family: monospace">{bar}{escape(text)}</div>'}
