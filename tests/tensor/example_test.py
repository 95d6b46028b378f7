#!/usr/bin/env python3
"""Fails when the example prints something else than is checked in, or the documentation shows
something else than it prints.

Usage: example_test.py PROGRAM SOURCE_DIR
"""
import difflib
import pathlib
import subprocess
import sys


def main():
    root = pathlib.Path(sys.argv[2])
    printed = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    expected = (root / "examples" / "formaldehyde" / "expected.txt").read_text()
    if printed != expected:
        print("".join(difflib.unified_diff(expected.splitlines(True), printed.splitlines(True),
                                           "expected.txt", "printed")))
        sys.exit(1)
    if printed.strip() not in (root / "docs" / "tensors.md").read_text():
        sys.exit("docs/tensors.md does not show what the example prints")


main()
