#!/usr/bin/env python3
"""Fails when clang-format would change a file. Skips, saying why, where there is no clang-format 14:
other versions lay out some lines differently.

Usage: format_test.py SOURCE_DIR
"""
import pathlib
import shutil
import subprocess
import sys

FOLDERS = ["app", "benchmarks", "examples", "include", "python", "src", "tests"]
SKIPPED = 77


def main():
    root = pathlib.Path(sys.argv[1])
    program = shutil.which("clang-format-14")
    if program is None:
        print("skipped: there is no clang-format-14")
        sys.exit(SKIPPED)
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")
                   if path.suffix in {".hpp", ".cpp"})
    done = subprocess.run([program, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error: " in line})
    for path in wrong:
        print(f"{path}: not formatted; clang-format-14 -i does it")
    print(f"{len(files)} files checked, {len(wrong)} not formatted")
    sys.exit(1 if wrong or done.returncode != 0 or not files else 0)


main()
