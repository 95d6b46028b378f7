"""told_apart: a user's model on pairs of graphs; expressivity: ours."""
import numpy as np
import pytest

import bermuda as bm

TRIANGLES = (6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
HEXAGON = (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)])
PATH = (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
PAIRS = [(TRIANGLES, HEXAGON), (HEXAGON, PATH), (PATH, (6, [(5, 0), (0, 3), (3, 1), (1, 4), (4, 2)]))]


def adjacency(graph):
    made = np.zeros((graph.n, graph.n))
    made[graph.edges[:, 0], graph.edges[:, 1]] = made[graph.edges[:, 1], graph.edges[:, 0]] = 1
    return made


def degrees(graphs):
    return [np.bincount(adjacency(graph).sum(0).astype(int), minlength=9)[:9] for graph in graphs]


def spectrum(graphs):
    return [np.linalg.eigvalsh(adjacency(graph)) for graph in graphs]


def first_node(graphs):
    """Hangs on the numbering: how many triangles the first node is in, and its degree."""
    return [[np.linalg.matrix_power(adjacency(graph), 3)[0, 0], adjacency(graph)[0].sum()] for graph in graphs]


def test_functions_of_the_graph():
    found = bm.told_apart(degrees, PAIRS)
    assert found.pairs.tolist() == [False, True, False] and not found.control.any()
    found = bm.told_apart(spectrum, PAIRS)
    assert found.pairs.tolist() == [True, True, False] and not found.control.any()
    assert str(found) == "2 of 3 pairs told apart (pairs 2); control 0"


def test_what_hangs_on_the_numbering_needs_draws():
    assert bm.told_apart(first_node, [(PATH, PATH)] * 40).control.any()  # found out by its control
    found = bm.told_apart(first_node, PAIRS + [(PATH, PATH)] * 40, draws=128)
    assert found.pairs[:3].tolist() == [True, True, False]
    assert not found.pairs[3:].any() and not found.control.any()


def test_files_of_pairs_have_categories(tmp_path):
    (tmp_path / "pairs.tsv").write_text("# x\none\tE{Sw\tE{Sw\ntwo\tBw\tB?\n")
    found = bm.told_apart(degrees, tmp_path / "pairs.tsv")
    assert found.by_category == {"one": 0, "two": 1}
    told = bm.expressivity(tmp_path / "pairs.tsv", ["svm-wl", "svm-labels"])
    assert [row["by_category"] for row in told["methods"]] == [found.by_category] * 2
    again = bm.expressivity(bm.read(tmp_path / "pairs.tsv"), ["svm-wl"])
    assert again["methods"] == told["methods"][:1]


def test_errors():
    with pytest.raises(bm.UsageError, match="expected one row for each of 6 graphs"):
        bm.told_apart(lambda graphs: [1.0], PAIRS)
    with pytest.raises(bm.UsageError, match="not finite"):
        bm.told_apart(lambda graphs: [float("nan")] * len(graphs), PAIRS)
    with pytest.raises(bm.UsageError, match="draws: found 3, expected 0 or at least 20"):
        bm.told_apart(degrees, PAIRS, draws=3)
    with pytest.raises(bm.UsageError, match="^draws: found 3, expected a whole number in 20..16384"):
        bm.expressivity("pairs.tsv", draws=3)
    with pytest.raises(bm.UsageError, match="found 3 graphs in one"):
        bm.told_apart(degrees, [(PATH, PATH, PATH)])
    with pytest.raises(bm.UsageError, match="no data set of pairs"):
        bm.told_apart(degrees, bm.from_edges([PATH, PATH]))
