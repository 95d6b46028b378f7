#!/usr/bin/env python3
"""By hand, for it takes minutes: every path of test_references.py under valgrind. Tells what was read or written that is
not ours, and what was lost, where a library of ours is on the stack; what Python and NumPy do for themselves is left out.

    ./bermuda python tests/python/valgrind.py         exit code 1 when something was found
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

BODY = """
import gc, sys, warnings
sys.path.insert(0, {here!r})
warnings.simplefilter("ignore")
import test_references as references
for name, body in references.PATHS.items():
    body(), body(), body()
    print(name, flush=True)
gc.collect()
"""
SERIOUS = {"InvalidRead", "InvalidWrite", "InvalidFree", "MismatchedFree", "InvalidJump", "Overlap", "InvalidMemPool",
           "UninitCondition", "UninitValue", "SyscallParam", "Leak_DefinitelyLost"}


KNOWN = [line.partition("leak:")[2].strip() for line in
         (pathlib.Path(__file__).resolve().parents[1] / "leaks.supp").read_text().splitlines() if line.startswith("leak:")]


def is_ours(error: xml.Element) -> bool:
    """Not a leak of other people's libraries that tests/leaks.supp names."""
    places = [place.text for frame in error.iterfind("stack/frame") for place in frame if place.text]
    if error.findtext("kind").startswith("Leak") and any(name in place for name in KNOWN for place in places):
        return False
    return any("bermuda" in frame.text for frame in error.iterfind("stack/frame/obj"))


def text_of(error: xml.Element) -> str:
    lines = [error.findtext("kind") + ": " + (error.findtext("what") or error.findtext("xwhat/text") or "")]
    for frame in error.iterfind("stack/frame"):
        place = frame.findtext("file") or pathlib.Path(frame.findtext("obj") or "?").name
        lines.append(f"    {frame.findtext('fn') or '?'} ({place}:{frame.findtext('line') or '?'})")
    return "\n".join(lines)


def main() -> int:
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        command = ["valgrind", "--leak-check=full", "--show-leak-kinds=definite", "--num-callers=40", "--xml=yes",
                   f"--xml-file={report.name}", sys.executable, "-c",
                   BODY.format(here=str(pathlib.Path(__file__).resolve().parent))]
        # One block per object, and no thread of a BLAS in the way.
        environment = {**os.environ, "PYTHONMALLOC": "malloc", "OPENBLAS_NUM_THREADS": "1"}
        code = subprocess.run(command, env=environment).returncode
        errors = list(xml.parse(report.name).getroot().iterfind("error"))
    if code != 0:
        print(f"the script ended with {code}")
        return 1
    ours = [error for error in errors if error.findtext("kind") in SERIOUS and is_ours(error)]
    print(f"{len(errors)} reports, {len(ours)} of them with a library of ours")
    for error in ours:
        print(text_of(error))
    return 1 if ours else 0


if __name__ == "__main__":
    sys.exit(main())
