#!/usr/bin/env python3
"""Cells of the tables that are not the paper's, as docs/cells.md has them.

Usage: cells.py far FILE.json [POINTS]   cells further than POINTS (3) from the paper's: test figures of the epoch that
                                         validation kept, and of the last
       cells.py cut FILE.json            what graph neural networks have on validation graphs between epochs 30 and 60,
                                         from the stored curves: what a budget that ends there would leave
       cells.py f1 FILE.json             F1 of the positive class and the mean over classes, of either epoch
       cells.py wrong FILE.json          how many test graphs the Transformers with a mask have wrong, fold by fold, and
                                         how many of these are different up to isomorphism
       cells.py draws FILE.json          methods that draw node indices: validation accuracy of the kept epoch with one draw, test
                                         accuracy with the mean of several
       cells.py norms FILE.json          batch norms as training left them and measured: validation and test accuracy of
                                         the kept epoch, epochs, and how far validation accuracy swings from epoch to
                                         epoch between 30 and 60, on the folds both have
       cells.py trials FILE.json         validation accuracy by learning rate and batch size
       cells.py chosen FILE.json         of these the best on validation graphs, and what it has on test graphs, beside the
                                         rate and the batches of Table 1
       cells.py released FILE.txt        what models of our data have on our test split and on the released one, from what
                                         released.sh wrote
       cells.py hours FILE.json          how many runs are done, and the core-hours they took
"""
import base64
import json
import re
import statistics
import sys
import zlib

FIRST, LAST = 30, 60


def details(run):
    return json.loads(zlib.decompress(base64.b64decode(run["details"])))


def validation(run):
    """By epoch, in per cent."""
    lines = details(run).get("epochs", "").splitlines()
    column = lines[0].split("\t").index("validation_accuracy")
    return [100 * float(line.split("\t")[column]) for line in lines[1:]]


def spread(figures):
    deviation = f" ± {statistics.stdev(figures):.1f}" if len(figures) > 1 else ""
    return f"{statistics.mean(figures):.1f}{deviation}"


def read_cells(file):
    """The table's metric, the paper's figures, and runs that are done, by column and row; isomorphic graphs, by data set."""
    with open(file, encoding="utf-8") as text:
        results = json.load(text)
    grid = results["grids"][0]
    runs = {run["key"]: run for run in results["runs"] if run["state"] == "done"}
    cells = {}
    for row, data, _, _, key, *taken_from in grid["entries"]:
        if key in runs and not taken_from:
            cells.setdefault((data, row), []).append(runs[key])
    return grid["metric"], grid["published"], cells, results["twins"]


def columns_of(cells):
    return list(dict.fromkeys(data for data, _ in cells))


def far(file, points=3.0):
    metric, published, cells, _ = read_cells(file)
    print("| data | method | runs | paper | kept | last |\n|---|---|--:|--:|--:|--:|")
    columns = columns_of(cells)
    for (data, row), runs in sorted(cells.items(), key=lambda cell: columns.index(cell[0][0])):
        paper = published.get(data, {}).get(row)
        kept = [100 * run["result"]["test"][metric] for run in runs]
        if paper is None or abs(statistics.mean(kept) - paper) <= float(points):
            continue
        last = [100 * run["result"].get("last", run["result"])["test"][metric] for run in runs]
        print(f"| {data} | `{row}` | {len(runs)} | {paper:.1f} | {spread(kept)} | {spread(last)} |")


def cut(file):
    _, published, cells, _ = read_cells(file)
    columns = columns_of(cells)
    heads = [f"{name} | " + (f"epochs {FIRST}-{LAST} | paper" if name in published else f"epochs {FIRST}-{LAST}")
             for name in columns]
    print(f"| method | {' | '.join(heads)} |")
    print("|---|" + "--:|" * sum(head.count("|") + 1 for head in heads))
    for row in dict.fromkeys(row for _, row in cells):
        if not row.startswith(("gcn+", "gin", "gat+")):
            continue
        line = [f"`{row}`"]
        for data in columns:
            runs = cells.get((data, row), [])
            within = [figure for run in runs for figure in validation(run)[FIRST - 1:LAST]]
            line.append(spread([100 * run["result"]["test"]["accuracy"] for run in runs]) if runs else "")
            line.append(spread(within) if runs else "")
            if data in published:
                line.append(f"{published[data][row]:.1f}")
        print(f"| {' | '.join(line)} |")


def f1(file):
    _, published, cells, _ = read_cells(file)
    print("| data | method | runs | paper | positive, kept | last | macro, kept | last |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    columns = columns_of(cells)
    for (data, row), runs in sorted(cells.items(), key=lambda cell: columns.index(cell[0][0])):
        figures = [spread([100 * result["test"][figure] for result in results])
                   for figure in ("positive_f1", "macro_f1")
                   for results in ([run["result"] for run in runs],
                                   [run["result"].get("last", run["result"]) for run in runs])]
        paper = published.get(data, {}).get(row)
        print(f"| {data} | `{row}` | {len(runs)} | {'' if paper is None else f'{paper:.1f}'} | {' | '.join(figures)} |")


def wrong(file):
    _, _, cells, twins = read_cells(file)
    print("| method | data | wrong test graphs, by fold | different ones |\n|---|---|---|---|")
    for (data, row), runs in cells.items():
        if not row.startswith("tf+am"):
            continue
        counts, different = [], []
        for run in sorted(runs, key=lambda run: run["fold"]):
            first = {place: group[0] for group in twins[run["data_checksum"]] for place in group}
            answers = details(run)["answers"]
            places = [i for i, (said, truth) in enumerate(zip(answers["said"], answers["truth"])) if said != truth]
            counts.append(str(len(places)))
            different.append(str(len({first.get(place, place) for place in places})))
        print(f"| `{row}` | {data} | {' '.join(counts)} | {' '.join(different)} |")


def draws(file):
    _, _, cells, _ = read_cells(file)
    print("| data | method | runs | validation, one draw | test, mean of draws |\n|---|---|--:|--:|--:|")
    for (data, row), runs in cells.items():
        if not row.startswith("tf") or row.startswith("tf-is"):
            continue
        figures = [spread([100 * accuracy(run["result"]) for run in runs])
                   for accuracy in (lambda result: result["validation_accuracy"], lambda result: result["test"]["accuracy"])]
        print(f"| {data} | `{row}` | {len(runs)} | {' | '.join(figures)} |")


def swing(run):
    """The mean change of validation accuracy from an epoch to the next."""
    figures = validation(run)[FIRST - 1:LAST]
    return statistics.mean(abs(later - figure) for figure, later in zip(figures, figures[1:]))


def norms(file):
    _, _, cells, _ = read_cells(file)
    heads = ("validation", "test", "epochs", "swing")
    print(f"| data | method | folds | {' | '.join(f'{head} | measured' for head in heads)} |")
    print("|---|---|--:|" + "--:|--:|" * len(heads))
    gains = []
    for (data, row), runs in cells.items():
        of_fold = [{run["fold"]: run for run in each} for each in (runs, cells.get((data, f"{row} norm_batches=30"), []))]
        folds = sorted(of_fold[0].keys() & of_fold[1].keys())
        if not folds:
            continue
        by_fold = [{fold: run["result"] for fold, run in each.items()} for each in of_fold]
        gains += [100 * (by_fold[1][fold]["validation_accuracy"] - by_fold[0][fold]["validation_accuracy"])
                  for fold in folds]
        figures = []
        for of_run in (lambda run: 100 * run["validation_accuracy"], lambda run: 100 * run["test"]["accuracy"]):
            figures += [spread([of_run(results[fold]) for fold in folds]) for results in by_fold]
        figures += [f"{statistics.mean(results[fold]['epochs'] for fold in folds):.0f}" for results in by_fold]
        figures += [f"{statistics.mean(swing(runs[fold]) for fold in folds):.1f}" for runs in of_fold]
        print(f"| {data} | `{row}` | {len(folds)} | {' | '.join(figures)} |")
    print(f"\nMeasured, validation accuracy is higher in {sum(gain > 0 for gain in gains)} of {len(gains)} pairs of runs and "
          f"lower in {sum(gain < 0 for gain in gains)}; the median difference is {statistics.median(gains):.1f} points.")


def read_trials(file):
    """By data and method: runs by learning rate and batch size."""
    _, _, cells, _ = read_cells(file)
    trials = {}
    for (data, row), runs in cells.items():
        options = runs[0]["options"]
        setting = (options["learning_rate"], options["batch_size"])
        trials.setdefault((data, row.split()[0]), {})[setting] = runs
    return trials


def mean_accuracy(runs, split):
    figures = [run["result"]["validation_accuracy" if split == "validation" else "test"] for run in runs]
    return 100 * statistics.mean(figure["accuracy"] if split == "test" else figure for figure in figures)


def trials(file):
    figures = read_trials(file)
    rates = sorted({rate for settings in figures.values() for rate, _ in settings})
    print(f"| data | method | batches of | {' | '.join(f'rate {rate:g}' for rate in rates)} |")
    print("|---|---|--:|" + "--:|" * len(rates))
    for (data, method), settings in figures.items():
        for batch in sorted({batch for _, batch in settings}):
            told = [settings.get((rate, batch)) for rate in rates]
            texts = [f"{mean_accuracy(runs, 'validation'):.1f}" if runs else "" for runs in told]
            print(f"| {data} | `{method}` | {batch} | {' | '.join(texts)} |")


# Rate and batches of Table 1.
AS_IN_TABLE = {"tf+am": (0.002, 64)}
AS_IN_TABLE_ELSE = (0.001, 128)


def chosen(file):
    print("| data | method | rate, batches of | validation | test | as in Table 1 | validation | test |")
    print("|---|---|---|--:|--:|---|--:|--:|")
    for (data, method), settings in read_trials(file).items():
        best = max(settings, key=lambda setting: mean_accuracy(settings[setting], "validation"))
        usual = AS_IN_TABLE.get(method, AS_IN_TABLE_ELSE)
        cells = []
        for rate, batch in (best, usual):
            runs = settings.get((rate, batch))
            figures = [f"{mean_accuracy(runs, split):.1f}" if runs else "" for split in ("validation", "test")]
            cells += [f"{rate:g}, {batch}", *figures]
        print(f"| {data} | `{method}` | {' | '.join(cells)} |")


def released(file):
    models = {}
    with open(file, encoding="utf-8") as text:
        for line in text:
            if line.startswith("$ bermuda predict "):
                _, _, _, model, data, *more = line.split()
                place = ("released" if data.startswith("RELEASED/") else "ours", "--eval-shuffles" in more)
            elif found := re.search(r"accuracy (\S+) %", line):
                models.setdefault(model, {})[place] = f"{float(found[1]):.1f}"
    places = [(split, one) for split in ("ours", "released") for one in (False, True)]
    print("| model | our test split | one draw | released test split | one draw |\n|---|--:|--:|--:|--:|")
    for model, figures in models.items():
        print(f"| `{model}` | {' | '.join(figures.get(place, '') for place in places)} |")


def hours(file):
    with open(file, encoding="utf-8") as text:
        runs = json.load(text)["runs"]
    done = [run for run in runs if run["state"] == "done"]
    spent = sum(run["timing"]["cpu_seconds"] for run in done) / 3600
    print(f"{len(done)} of {len(runs)} runs, {spent:.1f} core-hours.")


if __name__ == "__main__":
    parts = {"far": far, "cut": cut, "f1": f1, "wrong": wrong, "draws": draws, "norms": norms, "trials": trials,
             "chosen": chosen, "released": released, "hours": hours}
    parts[sys.argv[1]](*sys.argv[2:])
