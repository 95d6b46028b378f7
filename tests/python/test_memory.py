"""Conversions and audits in a loop keep memory flat."""
import gc
import pathlib

import bermuda as bm

MEBIBYTE = 1 << 20


def resident() -> int:
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def grown(body, rounds: int) -> int:
    for _ in range(rounds // 5):  # caches and arenas fill up first
        body()
    gc.collect()
    before = resident()
    for _ in range(rounds):
        body()
    gc.collect()
    return resident() - before


def test_conversions(small):
    graphs = small.test.to_networkx()

    def body():
        made = bm.from_networkx(graphs, small.test.y)
        made.packed()
        [graph.edges for graph in made]

    assert grown(body, 1000) < 2 * MEBIBYTE


def test_errors():
    def body():
        try:
            bm.from_edges([(3, [(0, 7)])])
        except bm.UsageError:
            pass

    assert grown(body, 1000) < 2 * MEBIBYTE


def test_audits_and_models(small):
    part = small.test

    def body():
        bm.audit(part, folds=2, wl_rounds=1, graphlets=3, threads=1, quiet=True)
        bm.fit("svm-wl", small, max_rounds=1, costs=[1], threads=1, quiet=True).predict(part)

    assert grown(body, 60) < 4 * MEBIBYTE
