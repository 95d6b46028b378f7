#!/usr/bin/env python3
"""Tables in README.md and docs that come from docs/results: between <!-- NAME --> and <!-- end of NAME -->.

Usage: docs_tables.py BERMUDA            writes them anew
       docs_tables.py BERMUDA --check    names those that are not what the stored results say; exit code 1
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Page, name of the table, what makes it: "report", or a part of a program of this folder; stored results.
TABLES = [
    ("README.md", "table 1", ["report"], ["table1"]),
    ("README.md", "table 2", ["report"], ["table2"]),
    ("README.md", "hours of table 1", ["cells.py", "hours"], ["table1"]),
    ("README.md", "hours of table 2", ["cells.py", "hours"], ["table2"]),
    ("docs/bench.md", "controls", ["report"], ["controls"]),
    ("docs/bench.md", "permuted", ["report"], ["permuted"]),
    ("docs/methods.md", "kernels", ["report"], ["kernels"]),
    ("docs/cells.md", "as text", ["report"], ["as_text"]),
    ("docs/cells.md", "cliques as text", ["report"], ["as_text_cliques"]),
    ("docs/cells.md", "fewer", ["report"], ["fewer"]),
    ("docs/cells.md", "unlabelled", ["report"], ["unlabelled"]),
    ("docs/cells.md", "readings", ["report"], ["cells"]),
    ("docs/cells.md", "far", ["cells.py", "far"], ["table1"]),
    ("docs/cells.md", "cut", ["cells.py", "cut"], ["table1"]),
    ("docs/cells.md", "f1", ["cells.py", "f1"], ["table2"]),
    ("docs/cells.md", "molecules", ["report"], ["molecules"]),
    ("docs/neural.md", "norms", ["cells.py", "norms"], ["norms"]),
    ("docs/neural.md", "trials", ["cells.py", "trials"], ["trials"]),
    ("docs/neural.md", "chosen", ["cells.py", "chosen"], ["trials"]),
    ("docs/transformer.md", "wrong", ["cells.py", "wrong"], ["table1"]),
    ("docs/transformer.md", "draws", ["cells.py", "draws"], ["table1"]),
    ("docs/transformer.md", "released", ["cells.py", "released"], ["released.txt"]),
    ("docs/more-tasks.md", "filters", ["measured.py", "filters"], ["tasks"]),
    ("docs/more-tasks.md", "ladder", ["measured.py", "ladder"], ["tasks"]),
    ("docs/more-tasks.md", "regimes", ["could_or_learnt.py", "table"], ["regimes", "could"]),
    ("docs/pairs.md", "yields", ["measured.py", "yields"], ["yields"]),
    ("docs/pairs.md", "twins", ["could_or_learnt.py", "twins"], ["pairs"]),
]


def made(program, maker, results):
    files = [ROOT / "docs/results" / (name if "." in name else f"{name}.json") for name in results]
    if maker == ["report"]:
        words = [program, "report", *files, "--format", "markdown"]
    else:
        words = [sys.executable, ROOT / "benchmarks" / maker[0], *maker[1:], *files]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def main(program, check=False):
    stale = []
    for page, name, maker, results in TABLES:
        text = (ROOT / page).read_text(encoding="utf-8")
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        told = re.search(re.escape(begin) + "(.*?)" + re.escape(end), text, re.S)
        if told is None:
            sys.exit(f"{page}: no {begin.strip()} ... {end}")
        table = made(program, maker, results)
        if told[1] == table:
            continue
        stale.append(f"{page}: {name}")
        if not check:
            text = text[:told.start(1)] + table + text[told.end(1):]
            (ROOT / page).write_text(text, encoding="utf-8")
    print("\n".join(stale))
    return 1 if check and stale else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], check="--check" in sys.argv[2:]))
