#!/usr/bin/env python3
"""The statistics by another hand: SciPy's distributions, definitions written out, NumPy's random numbers.

Usage: reference.py FILE           writes cases and what must come out of them
       reference.py --check FILE   recomputes; exit code 1 when FILE says otherwise, 77 without SciPy
reference_test.cpp holds the library against the file. Bootstraps agree within Monte-Carlo error only; `error` is that
of the figures here, from batches of draws.
"""
import itertools
import json
import math
import sys

try:
    import numpy
    from scipy import stats
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-scipy)")
    sys.exit(77)

BATCHES, DRAWS = 40, 1000  # draws of the bootstrap, in batches


def corrected_t(differences, share):
    """Nadeau and Bengio 2003: the variance of the mean is (1/k + n_test/n_train) s^2."""
    k = len(differences)
    mean, sd = numpy.mean(differences), numpy.std(differences, ddof=1)
    error = math.sqrt(1 / k + share) * sd
    low, high = stats.t.interval(0.95, k - 1, loc=mean, scale=error)
    return {"differences": differences, "test_share": share, "p": 2 * stats.t.sf(abs(mean) / error, k - 1),
            "mean": mean, "deviation": sd, "low": low, "high": high}


def mcnemar(first, second):
    return {"first": first, "second": second, "p": stats.binomtest(first, first + second, 0.5).pvalue}


def wilson(right, total):
    interval = stats.binomtest(right, total).proportion_ci(0.95, method="wilson")
    return {"right": right, "total": total, "low": interval.low, "high": interval.high}


def holm(p):
    """As a closed test: a hypothesis falls with every set it is in, each tested after Bonferroni."""
    def adjusted(i):
        others = [j for j in range(len(p)) if j != i]
        sets = itertools.chain.from_iterable(itertools.combinations(others, n) for n in range(len(p)))
        return max(min(1, (1 + len(s)) * min([p[i]] + [p[j] for j in s])) for s in sets)
    return {"p": p, "adjusted": [adjusted(i) for i in range(len(p))]}


def f1(truth, said, label):
    """Along the last axis, which is that of the graphs."""
    hits = ((truth == label) & (said == label)).sum(-1)
    marked = (truth == label).sum(-1) + (said == label).sum(-1)
    return numpy.where(marked == 0, 0, 2 * hits / numpy.maximum(marked, 1))


def score(name, truth, said, classes):
    if name == "accuracy":
        return (truth == said).mean(-1)
    if name == "positive_f1":
        return f1(truth, said, classes - 1)
    present = numpy.stack([(truth == label).any(-1) for label in range(classes)])
    each = numpy.stack([f1(truth, said, label) for label in range(classes)])
    return (each * present).sum(0) / present.sum(0)


def enlarged(scores, of_runs):
    """Means over the runs that were drawn; by how much they differ from the mean of all is enlarged for so few."""
    k = scores.shape[-1]
    factor = math.sqrt(k / (k - 1)) * stats.t.ppf(0.975, k - 1) / stats.norm.ppf(0.975) if k > 1 else 0
    drawn, whole = numpy.take_along_axis(scores, of_runs, axis=-1).mean(-1), scores.mean(-1)
    return whole + factor * (drawn - whole)


def drawn_means(name, truth, runs, classes, random):
    """The mean score over runs in draws of runs and of graphs; `runs` are methods x runs x graphs."""
    methods, count, graphs = runs.shape
    of_graphs = random.integers(graphs, size=(DRAWS, graphs))
    of_runs = random.integers(count, size=(DRAWS, count))
    scores = numpy.empty((methods, DRAWS, count))
    for m in range(methods):
        for r in range(count):
            scores[m, :, r] = score(name, truth[of_graphs], runs[m, r][of_graphs], classes)
    return enlarged(scores, of_runs[None])


def weighted_score(name, truth, said, classes, weights):
    """score() of draws where graph i stands weights[draw, i] times."""
    def share(part, whole):
        return numpy.where(whole == 0, 0, part / numpy.maximum(whole, 1))
    if name == "accuracy":
        return share(weights @ (truth == said), weights.sum(1))
    each = numpy.stack([share(2 * (weights @ ((truth == c) & (said == c))), weights @ (truth == c) + weights @ (said == c))
                        for c in range(classes)])
    if name == "positive_f1":
        return each[-1]
    present = numpy.stack([weights @ (truth == c) > 0 for c in range(classes)])
    return (each * present).sum(0) / present.sum(0)


def grouped_means(name, truth, runs, classes, groups, random):
    """drawn_means() of one method where graphs of a group are drawn together."""
    count = groups.max() + 1
    times = random.multinomial(count, numpy.full(count, 1 / count), size=DRAWS)
    scores = numpy.stack([weighted_score(name, truth, run, classes, times[:, groups]) for run in runs], 1)
    of_runs = random.integers(len(runs), size=(DRAWS, len(runs)))
    return enlarged(scores, of_runs)


def answers(truth, shares, classes, random):
    """A run per share of right answers; a wrong one is any other class."""
    said = []
    for share in shares:
        wrong = random.random(len(truth)) >= share
        said.append(numpy.where(wrong, (truth + random.integers(1, classes, len(truth))) % classes, truth))
    return numpy.array(said)


def text(row):
    return "".join(map(str, row))


def interval(means):
    return numpy.clip(numpy.quantile(means, [0.025, 0.975]), 0, 1)


def bootstraps(random):
    for classes, graphs, shares in ((2, 150, [0.9, 0.95, 0.8, 0.92]), (2, 300, [0.7]), (3, 120, [0.6] * 8),
                                    (2, 200, [0.99, 0.5]), (3, 41, [0.8, 0.7])):
        truth = random.integers(classes, size=graphs)
        if graphs == 41:  # a class of three graphs, which many draws are without
            truth = numpy.where(numpy.arange(graphs) < 3, 2, truth % 2)
        runs = answers(truth, shares, classes, random)
        for name in ("accuracy", "macro_f1", "positive_f1"):
            batches = [interval(drawn_means(name, truth, runs[None], classes, random)[0])
                       for _ in range(BATCHES)]
            (low, high), error = numpy.mean(batches, 0), numpy.std(batches, 0, ddof=1) / math.sqrt(BATCHES)
            yield {"score": name, "classes": classes, "truth": text(truth), "runs": list(map(text, runs)),
                   "low": low, "high": high, "error": max(error)}


def grouped_bootstraps(random):
    """Groups of 1 to 12 graphs, as isomorphic ones: a run has nearly all of a group right, or wrong."""
    for classes, sizes, shares in ((2, [12, 9, 7, 3, 2, 2] + [1] * 65, [0.9, 0.8, 0.95]), (3, [5] * 8, [0.7])):
        groups = numpy.repeat(numpy.arange(len(sizes)), sizes)
        of_group = random.integers(classes, size=len(sizes))
        runs = answers(of_group, shares, classes, random)[:, groups]
        truth = of_group[groups]
        runs[:, 3] = (runs[:, 3] + 1) % classes
        for name in ("accuracy", "macro_f1", "positive_f1"):
            batches = [interval(grouped_means(name, truth, runs, classes, groups, random))
                       for _ in range(BATCHES)]
            (low, high), error = numpy.mean(batches, 0), numpy.std(batches, 0, ddof=1) / math.sqrt(BATCHES)
            yield {"score": name, "classes": classes, "truth": text(truth), "groups": groups.tolist(),
                   "runs": list(map(text, runs)), "low": low, "high": high, "error": max(error)}


def bootstrap_tests(random):
    for graphs, first, second in ((200, [0.9, 0.85, 0.88], [0.86, 0.87, 0.84]), (400, [0.8] * 5, [0.74] * 5),
                                  (150, [0.9], [0.8]), (100, [1.0, 0.5, 1.0], [0.7, 0.7, 0.7])):
        truth = random.integers(2, size=graphs)
        runs = numpy.array([answers(truth, shares, 2, random) for shares in (first, second)])
        for name in ("accuracy", "macro_f1", "positive_f1"):
            means = [drawn_means(name, truth, runs, 2, random) for _ in range(BATCHES)]
            tails = [[((m[0] - m[1]) <= 1e-12).mean(), ((m[0] - m[1]) >= -1e-12).mean()] for m in means]
            yield {"score": name, "truth": text(truth), "first": list(map(text, runs[0])),
                   "second": list(map(text, runs[1])), "p": min(1, 2 * min(numpy.mean(tails, 0)))}


def cases():
    random = numpy.random.default_rng(7)
    normal = [[round(x, 2) for x in random.normal(mean, 1, k)] for mean, k in ((0.8, 10), (0.1, 3), (-2, 5), (3, 2))]
    return {
        "corrected_t": [corrected_t(d, share) for d in normal for share in (1 / 9, 0.111, 0)],
        "mcnemar": [mcnemar(a, b) for a, b in ((5, 12), (12, 5), (0, 10), (40, 60), (0, 1), (300, 200), (7, 7))],
        "wilson": [wilson(a, b) for a, b in ((8, 10), (50, 100), (0, 10), (10, 10), (999, 1000), (1, 3))],
        "holm": [holm(p) for p in ([0.01, 0.04, 0.03, 0.005], [0.9], [0.2, 0.2, 0.001], [0.04, 0.01, 0.01, 0.6, 0.02])],
        "bootstrap": list(bootstraps(random)),
        "bootstrap_test": list(bootstrap_tests(random)),
        "grouped_bootstrap": list(grouped_bootstraps(random)),
    }


def differences(found, made, place=""):
    if isinstance(made, dict):
        return [d for key in made for d in differences(found[key], made[key], f"{place}.{key}")]
    if isinstance(made, list):
        return [d for i, one in enumerate(made) for d in differences(found[i], one, f"{place}[{i}]")]
    same = math.isclose(found, made, rel_tol=1e-9, abs_tol=1e-12) if isinstance(made, float) else found == made
    return [] if same else [f"{place}: {found}, recomputed {made}"]


def main():
    made = json.loads(json.dumps(cases(), default=float))
    if sys.argv[1] != "--check":
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            parts = [f'"{name}": [\n' + ",\n".join(map(json.dumps, each)) + "\n]" for name, each in made.items()]
            file.write("{" + ",\n".join(parts) + "}\n")  # a case per line
        return 0
    with open(sys.argv[2], encoding="utf-8") as file:
        wrong = differences(json.load(file), made)
    print("\n".join(wrong) or "all as in the file")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
