#!/usr/bin/env python3
"""What a billion candidates would need over the ranks of a team, from measured growth.

Usage: ranks_model.py GROWTH_FILE [CANDIDATES] (the file: output of growth_benchmark at several sizes)

Per graph: making and handing over as at the largest size. Per row of features: rounds and memory. Rows grow by
the power law through the two largest sizes, which is too many: the exponent falls with size. Ranks have one thread,
and a network that carries 1.25 GB/s into each.
"""
import math
import re
import sys

NETWORK = 1.25e9
FOLDS = 10

PATTERN = re.compile(
    r"(?P<task>\S+): (?P<count>\d+) candidates.*?\n"
    r".*?filter (?P<total>[\d.]+) s CPU, peak memory (?P<memory>\d+) MB\n"
    r".*?features [\d.]+ s CPU, round 0 (?P<first>[\d.]+) s, each other (?P<other>[\d.]+) s\n"
    r"\s*(?P<rows>\d+) different rows.*?\n"
    r".*?features (?P<make>[\d.]+) s CPU, hands over (?P<handed>[\d.]+) MB\n"
    r".*?merge (?P<merge>[\d.]+) s CPU; every rank then gets (?P<merged>[\d.]+) MB")


def measured(text):
    """The measurements of each task, by size."""
    tasks = {}
    for match in PATTERN.finditer(text):
        figures = {key: float(value) for key, value in match.groupdict().items() if key != "task"}
        tasks.setdefault(match["task"], []).append(figures)
    return {task: sorted(sizes, key=lambda figures: figures["count"]) for task, sizes in tasks.items()}


def print_model(task, sizes, candidates):
    before, last = sizes[-2:]
    exponent = math.log(last["rows"] / before["rows"]) / math.log(last["count"] / before["count"])
    by_count = candidates / last["count"]
    by_rows = by_count ** exponent
    own = 5e-6 * last["count"]  # MB: row and class of each candidate
    merged = (last["merged"] - own) * by_rows + own * by_count
    memory = last["memory"] * merged / last["merged"]
    handed = last["handed"] * by_count
    merge = last["merge"] * by_count
    print(f"{task}: {candidates:.0e} candidates, {last['rows'] * by_rows / 1e6:.0f} million rows (measured: "
          f"{last['rows'] / 1e6:.1f} of {last['count'] / 1e6:.0f} million, exponent {exponent:.2f})")
    print(f"  to rank 0 {handed / 1e3:.0f} GB, to each rank {merged / 1e3:.0f} GB, memory of a rank "
          f"{memory / 1e3:.0f} GB")
    print("  ranks   make   hand over   merge (rank 0)   send   round 0   other rounds   hours")
    for ranks in (1, 2, 4, 10, 16, 64):
        make = last["make"] * by_count / ranks
        over = handed * 1e6 * (ranks - 1) / ranks / NETWORK
        send = merged * 1e6 / NETWORK * math.ceil(math.log2(ranks))
        first = last["first"] * by_rows
        others = last["other"] * by_rows * math.ceil((FOLDS - 1) / ranks)
        # Making, handing over and merging go on at the same time; rank 0 makes less when it merges.
        collect = max((make * ranks + merge) / ranks, over, merge)
        total = collect + send + first + others
        print(f"  {ranks:5}  {make:5.0f}   {over:9.0f}   {merge:14.0f}   {send:4.0f}   {first:7.0f}   {others:12.0f}   "
              f"{total / 3600:5.2f}")


if __name__ == "__main__":
    with open(sys.argv[1]) as growth:
        found = measured(growth.read())
    for name, by_size in found.items():
        if len(by_size) > 1:
            print_model(name, by_size, float(sys.argv[2]) if len(sys.argv) > 2 else 1e9)
