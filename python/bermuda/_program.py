"""The program, for methods of plug-ins: the neural ones need LibTorch, of which the user's process may
hold another version."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from . import _bermuda
from ._notebook import NotebookProgress, in_notebook

TAIL = 2000  # characters of what it said last


def program() -> str:
    """$BERMUDA_PROGRAM, the one of this build or installation, or the one in PATH."""
    package = pathlib.Path(__file__).resolve().parent
    # Of a wheel, of a build tree, of an installed prefix (lib/python3/dist-packages).
    near = [str(package / path) for path in ("_prefix/bin/bermuda", "../../app/bermuda", "../../../../bin/bermuda")]
    for path in (os.environ.get("BERMUDA_PROGRAM"), *near, shutil.which("bermuda")):
        if path and os.access(path, os.X_OK):
            return path
    raise _bermuda.Error("the program bermuda was not found: set BERMUDA_PROGRAM to its path")


def run_json(*words: object, quiet: bool = True) -> Any:
    """What a command prints with --json."""
    return json.loads(run_text(*words, "--json", quiet=quiet))


def run_text(*words: object, quiet: bool = True) -> str:
    """What a command prints. Ctrl-C stops it too, and is waited for."""
    command = [program(), *map(str, words), *(["--quiet"] if quiet else [])]
    with tempfile.TemporaryFile("w+") as answer:  # a pipe would fill while progress is read
        with subprocess.Popen(command, stdout=answer, stderr=subprocess.PIPE, text=True) as child:
            try:
                said = _forward(child, quiet).strip()
            except BaseException:
                child.terminate()
                raise
        if child.returncode != 0:
            message = said.split("\n")[-1].removeprefix("bermuda: ") if said else "the program failed"
            raise (_bermuda.UsageError if child.returncode == 2 else _bermuda.Error)(message)
        answer.seek(0)
        return answer.read()


def _forward(child: subprocess.Popen[str], quiet: bool) -> str:
    """Shows what the program says while it works; returns the end of it."""
    tail = ""
    notebook = None if quiet or not in_notebook() else NotebookProgress()
    assert child.stderr is not None
    for line in child.stderr:
        if notebook is not None:
            notebook.say(line)
        elif not quiet and sys.stderr is not None:
            sys.stderr.write(line)
            sys.stderr.flush()
        tail = (tail + line)[-TAIL:]
    return tail
