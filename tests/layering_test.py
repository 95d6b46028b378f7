#!/usr/bin/env python3
"""Fails when a module uses one that CMake does not say it depends on, or when the house has a cycle.

What a public header includes must be reachable through DEPENDS; a source may also use what its
PRIVATE ones give. A module may depend only on those that src/CMakeLists.txt adds before it.

Usage: layering_test.py SOURCE_DIR
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]bermuda/(\w+)/', re.M)
MODULE = re.compile(r"bermuda_module\((\w+)([^)]*)\)")
# Verification must not share code with what it verifies, and data must not know its judges.
APART = [("verify", "generate"), ("probe", "generate"), ("probe", "verify"), ("kernel", "probe"),
         ("probe", "kernel")]


def without_comments(text):
    return re.sub(r"#.*", "", text)


def declared(text):
    """Of one CMakeLists.txt: name, public and private dependencies among our modules."""
    found = MODULE.search(without_comments(text))
    if found is None:
        return None
    name, words = found.group(1), found.group(2).split()
    parts = {"DEPENDS": set(), "PRIVATE": set()}
    part = None
    for word in words:
        if word.isupper():
            part = word
        elif word.startswith("bermuda::") and part in parts:
            parts[part].add(word.removeprefix("bermuda::"))
    return name, parts["DEPENDS"], parts["PRIVATE"]


def reachable(module, public):
    seen, todo = set(), [module]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += public.get(one, ())
    return seen


def problems_of(root):
    public, private = {}, {}
    for path in sorted((root / "src").glob("*/CMakeLists.txt")):
        found = declared(path.read_text())
        if found is not None:
            public[found[0]], private[found[0]] = found[1], found[2]
    order = re.findall(r"add_subdirectory\((\w+)\)", without_comments((root / "src/CMakeLists.txt").read_text()))
    problems = []
    for module in public:
        for used in public[module] | private[module]:
            if used not in order or order.index(used) >= order.index(module):
                problems.append(f"src/{module}: depends on {used}, which is not added before it")
        everything = reachable(module, public).union(*(reachable(one, public) for one in private[module]))
        problems += [f"src/{module}: reaches {other}, from which it must stay apart"
                     for one, other in APART if one == module and other in everything]
    checked = 0
    for base, is_public in ((root / "src", False), (root / "include" / "bermuda", True)):
        for path in sorted(base.glob("*/**/*")):
            module = path.relative_to(base).parts[0]
            if path.suffix not in {".hpp", ".cpp"} or module == "mpi":
                continue
            if module not in public:
                problems.append(f"{path}: module {module} is not declared by bermuda_module()")
                continue
            checked += 1
            allowed = reachable(module, public)
            if not is_public:
                allowed = allowed.union(*(reachable(one, public) for one in private[module]))
            problems += [f"{path}: {module} includes {used}, which it does not depend on"
                         for used in INCLUDE.findall(path.read_text()) if used not in allowed]
    return checked, problems


def main():
    checked, problems = problems_of(pathlib.Path(sys.argv[1]))
    print("\n".join(problems))
    print(f"{checked} files checked, {len(problems)} problems")
    sys.exit(1 if problems or checked == 0 else 0)


main()
