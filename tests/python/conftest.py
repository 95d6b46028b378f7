"""What all tests of the package share."""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

import bermuda as bm

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "app"))  # pinned.py

SMALL = {"candidates": 4000, "train": 400, "valid": 60, "test": 60}


class Program:
    """The command line, which the package must agree with."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def run(self, *words: object) -> str:
        command = [os.environ["BERMUDA_PROGRAM"], *map(str, words), "--quiet"]
        return subprocess.run(command, cwd=self.folder, check=True, text=True, capture_output=True, timeout=300).stdout

    def json(self, *words: object):
        return json.loads(self.run(*words, "--json"))


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture(scope="session")
def small():
    """A small data set with splits and witnesses."""
    return bm.make("triangles", seed=3, quiet=True, **SMALL)


@pytest.fixture(scope="session")
def tu():
    """The folder of the TU data sets."""
    named = os.environ.get("BERMUDA_SHARED_DATA")
    folder = pathlib.Path(named) if named else TESTS.parents[1] / "shared" / "data"
    if not (folder / "TU" / "MUTAG").is_dir():
        pytest.skip(f"there is no TU/MUTAG in {folder}")
    return folder / "TU"


def same_graphs(left, right) -> bool:
    """Structure, labels and attributes; not ids and classes."""

    def parts(graph):
        optional = [graph.node_labels, graph.edge_labels, graph.attributes]
        return [graph.n, graph.edges.tolist(), *(None if one is None else one.tolist() for one in optional)]

    return len(left) == len(right) and all(parts(a) == parts(b) for a, b in zip(left, right))
