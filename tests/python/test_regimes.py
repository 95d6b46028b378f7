"""Regime maps: the figures of the command line, for any callable."""
import json
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import bermuda as bm


def has_triangle(graphs):
    """The truth, without our help."""
    said = []
    for graph in graphs:
        matrix = np.zeros((graph.n, graph.n), dtype=np.int64)
        edges = graph.edges
        matrix[edges[:, 0], edges[:, 1]] = matrix[edges[:, 1], edges[:, 0]] = 1
        said.append(int(np.trace(matrix @ matrix @ matrix) > 0))
    return said


def test_a_function_that_is_right_is_right_everywhere():
    found = bm.regime_map(has_triangle, "triangles", nodes="8:24:8", degree="2:3", graphs=30, quiet=True)
    assert found.accuracy.shape == (2, 3) and (found.accuracy == 1).all()
    assert (found.graphs == 30).all() and not found.trained.any()
    assert found.relabelling_sensitivity == 0
    assert found.axes == {"degree": [2, 3], "nodes": [8, 16, 24]}
    assert (found.low < found.accuracy).all() and (found.high == 1).all()
    assert "has_triangle on triangles" in str(found)


def test_it_is_asked_once_and_told_nothing():
    calls = []

    def guess(graphs):
        calls.append(graphs)
        assert (graphs.y == -1).all() and all(len(graph.witness_edges) == 0 for graph in graphs)
        return np.zeros(len(graphs))

    found = bm.regime_map(guess, "triangles", nodes=[10, 20], graphs=20, relabel=2, quiet=True)
    assert len(calls) == 1 and len(calls[0]) == 2 * 20 * 3
    assert found.accuracy.tolist() == [0.5, 0.5]


def test_the_same_as_the_command_line(small, program, tmp_path):
    small.save(tmp_path / "data")
    program.run("train", "svm-wl", "data", "-o", "run")
    told = program.json("regimes", "run", "--nodes", "8:24:8", "--data", "data", "--graphs", 40)
    found = bm.regime_map(bm.load(tmp_path / "run"), small, nodes="8:24:8", graphs=40, quiet=True)
    assert found.to_dict() == told["models"][0]
    assert found.trained.tolist() == [True, True, False]


def test_distances_fix_the_class():
    found = bm.regime_map(lambda graphs: np.ones(len(graphs)), "clique-distance", nodes=20, distance=range(2, 6),
                          graphs=20, quiet=True)
    assert found.accuracy.ravel().tolist() == [0, 0, 1, 1]
    other = bm.regime_map(lambda graphs: np.ones(len(graphs)), "clique-distance", nodes=20, distance=[5], graphs=20,
                          threshold=6, quiet=True)
    assert other.accuracy.tolist() == [[0]]


def test_pictures_and_files(tmp_path):
    found = bm.regime_map(has_triangle, "triangles", nodes="8:16:8", graphs=10, quiet=True, name="<mine>")
    picture = xml.fromstring(found.to_svg())
    assert len(picture.findall("{*}g")) == 2
    assert "<svg" in found._repr_html_() and "<mine>" not in found._repr_html_()
    for ending in ("html", "json", "svg", "txt"):
        found.save(tmp_path / f"map.{ending}")
    assert json.loads((tmp_path / "map.json").read_text())["cells"] == found.to_dict()["cells"]
    for ending in ("html", "json", "svg"):
        found.save(tmp_path / f"map.{ending}", force=True)
    with pytest.raises(bm.UsageError, match="expected one of"):
        found.save(tmp_path / "map.doc")


def test_degrees_cannot_tell_twins():
    pairs = bm.make_pairs("triangles", same="degrees", count=20, seed=2, quiet=True)
    assert len(pairs) == 40 and pairs[0].id.endswith("-a") and pairs[1].id.endswith("-b")
    for first, second in zip(pairs[::2], pairs[1::2]):
        assert first.y != second.y
        degrees = [np.bincount(graph.edges.ravel(), minlength=graph.n) for graph in (first, second)]
        assert sorted(degrees[0]) == sorted(degrees[1])
    assert has_triangle(pairs) == pairs.y.tolist()
    with pytest.raises(bm.UsageError):
        bm.make_pairs("triangles", same="colour", count=2, quiet=True)


def test_other_sizes_as_on_the_command_line(program, tmp_path):
    few = {"candidates": 2000, "train": 100, "valid": 20, "test": 20}
    made = bm.make("triangles", test_nodes=(20, 24), quiet=True, **few)
    assert all(20 <= graph.n <= 24 for graph in made.test) and max(graph.n for graph in made.train) <= 20
    program.run("dataset", "triangles", "-o", "data", "--test-nodes", "20:24",
                *[word for name, value in few.items() for word in (f"--{name}", value)])
    made.save(tmp_path / "mine")
    assert (tmp_path / "mine" / "test.tsv").read_bytes() == (tmp_path / "data" / "test.tsv").read_bytes()
    with pytest.raises(bm.UsageError, match="test_nodes"):
        bm.make("triangles", test_nodes="40:20", quiet=True, **few)


@pytest.mark.parametrize(("given", "says"), [
    ({"nodes": "8:4"}, "FROM:TO"), ({"nodes": 2.5}, "whole number"), ({"degree": [2, 2]}, "rising"),
    ({"distance": [2]}, "no axis distance"), ({}, "no axis"), ({"nodes": 8, "graphs": 0}, "graphs"),
])
def test_what_cannot_be_is_refused(given, says):
    with pytest.raises(bm.UsageError, match=says):
        bm.regime_map(has_triangle, "triangles", quiet=True, **given)


def test_wrong_answers_are_refused():
    with pytest.raises(bm.UsageError, match="expected a class"):
        bm.regime_map(lambda graphs: np.zeros((len(graphs), 2)), "triangles", nodes=8, graphs=4, quiet=True)
    with pytest.raises(bm.UsageError, match="expected 0 or 1"):
        bm.regime_map(lambda graphs: ["yes"] * len(graphs), "triangles", nodes=8, graphs=4, quiet=True)
