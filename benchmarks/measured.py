#!/usr/bin/env python3
"""Figures of the docs that come from single commands: what they say, kept as JSON, and the tables made of it.

Usage: measured.py tasks PROGRAM > docs/results/tasks.json      the nine more tasks at full size: filter, verify, audit
       measured.py pairs PROGRAM > docs/results/yields.json     10,000 twin pairs of either task, by what they agree in
       measured.py explain PROGRAM MODELS > docs/results/explain.json
                                     what tf+am attends to; MODELS as released.sh keeps them
       measured.py filters | ladder | yields | attention FILE   tables of these, for docs_tables.py
One core: tasks takes 5 minutes, pairs 3, explain one.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

TASKS = ("cycle-k", "clique-k", "connected", "bridge", "bipartite", "planar", "diameter", "isomorphic-pair", "csl")
PAPERS = ("triangles", "clique-distance")
SAME = ("degrees", "wl-1", "degree-pairs", "wl-2", "wl-3", "wl-4", "wl-6")
COUNT = 10000


class Program:
    def __init__(self, path, folder):
        self._path, self._folder = pathlib.Path(path).absolute(), folder

    def asked(self, *words):
        """What a command says as JSON; `folder` of the words are below one of our own."""
        done = subprocess.run([self._path, *words, "--json", "--quiet", "--threads", "1"], cwd=self._folder, check=True,
                              stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)


def told(text):
    """So that a long run can be watched."""
    print(text, file=sys.stderr, flush=True)


def tasks(program):
    found = {}
    for task in TASKS:
        made = program.asked("dataset", task, "-o", task, "--seed", "1")
        audit = program.asked("audit", task)
        found[task] = {"command": f"bermuda dataset {task} -o D --seed 1; bermuda verify D; bermuda audit D",
                       "filter": made["provenance"]["filter"],
                       "problems": program.asked("verify", task)["problems"],
                       "audit": {probe["name"]: probe["accuracy"] for probe in audit["probes"]}}
        told(task)
    return found


def repeats(program, data):
    """How many graphs are isomorphic to an earlier one."""
    audit = program.asked("audit", data, "--folds", "2", "--wl-rounds", "1", "--graphlets", "3")
    return audit["graphs"] - audit["isomorphs"]["classes"]


def pairs(program):
    found = {}
    for task in PAPERS:
        for same in SAME:
            name = f"{task}-{same}"
            made = program.asked("pairs", task, "--same", same, "--count", str(COUNT), "-o", name, "--seed", "1")
            found.setdefault(task, {})[same] = {
                "command": f"bermuda pairs {task} --same {same} --count {COUNT} -o DIR --seed 1",
                "problems": program.asked("verify", name)["problems"],
                "mean_nodes": made["splits"]["all"]["mean_nodes"],
                "repeats": repeats(program, name),
                **made["provenance"]["pairs"]}
            told(name)
    return found


def explain(program, models):
    found = {}
    for task in PAPERS:
        data, run = f"{models}/{task}", f"{models}/tf+am-{task}"
        layers = {}
        for name, words in [*((str(layer), ["--layers", str(layer)]) for layer in range(1, 5)), ("all", [])]:
            layers[name] = program.asked("explain", run, data, "--split", "test", *words)
        found[task] = {"command": f"bermuda train tf+am {task} -o run --fold 0; "
                                  f"bermuda explain run {task} --split test [--layers L]", "layers": layers}
        told(task)
    return found


def percent(share):
    return f"{100 * share:.1f}"


def filters(found):
    print("| task | before the filter | confident | after the filter | trained on train, tested on test |\n|---|---|---|---|---|")
    for task, one in found.items():
        before, after = one["filter"]["before"], one["filter"]["after"]
        figures = (before["accuracy"], before["coverage"], after["accuracy"], one["filter"]["after_train_to_test"])
        print(f"| `{task}` | {' | '.join(map(percent, figures))} |")


def ladder(found):
    names = list(next(iter(found.values()))["audit"])
    print(f"| task | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for task, one in found.items():
        print(f"| `{task}` | {' | '.join(percent(one['audit'][name]) for name in names)} |")


def yields(found):
    print("| `--same` | " + " | ".join(f"{task} | one switch | mean nodes | isomorphic to an earlier one" for task in PAPERS) + " |")
    print("|---|" + "---|---|---|---|" * len(PAPERS))
    for same in SAME:
        line = []
        for task in PAPERS:
            one = found[task][same]
            switches = collections.Counter({int(count): times for count, times in one["switches"].items()})
            line += [f"{one['way']}, {percent(one['count'] / one['attempts'])} %", f"{percent(switches[1] / one['count'])} %",
                     f"{one['mean_nodes']:.1f}", f"{one['repeats']:,}"]
        print(f"| `{same}` | {' | '.join(line)} |")


def attention(found):
    print("| layers | triangles: in the witness | all three are the triangle | clique-distance: in the witness |\n|---|---|---|---|")
    first, second = (found[task]["layers"] for task in PAPERS)
    for name in first:
        one, other = first[name]["with_witness"], second[name]["with_witness"]
        print(f"| {name} | {percent(one['share'])} % | {percent(one['all'])} % | {percent(other['share'])} % |")
    one, other = first["all"]["with_witness"], second["all"]["with_witness"]
    print(f"| three edges at random | {percent(one['share_random'])} % | {percent(one['all_random'])} % | "
          f"{percent(other['share_random'])} % |")


def main(part, path, *more):
    measured = {"tasks": tasks, "pairs": pairs, "explain": explain}
    if part in measured:
        with tempfile.TemporaryDirectory() as folder:
            found = measured[part](Program(path, folder), *(pathlib.Path(one).absolute() for one in more))
        print(json.dumps(found, indent=1))
        return
    with open(path, encoding="utf-8") as file:
        {"filters": filters, "ladder": ladder, "yields": yields, "attention": attention}[part](json.load(file))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
