#!/usr/bin/env python3
"""How many graphs of one data set have the colours of a graph of another's split train: an upper bound of how many are
isomorphic to one.

Usage: shared_colours.py TRAINED.jsonl ASKED.jsonl     (bermuda convert DATA -o X.jsonl --to jsonl)
"""
import collections
import json
import sys

ROUNDS = 6


def colours(graph):
    """Multiset of the colours that Weisfeiler-Leman refinement ends with."""
    neighbours = [[] for _ in range(graph["nodes"])]
    for edge in graph["edges"]:
        neighbours[edge[0]].append(edge[1])
        neighbours[edge[1]].append(edge[0])
    colour = [0] * len(neighbours)
    for _ in range(ROUNDS):
        colour = [hash((own, tuple(sorted(colour[other] for other in heard)))) for own, heard in zip(colour, neighbours)]
    return tuple(sorted(colour))


def read(file):
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main(trained, asked):
    of_split = collections.defaultdict(list)
    for graph in read(trained):
        of_split[graph.get("split", "all")].append(colours(graph))
    known = set(of_split["train"])
    others = {"its own test split": of_split["test"], "the other data set": [colours(graph) for graph in read(asked)]}
    for name, graphs in others.items():
        shared = sum(graph in known for graph in graphs)
        print(f"{name}: {shared} of {len(graphs)} graphs have the colours of one of {len(of_split['train'])} training graphs")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
