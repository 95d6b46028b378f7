"""Progress: one line that changes in a notebook, lines elsewhere. IPython's kernel is played by a module."""
import os
import sys
import threading
import time
import types

import pytest

import bermuda as bm
from bermuda._notebook import NotebookProgress, in_notebook


class Handle:
    def __init__(self, shown):
        self.shown = shown

    def update(self, bundle, *, raw):
        assert raw
        self.shown.append(bundle)


@pytest.fixture
def kernel(monkeypatch):
    """What the notebook shows, in one place."""
    shown = []

    def display(bundle, *, raw, display_id):
        assert raw and display_id is True
        assert threading.current_thread() is threading.main_thread()  # elsewhere it may land in another cell
        shown.append(bundle)
        return Handle(shown)

    fake, fake_display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    fake.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    fake_display.display = display
    monkeypatch.setitem(sys.modules, "IPython", fake)
    monkeypatch.setitem(sys.modules, "IPython.display", fake_display)
    return shown


def test_what_a_notebook_is(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_notebook() and "IPython" not in sys.modules
    terminal = types.ModuleType("IPython")  # of `ipython`: a shell without a kernel
    terminal.get_ipython = lambda: types.SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", terminal)
    assert not in_notebook()
    terminal.get_ipython = lambda: None
    assert not in_notebook()


def test_a_notebook_has_one_line_that_changes(kernel, small, capsys):
    bm.audit(small.test, folds=5)
    assert capsys.readouterr().err == ""
    assert kernel[0]["text/plain"] == ""  # made at once, then changed
    assert "node-index shuffled: 5 in 0" in kernel[-1]["text/plain"] and "steps in" in kernel[-1]["text/plain"]
    before = len(kernel)
    bm.audit(small.test, folds=5, quiet=True)
    assert len(kernel) == before


def test_a_bar_while_it_works(kernel, monkeypatch):
    monkeypatch.setattr("bermuda._notebook.REDRAW", 0.0)
    progress = NotebookProgress()
    progress([], ("a <b>", 1, 4, 2.0, "so & so"))
    assert '<progress max="1" value="0.250">' in kernel[-1]["text/html"]
    assert "a &lt;b&gt; 25 %, 6 s left  so &amp; so" in kernel[-1]["text/html"]
    progress([("a <b>", 4, 8.0)], None)
    assert kernel[-1]["text/plain"] == "a <b>: 4 in 8.0 s" and "<progress" not in kernel[-1]["text/html"]
    shown = len(kernel)
    progress([], None)
    assert len(kernel) == shown


def test_it_is_drawn_seldom(kernel):
    progress = NotebookProgress()
    began = time.monotonic()
    for _ in range(1000):
        progress([], ("a", 1, 4, 2.0, ""))
    assert len(kernel) <= 2 + (time.monotonic() - began) / 0.2


def test_the_program_has_one_line_too(kernel, small, capfd):
    if os.environ.get("BERMUDA_NEURAL") != "ON":
        pytest.skip("built without the neural methods")
    bm.fit("gin", small, max_epochs=1)
    assert capfd.readouterr().err == ""
    assert len(kernel) > 1 and kernel[-1]["text/plain"]


def test_lines_elsewhere(small, capsys):
    bm.audit(small.test, folds=5)
    assert "graphlets-5: 5 in " in capsys.readouterr().err
