"""The program, for methods of plug-ins: the neural ones need LibTorch, of which the user's process may
hold another version."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

from . import _bermuda

TAIL = 2000  # characters of what it said last


def program() -> str:
    """$BERMUDA_PROGRAM, the one of this build or installation, or the one in PATH."""
    package = pathlib.Path(__file__).resolve().parent
    near = [package / "_prefix/bin/bermuda", package.parents[1] / "app/bermuda"]
    for path in filter(None, [os.environ.get("BERMUDA_PROGRAM"), *near, shutil.which("bermuda")]):
        if os.access(path, os.X_OK):
            return str(path)
    raise _bermuda.Error("the program bermuda was not found: set BERMUDA_PROGRAM to its path")


def run_json(*words: object, quiet: bool = True) -> Any:
    """What a command prints with --json. Ctrl-C stops it too, and is waited for."""
    command = [program(), *map(str, words), "--json", *(["--quiet"] if quiet else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            said = _forward(child, quiet)
            assert child.stdout is not None
            answer = child.stdout.read()
        except BaseException:
            child.terminate()
            raise
    if child.returncode != 0:
        message = said.strip().splitlines()[-1].removeprefix("bermuda: ") if said.strip() else "the program failed"
        raise (_bermuda.UsageError if child.returncode == 2 else _bermuda.Error)(message)
    return json.loads(answer)


def _forward(child: subprocess.Popen[str], quiet: bool) -> str:
    """The result is one object and small: it waits in its pipe while progress is shown."""
    tail = ""
    assert child.stderr is not None
    for line in child.stderr:
        if not quiet:
            sys.stderr.write(line)
            sys.stderr.flush()
        tail = (tail + line)[-TAIL:]
    return tail
