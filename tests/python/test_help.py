"""help() follows from the parameters of the library: each is there with its default, help and range."""
import inspect
import subprocess
import sys

import pytest

import bermuda as bm
from bermuda.sklearn import GraphClassifier


@pytest.mark.parametrize("function, names", [
    (bm.audit, ["audit"]),
    (bm.make, ["filter", *bm.tasks()]),
    (bm.generate, list(bm.tasks())),
    (bm.fit, [name for name in bm.methods() if name.startswith("svm")]),
    (GraphClassifier, ["svm-wl", "svm-graphlet"]),
])
def test_docstrings_list_the_parameters(function, names):
    text = inspect.getdoc(function)
    assert names
    for name in names:
        for entry in bm.parameters(name):
            line = f"    {entry['name']}={entry['default']!r}: {entry['help']}"
            assert any(told.startswith(line) and entry["range"] in told for told in text.splitlines()), line


def test_signatures_have_them_too():
    audit = inspect.signature(bm.audit).parameters
    for entry in bm.parameters("audit"):
        assert audit[entry["name"]].default == entry["default"]
        assert audit[entry["name"]].kind is inspect.Parameter.KEYWORD_ONLY
    assert list(audit)[:2] == ["graphs", "y"] and audit["seed"].default == 1
    make = inspect.signature(bm.make).parameters
    assert {entry["name"] for entry in bm.parameters("filter")} <= set(make)
    assert make["candidates"].default == 200_000


def test_an_open_parameter_tells_what_holds(small):
    assert "None: drawn from" in inspect.getdoc(bm.make)


def test_importing_starts_nothing():
    """No program, and none of the packages that only some use."""
    script = ("import sys, subprocess; subprocess.Popen = None; import bermuda; "
              "print([name for name in ('networkx', 'scipy', 'sklearn', 'torch', 'IPython') if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", script], check=True, text=True, capture_output=True)
    assert done.stdout == "[]\n"
