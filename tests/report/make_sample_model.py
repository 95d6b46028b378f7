#!/usr/bin/env python3
"""Writes sample_model.json, on which the report page is developed and tested.

Figures of the runs are invented, near those of README.md; manifests, audits and drawings are real.
Usage: make_sample_model.py BERMUDA TRIANGLES CLIQUE_DISTANCE [--folds N] > sample_model.json
TRIANGLES and CLIQUE_DISTANCE are folders made by `bermuda dataset`; more folds make a bigger model.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

# method: (triangles ours, paper; clique-distance ours, paper)
METHODS = {
    "svm-wl": (56.8, 67.2, 77.7, 73.1),
    "svm-graphlet": (99.8, 99.6, 54.4, 60.3),
    "gcn": (50.0, 50.0, 50.0, 50.0),
    "gcn+d": (78.5, 75.7, 98.9, 83.2),
    "gin+d": (74.9, 75.0, 100.0, 99.4),
    "gat+d": (91.6, 88.5, 100.0, 99.9),
    "tf": (97.9, 100.0, 49.8, 70.0),
    "tf+am": (99.6, 100.0, 98.4, 100.0),
    "tf-is+am": (85.7, None, None, None),
}
DATA = ["triangles", "clique-distance"]
random.seed(4)


def confusion_of(accuracy):
    if abs(accuracy - 0.5) < 0.004:
        return [[500, 0], [500, 0]]
    wrong = round(1000 * (1 - accuracy))
    first = round(wrong * random.uniform(0.3, 0.7))
    return [[500 - first, first], [wrong - first, 500 - wrong + first]]


def curve_of(accuracy, epochs):
    columns = {name: [] for name in
               ("epoch", "train_loss", "train_accuracy", "validation_loss", "validation_accuracy")}
    start = random.uniform(4, 22)
    for epoch in range(1, epochs + 1):
        rise = 1 / (1 + math.exp(-(epoch - start) / 5))
        noise = random.gauss(0, 0.012) * (1 - 0.7 * epoch / epochs)
        validation = 0.5 + (accuracy - 0.5) * rise + (noise if accuracy > 0.51 else 0)
        train = min(1, validation + 0.03 * rise * (accuracy > 0.51) * epoch / epochs)
        columns["epoch"].append(epoch)
        columns["train_accuracy"].append(round(train, 4))
        columns["validation_accuracy"].append(round(min(1, validation), 4))
        columns["train_loss"].append(round(0.693 * (1 - rise * (2 * accuracy - 1) * 0.97), 4))
        columns["validation_loss"].append(
            round(0.693 * (1 - rise * (2 * accuracy - 1) * 0.9) + abs(noise), 4))
    return columns


def last_of(accuracy):
    """Some runs have lost a little, or a lot, by their last epoch."""
    last = max(0.5, round(accuracy - abs(random.gauss(0, 0.01)) - 0.2 * (random.random() < 0.2), 3))
    return {"accuracy": last, "macro_f1": last, "positive_f1": last, "confusion": confusion_of(last)}


def run_of(data, method, fold):
    ours = METHODS[method][2 * DATA.index(data)]
    accuracy = min(1, round(ours / 100 + random.gauss(0, 0.006) * (ours not in (50, 100)), 3))
    run = {"data": data, "method": method, "fold": fold, "seed": 1, "options": {},
           "epochs": None, "best_epoch": None, "accuracy": accuracy, "macro_f1": accuracy,
           "positive_f1": accuracy, "validation_accuracy": accuracy,
           "seconds": round(random.uniform(8, 900), 1), "host": "sample", "program_version": "0.1.0",
           "confusion": confusion_of(accuracy), "chosen": {"C": 10.0}, "error": None, "last": None}
    if not method.startswith("svm"):
        epochs = random.randint(80, 150)
        run |= {"epochs": epochs, "best_epoch": epochs - random.randint(1, 20),
                "chosen": {"learning_rate": 0.001}, "options": {"batch": 64},
                "curve": curve_of(accuracy, epochs), "last": last_of(accuracy)}
    return run


def table_of(title, metric, name, runs, epoch="kept"):
    rows = []
    for method in METHODS:
        cells = []
        for column, data in enumerate(DATA):
            mine = [run for run in runs if run["method"] == method and run["data"] == data and not run["error"]]
            if not mine:
                cells.append(None)
                continue
            tested = [run["last"] or run if epoch == "last" else run for run in mine]
            values = [100 * test[metric] for test in tested]
            mean = sum(values) / len(values)
            deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1))
            half = 2.5 * deviation
            paper = METHODS[method][2 * column + 1] if metric == "accuracy" else None
            best = {0: ("svm-graphlet",), 1: ("gin+d", "gat+d")}[column]
            cells.append({
                "mean": round(mean, 2), "sd": round(deviation, 2), "low": round(mean - half, 2),
                "high": round(min(100, mean + half), 2),
                "runs": [{"fold": run["fold"], "seed": run["seed"], "figure": round(value, 2)}
                         for run, value in zip(mine, values)],
                "one_class": sum(all(row[1] == 0 for row in test["confusion"]) for test in tested),
                "paper": paper, "difference": None if paper is None else round(mean - paper, 2),
                "mark": "best" if method in best else "same" if method == "tf+am" else "",
                "failed": int(method == "gcn+d" and column == 0)})
        rows.append({"method": method, "cells": cells})
    return {"title": title, "metric": metric, "metric_name": name,
            "paper": "Tolmachev et al. 2021, Table 1" if metric == "accuracy" else None,
            "columns": DATA, "rows": rows, "epoch": epoch,
            "notes": ["Sample figures: invented, to try the page on."]}


def breakdowns():
    bins = {"triangles": [("nodes", "Accuracy by number of nodes", ["6-8", "9-11", "12-14", "15-17", "18-20"])],
            "clique-distance": [
                ("nodes", "Accuracy by number of nodes", ["8-12", "13-15", "16-18", "19-22"]),
                ("witness distance", "Accuracy by distance between the cliques",
                 ["1", "2", "3", "4", "5", "6 or more"])]}
    for data, parts in bins.items():
        for by, title, names in parts:
            counts = [random.randint(80, 320) for _ in names]
            methods = []
            for method, figures in METHODS.items():
                ours = figures[2 * DATA.index(data)]
                if ours is None:
                    continue
                slope = 0 if ours in (50, 100) else 0.06
                shares = [ours / 100 + slope * (0.5 - i / (len(names) - 1)) + random.gauss(0, 0.01)
                          for i in range(len(names))]
                methods.append({"method": method, "right": [
                    round(n * max(0, min(1, share))) for n, share in zip(counts, shares)]})
            yield {"data": data, "by": by, "title": title, "bins": names, "counts": counts,
                   "methods": methods}


def comparison_of(data):
    names = [m for m in METHODS if METHODS[m][2 * DATA.index(data)] is not None]
    p = [[None] * len(names) for _ in names]
    for i, first in enumerate(names):
        for j in range(i):
            gap = abs(METHODS[first][2 * DATA.index(data)] - METHODS[names[j]][2 * DATA.index(data)])
            p[i][j] = p[j][i] = None if gap == 0 else round(min(1, math.exp(-gap * random.uniform(0.5, 2))), 5)
    return {"data": data, "test": "corrected resampled t", "methods": names, "p": p}


class Program:
    def __init__(self, path):
        self.path = path

    def draw(self, folder, graph):
        with tempfile.TemporaryDirectory() as place:
            svg = pathlib.Path(place) / "graph.svg"
            answer = subprocess.run([self.path, "draw", folder, "--graph", graph, "-o", svg, "--json"],
                                    check=True, capture_output=True, text=True)
            return json.loads(answer.stdout), svg.read_text()

    def audit(self, folder):
        answer = subprocess.run([self.path, "audit", folder, "--json", "--quiet"], check=True,
                                capture_output=True, text=True)
        report = json.loads(answer.stdout)
        probes = [{"name": p["name"], "features": p["features"], "accuracy": p["accuracy"],
                   "low": p["interval"][0], "high": p["interval"][1], "macro_f1": p["macro_f1"]}
                  for p in report["probes"]]
        summary = report["summary"]
        return {"probes": probes, "verdicts": [summary] if isinstance(summary, str) else summary}


def ids_of(folder, label):
    lines = (pathlib.Path(folder) / "test.tsv").read_text().splitlines()
    return [line.split("\t")[0] for line in lines if line.split("\t")[1:2] == [label]]


def card_of(program, folder):
    manifest = json.loads((pathlib.Path(folder) / "manifest.json").read_text())
    kept = manifest["filter"]
    return {"name": manifest["name"], "classes": manifest["classes"],
            "meanings": manifest["class_meanings"],
            "splits": [{k: s[k] for k in ("name", "graphs", "mean_nodes", "mean_edges", "class_counts")}
                       for s in manifest["splits"]],
            "recipe": manifest["parameters"] | {"seed": manifest["seed"]},
            "checksum": manifest["splits"][0]["sha256"],
            "filter": {k: kept[k] for k in ("candidates", "before", "after", "hit_histogram", "kept_histogram")},
            "audit": program.audit(folder),
            "examples": [{"class": c, "svg": program.draw(folder, ids_of(folder, c)[2])[1]}
                         for c in manifest["classes"]]}


def gallery_of(program, data, folder, method, wrong, kinds):
    graphs = []
    for truth, count in kinds:
        for graph in ids_of(folder, truth)[5:5 + count]:
            facts, svg = program.draw(folder, graph)
            graphs.append({"id": graph, "truth": truth, "said": "1" if truth == "0" else "0",
                           "nodes": facts["nodes"], "edges": facts["edges"], "svg": svg})
    return {"data": data, "method": method, "fold": 0, "wrong": wrong, "tested": 1000, "graphs": graphs}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("triangles")
    parser.add_argument("clique")
    parser.add_argument("--folds", type=int, default=5)
    arguments = parser.parse_args()
    program = Program(arguments.program)
    runs = [run_of(data, method, fold) for i, data in enumerate(DATA) for method in METHODS
            if METHODS[method][2 * i] is not None for fold in range(arguments.folds)]
    failed = next(run for run in runs if run["method"] == "gcn+d")
    failed |= {"error": "the loss is not finite in epoch 3", "accuracy": None, "confusion": None}
    table = table_of("Table 1", "accuracy", "test accuracy, %", runs)
    table["last"] = table_of("Table 1", "accuracy", "test accuracy, %", runs, "last")
    json.dump({
        "title": "Table 1: can they see a triangle?", "made": "2026-11-16", "program_version": "0.1.0",
        "store": "table1.sqlite",
        "tables": [table,
                   table_of("The same runs", "macro_f1", "macro-F1, %", runs)],
        "comparisons": [comparison_of(data) for data in DATA], "runs": runs,
        "breakdowns": list(breakdowns()),
        "gallery": [
            gallery_of(program, "triangles", arguments.triangles, "gcn+d", 215, [("0", 2), ("1", 3)]),
            gallery_of(program, "triangles", arguments.triangles, "gat+d", 84, [("1", 2)]),
            gallery_of(program, "clique-distance", arguments.clique, "svm-wl", 223, [("0", 2), ("1", 3)])],
        "data": [card_of(program, arguments.triangles), card_of(program, arguments.clique)],
        "settings": {"command": "bermuda bench table1 --folds 0-2",
                     "config": "[grid]\nmethods = [\"svm-wl\", \"gcn+d\", \"tf+am\"]\n"
                               "data = [\"triangles\", \"clique-distance\"]\nfolds = \"0-2\"\nseed = 1\n",
                     "host": "sample", "cores": 2, "compiler": "GCC 12.2"},
    }, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
