#!/usr/bin/env python3
"""Could a method tell twins apart, and did it learn to? For every task of `bermuda bench regimes`.

Usage: could_or_learnt.py ask PROGRAM COULD.json      asks every method before it has learnt anything: half an hour;
                                                      goes on where it was stopped
       could_or_learnt.py table REGIMES.json [COULD.json]   as docs/more-tasks.md has them
       could_or_learnt.py twins PAIRS.json            both twins right, every method: the table of docs/pairs.md
REGIMES.json is `bermuda bench regimes --export json`, PAIRS.json that of `bermuda bench benchmarks/pairs.toml`.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PAIRS = 500
FEW_PAIRS = 50  # for what is asked a thousand times about each graph
# The Transformer starts with index vectors that are almost alike: with others, what a graph does to the answer drowns
# in what the numbering does, and so many draws do not find it.
METHODS = {"svm-wl": "svm-wl", "svm-graphlet": "svm-graphlet-exact", "gcn+d": "gcn+d", "gin+d": "gin+d",
           "gat+d": "gat+d", "tf+am": "tf+am:start=alike"}
DRAWN = {"tf+am"}


def asked(program, twins, method, few):
    words = [program, "expressivity", twins, "--methods", method, "--weights", "2" if few else "1", "--quiet", "--json"]
    found = json.loads(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout)
    one = found["methods"][0]
    return {"asked": method, "how": one["how"], "at_least": one["at_least"], "pairs": found["pairs"],
            "told_apart": one["told_apart"], "control": one["control"]}


def ask(program, out):
    file = pathlib.Path(out)
    found = json.loads(file.read_text()) if file.exists() else {"same": "degrees", "seed": 1, "tasks": {}}
    listed = json.loads(subprocess.run([program, "tasks", "--json"], check=True, capture_output=True, text=True).stdout)
    for task in [one["name"] for one in listed["tasks"]]:
        if task in found["tasks"]:
            continue
        with tempfile.TemporaryDirectory(prefix="bermuda-") as folder:
            sets = {}
            for count in (PAIRS, FEW_PAIRS):
                sets[count] = pathlib.Path(folder, str(count))
                subprocess.run([program, "pairs", task, "--same", "degrees", "--count", str(count), "--seed", "1",
                                "-o", sets[count], "--quiet"], check=True, stdout=subprocess.DEVNULL)
            found["tasks"][task] = {
                row: asked(program, sets[FEW_PAIRS if row in DRAWN else PAIRS], method, row in DRAWN)
                for row, method in METHODS.items()}
        print(task, {row: one["told_apart"] for row, one in found["tasks"][task].items()}, flush=True)
        unfinished = file.with_name(file.name + ".new")
        unfinished.write_text(json.dumps(found, indent=1) + "\n")
        unfinished.replace(file)


def share(part, whole):
    """In per cent; 100 is all of them."""
    return f"{min(round(100 * part / whole), 100 if part == whole else 99)}"


def could_text(one):
    return "" if one is None else ("≥ " if one["at_least"] else "") + share(one["told_apart"], one["pairs"]) + ": "


def learnt_text(result):
    if result is None:
        return ""
    answers = {one["name"]: one for one in result["asked"]}
    twins, twice = answers["twins"], answers["twice"]
    return (f"{100 * result['test']['accuracy']:.1f} / {share(2 * twins['both_right'], twins['count'])} / "
            f"{100 * twice['accuracy']:.0f}")


def table(regimes_file, could_file=None):
    could = json.loads(pathlib.Path(could_file).read_text())["tasks"] if could_file else {}
    stored = json.loads(pathlib.Path(regimes_file).read_text())
    tasks = dict.fromkeys(data for _, data, *_ in stored["grids"][0]["entries"])
    learnt = {(run["data"], run["method"]): run["result"] for run in stored["runs"] if run["state"] == "done"}
    print("| task | " + " | ".join(f"`{row}`" for row in METHODS) + " |")
    print("|---" * (len(METHODS) + 1) + "|")
    for task in tasks:
        cells = [could_text(could.get(task, {}).get(row)) + learnt_text(learnt.get((task, row))) for row in METHODS]
        print(f"| `{task}` | " + " | ".join(cells) + " |")


def twins(pairs_file):
    stored = json.loads(pathlib.Path(pairs_file).read_text())
    data = dict.fromkeys(data for _, data, *_ in stored["grids"][0]["entries"])
    rows = dict.fromkeys(row for row, *_ in stored["grids"][0]["entries"])
    found = {(run["method"], run["data"]): run["result"] for run in stored["runs"]}
    sets = [one["name"] for one in next(iter(found.values()))["asked"]]
    print("| method | " + " | ".join(f"{name}: accuracy | " + " | ".join(f"`{one}`" for one in sets) for name in data) + " |")
    print("|---" + "|--:" * len(data) * (1 + len(sets)) + "|")
    for row in rows:
        cells = []
        for name in data:
            result = found[row, name]
            cells += [100 * result["test"]["accuracy"], *(200 * one["both_right"] / one["count"] for one in result["asked"])]
        print(f"| `{row}` | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")


if len(sys.argv) == 4 and sys.argv[1] == "ask":
    ask(*sys.argv[2:])
elif len(sys.argv) in (3, 4) and sys.argv[1] == "table":
    table(*sys.argv[2:])
elif len(sys.argv) == 3 and sys.argv[1] == "twins":
    twins(sys.argv[2])
else:
    sys.exit(__doc__)
