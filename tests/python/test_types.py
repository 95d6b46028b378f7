"""The package is typed, and the stub of the extension says what is there."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
BUILT = pathlib.Path(importlib.util.find_spec("bermuda").origin).parents[1]

pytest.importorskip("mypy")


def run(*words, folder):
    environment = {**os.environ, "MYPYPATH": str(BUILT)}
    done = subprocess.run([sys.executable, "-m", *map(str, words)], cwd=folder, env=environment, text=True,
                          capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types(tmp_path):
    cache = pathlib.Path(os.environ["BERMUDA_BUILD"], "mypy")  # numpy's types take long, the first time
    run("mypy", "--config-file", HERE / "mypy.ini", "--cache-dir", cache, "-p", "bermuda", folder=tmp_path)


def test_stub(tmp_path):
    run("mypy.stubtest", "--mypy-config-file", HERE / "mypy.ini", "--allowlist", HERE / "stubtest_allowed.txt",
        "bermuda._bermuda", folder=tmp_path)
