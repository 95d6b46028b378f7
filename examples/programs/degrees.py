#!/usr/bin/env python3
"""A program as a method: a nearest-centroid classifier on counts of degrees, in plain Python with networkx.

    bermuda train command D1 -o run --command 'python3 examples/programs/degrees.py'
"""
import json
import pathlib
import sys

import networkx as nx

folder = pathlib.Path(sys.argv[-1])  # what bermuda appends to the command
run = json.loads((folder / "run.json").read_text())
MOST = run["options"].get("most_degree", 12)  # `options` of the grid
CENTRES = folder / "model" / "centres.json"  # found again when other graphs are asked about


def graphs_of(split):
    """Id, class (a number, or "?" in test.tsv) and graph of each line."""
    for line in (folder / f"{split}.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        id, label, code = line.split("\t")[:3]
        read = nx.from_sparse6_bytes if code.startswith(":") else nx.from_graph6_bytes
        yield id, label, read(code.encode())


def features(graph):
    counts = [0.0] * (MOST + 1)
    for _, degree in graph.degree():
        counts[min(degree, MOST)] += 1
    return counts


def learn():
    sums, sizes = {}, {}
    for _, label, graph in graphs_of("train"):
        before = sums.setdefault(label, [0.0] * (MOST + 1))
        sums[label] = [a + b for a, b in zip(before, features(graph))]
        sizes[label] = sizes.get(label, 0) + 1
    return {label: [value / sizes[label] for value in total] for label, total in sums.items()}


if run["learn"]:
    CENTRES.write_text(json.dumps(learn()))
centres = json.loads(CENTRES.read_text())

with open(folder / "answers.tsv", "w") as answers:
    for split in ("valid", "test") if run["learn"] else ("test",):
        for id, _, graph in graphs_of(split):
            mine = features(graph)
            far = [sum((a - b) ** 2 for a, b in zip(mine, centres[str(c)])) for c in range(len(run["classes"]))]
            said = run["classes"][far.index(min(far))]
            print(id, said, *(f"{-distance:.6g}" for distance in far), sep="\t", file=answers)
