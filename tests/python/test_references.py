"""Every way from Python to the library and back gives back the references that it takes: what was given has as many as
before, and no block of Python's memory stays. (test_memory.py looks at the memory of the library.)"""
import gc
import pickle
import sys
import warnings

import networkx as nx
import numpy as np
import pytest

import bermuda as bm
from bermuda import _bermuda
from bermuda._work import work

ROUNDS = 50
BATCHES = 4  # caches of the interpreter grow now and then; a leak grows in each, by one block per round at least


class Pyg:
    """What looks like PyTorch Geometric's data."""

    def __init__(self, ends, **others):
        self.edge_index = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        self.__dict__.update(others)


def networkx_graphs():
    made = []
    for kind in (nx.Graph, nx.MultiGraph, nx.DiGraph, nx.MultiDiGraph):
        graph = kind()
        graph.add_node("a", atom="C", charge=0.5)
        graph.add_node("b", atom="O", charge=1.5)
        graph.add_edge("a", "b", bond="single")
        graph.add_edge("b", "a", bond="single")
        made.append(graph)
    return made


PAIRS = [(3, [(0, 1), (1, 2)]), (4, np.array([[0, 3], [1, 3]])), (1, []), (3, {(0, 1)})]
NETWORKX = networkx_graphs()
PYG = [Pyg([(0, 1), (1, 0)], num_nodes=3, x=np.eye(3), edge_attr=np.array([[1, 0], [1, 0]]), y=np.array([1])),
       Pyg([(0, 1), (1, 0)], num_nodes=3, x=np.eye(3), edge_attr=np.array([[1, 0], [1, 0]]), y=np.array([0]))]
NUMERIC = [Pyg([(0, 1)], x=np.ones((2, 3)) / 2, y=0), Pyg([(0, 1), (1, 0)], x=np.zeros((2, 3)), y=1)]


def strict(*words, **options):
    with pytest.raises(bm.UsageError):
        bm.from_edges(*words, strict=True, **options)


PATHS = {
    "from_edges": lambda: bm.from_edges(PAIRS, y=["a", "b", "a", "b"]),
    "labels": lambda: bm.from_edges(PAIRS[:2], [0, 1], node_labels=[["x"] * 3, ["y"] * 4],
                                    edge_labels=[[1, 2], [3, 4]]),
    "from_networkx": lambda: bm.from_networkx(NETWORKX, [0, 1, 0, 1], node_label="atom", edge_label="bond",
                                              node_attributes=["charge"]),
    "from_pyg": lambda: bm.from_pyg(PYG),
    "from_pyg, numbers": lambda: bm.from_pyg(NUMERIC),
    "refused": lambda: strict([(3, [(0, 0)])]),
    "refused, no node": lambda: strict([(3, [(0, 9)])]),
}
DATA = bm.generate("triangles", count=40, quiet=True)
LABELLED = bm.from_edges(PAIRS[:2], [0, 1], node_labels=[[1] * 3, [2] * 4], edge_labels=[[1, 2], [3, 4]])
with warnings.catch_warnings():
    warnings.simplefilter("ignore", bm.DroppedWarning)
    ATTRIBUTED = bm.from_pyg(NUMERIC)
MODEL = bm.fit("svm-wl", DATA, rounds=1, costs=[1], quiet=True)
WL = _bermuda.wl_features(1, False, True)  # what bermuda.sklearn uses; valgrind cannot import scikit-learn
WL.fit(DATA._core, work())


def rows(parts):
    return [np.ascontiguousarray(one) for one in parts[:3]], parts[3]


PATHS |= {
    "packed": lambda: (DATA.packed(), LABELLED.packed(), ATTRIBUTED.packed()),
    "arrays": lambda: [(graph.edges, graph.node_labels, graph.edge_labels, graph.attributes, graph.witness_nodes,
                        graph.witness_edges, graph.id, graph.class_name, graph.hits, graph.origin)
                       for data in (DATA[:3], LABELLED, ATTRIBUTED) for graph in data],
    "choosing": lambda: (DATA[3], DATA[1:9:2], DATA[[1, 2]], DATA[DATA.y == 1], DATA.y, DATA.splits, DATA.fold(0)),
    "to_networkx": lambda: (DATA[:3].to_networkx(), LABELLED.to_networkx(), ATTRIBUTED.to_networkx()),
    "ours again": lambda: bm.as_graphs(list(DATA[:5]), [0, 1, 0, 1, 0]),
    "pickles": lambda: (pickle.loads(pickle.dumps(DATA)), pickle.loads(pickle.dumps(DATA[0])),
                        pickle.loads(pickle.dumps(MODEL)), _bermuda.wl_features(1, False, True).load(WL.save())),
    "make": lambda: bm.generate("triangles", count=4, quiet=True),
    "model": lambda: (MODEL.predict(DATA), MODEL.scores(DATA), MODEL.options, MODEL.result, MODEL.classes),
    "features": lambda: (rows(WL.transform(DATA._core, work())),
                         rows(_bermuda.wl_features(0, False, False).fit(DATA._core, work())),
                         rows(_bermuda.graphlet_features(3, 0, False, False, False, True, 1).fit(DATA._core, work()))),
    "parameters": lambda: (bm.parameters("audit"), bm.parameters("filter"), bm.parameters("triangles"),
                           bm.parameters("svm-wl"), bm.tasks()),
    "picture": lambda: DATA[0].to_svg(weights=np.ones(len(DATA[0].edges)), title="a"),
    "questions": lambda: bm.GraphList(_bermuda.questions(DATA._core, np.arange(5))).packed(),
    "progress": lambda: bm.generate("triangles", count=4),
}


def watched():
    """What is handed over, and what everybody shares."""
    inputs = [PAIRS, NETWORKX, PYG, NUMERIC, *PAIRS, *NETWORKX, *PYG, *NUMERIC, PYG[0].edge_index, NUMERIC[0].x, DATA,
              DATA._core, LABELLED._core, ATTRIBUTED._core, MODEL._core, WL]
    return [sys.getrefcount(one) for one in inputs]


def blocks_kept(body) -> int:
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(ROUNDS):
        body()
    gc.collect()
    return sys.getallocatedblocks() - before


@pytest.mark.filterwarnings("ignore::bermuda.DroppedWarning")
@pytest.mark.parametrize("path", PATHS)
def test_references(path):
    body = PATHS[path]
    for _ in range(5):
        body()
    before = watched()
    shared = [sys.getrefcount(one) for one in (None, True, False)]
    kept = [blocks_kept(body) for _ in range(BATCHES)]
    assert watched() == before
    assert min(kept) < ROUNDS
    for was, one in zip(shared, (None, True, False)):
        assert sys.getrefcount(one) - was < ROUNDS * BATCHES


def test_a_leak_would_be_seen():
    hoard = []
    assert min(blocks_kept(lambda: hoard.append(object())) for _ in range(BATCHES)) >= ROUNDS
