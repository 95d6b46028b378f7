#!/usr/bin/env python3
"""Fails when a module includes one below it in the house, or when CMake links one that is.

Usage: layering_test.py SOURCE_DIR
"""
import pathlib
import re
import sys

# Top first: a module may include itself and those before it. verify is kept apart from generate.
HOUSE = ["core", "graph", "dataset", "generate", "verify", "probe", "method", "kernel", "tensor", "nn",
         "train", "bench", "report", "mpi"]
FORBIDDEN = {("verify", "generate"), ("probe", "verify"), ("probe", "generate")}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]bermuda/(\w+)/', re.M)
LINK = re.compile(r"bermuda::(\w+)")


def allowed(module, used):
    return (module, used) not in FORBIDDEN and HOUSE.index(used) <= HOUSE.index(module)


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    checked = 0
    for base in (root / "src", root / "include" / "bermuda"):
        for path in sorted(base.rglob("*")):
            module = path.relative_to(base).parts[0]
            if path.is_dir() or path.suffix not in {".hpp", ".cpp"}:
                continue
            if module not in HOUSE:
                problems.append(f"{path}: module {module} has no place in the house")
                continue
            checked += 1
            for used in INCLUDE.findall(path.read_text()):
                if used not in HOUSE or not allowed(module, used):
                    problems.append(f"{path}: {module} includes {used}")
    for path in sorted((root / "src").glob("*/CMakeLists.txt")):
        module = path.parent.name
        for used in LINK.findall(path.read_text()):
            if used not in HOUSE or not allowed(module, used):
                problems.append(f"{path}: {module} links {used}")
    print("\n".join(problems))
    print(f"{checked} files checked, {len(problems)} problems")
    sys.exit(1 if problems or checked == 0 else 0)


main()
