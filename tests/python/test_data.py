"""Data sets: the bytes of the command line, and arrays that stay valid."""
import gc
import pathlib
import pickle
import subprocess
import sys
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from conftest import SMALL, same_graphs
from pinned import CHECKSUMS, checksum

import bermuda as bm


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


@pytest.mark.parametrize("task", ["triangles", "clique-distance"])
def test_make_gives_the_bytes_of_the_command_line(task, program, tmp_path):
    words = [word for name, value in SMALL.items() for word in (f"--{name}", value)]
    program.run("dataset", task, "-o", "expected", "--seed", 3, *words)
    bm.make(task, seed=3, quiet=True, **SMALL).save(tmp_path / "found")
    assert bytes_of(tmp_path / "found") == bytes_of(tmp_path / "expected")


@pytest.mark.parametrize("task", CHECKSUMS)
def test_make_gives_the_pinned_bytes(task, tmp_path):
    bm.make(task, seed=1, quiet=True).save(tmp_path / "data")
    assert checksum(tmp_path / "data") == CHECKSUMS[task]


def test_parameters_are_those_of_task_and_filter(program, tmp_path):
    program.run("generate", "triangles", "-o", "expected", "--count", 50, "--families", "knn,radius", "--radii",
                "0.25,0.3", "--max-nodes", 9)
    made = bm.generate("triangles", count=50, families=["knn", "radius"], radii=[0.25, 0.3], max_nodes=9, quiet=True)
    made.save(tmp_path / "found")
    assert bytes_of(tmp_path / "found") == bytes_of(tmp_path / "expected")
    with pytest.raises(bm.UsageError, match="max.nodes"):
        bm.generate("triangles", max_node=9)
    with pytest.raises(bm.UsageError, match="expected"):
        bm.make("triangles", easy_share=3)
    with pytest.raises(ValueError, match="triangles"):
        bm.make("triangels")
    for wrong in ({"seed": -1}, {"seed": 0.5}, {"count": 1}, {"count": 10**10}, {"threads": 0}):
        with pytest.raises(bm.UsageError, match=f"{next(iter(wrong))}: found"):
            bm.generate("triangles", **wrong)
    with pytest.raises(bm.UsageError, match="^count: found 3, expected a positive even number"):
        bm.generate("triangles", count=3)
    with pytest.raises(bm.UsageError, match="^candidates: found 3, expected a positive even number"):
        bm.make("triangles", candidates=3)
    with pytest.raises(bm.UsageError, match="^same: found 'none', expected degrees"):
        bm.make_pairs("triangles", "none")
    assert "easy_share" in {entry["name"] for entry in bm.parameters("filter")}


def test_splits_and_classes(small):
    assert [len(part) for part in (small.train, small.valid, small.test)] == [400, 60, 60]
    assert len(small) == len(small.y) == 520
    assert small.classes == ["0", "1"]
    assert small.y.tolist() == [graph.y for graph in small]
    assert list(small.splits) == ["train", "valid", "test"]
    assert small.provenance["task"] == "triangles"
    with pytest.raises(bm.UsageError, match="no split .extra.; there are: train, valid, test"):
        small.split("extra")


def test_slices_lists_and_masks_choose_graphs(small):
    assert [graph.id for graph in small[2:8:3]] == [small[2].id, small[5].id]
    assert [graph.id for graph in small[[5, -1]]] == [small[5].id, small[519].id]
    assert set(small[small.y == 1].y) == {1}
    for wrong in (520, -521):
        with pytest.raises(IndexError):
            small[wrong]
    with pytest.raises(IndexError):
        small[np.ones(3, dtype=bool)]
    with pytest.raises(IndexError):
        small[[0.5]]


def test_arrays_outlive_what_they_are_part_of():
    edges = bm.generate("triangles", count=200, quiet=True)[7].edges
    before = edges.tolist()
    gc.collect()
    [bm.generate("triangles", seed=seed, count=200, quiet=True) for seed in range(5)]
    assert edges.tolist() == before
    with pytest.raises(ValueError):
        edges[0, 0] = 3  # shared with the data set


def test_packed_arrays_are_the_graphs(small):
    packed = small.test.packed()
    assert packed.edge_index.shape == (2, packed.arc_offsets[-1])
    assert packed.y.tolist() == small.test.y.tolist()
    for place, graph in enumerate(small.test):
        arcs = packed.edge_index[:, packed.arc_offsets[place]:packed.arc_offsets[place + 1]]
        in_witness = packed.arc_mask[packed.arc_offsets[place]:packed.arc_offsets[place + 1]]
        both = sorted([[u, v] for u, v in graph.edges.tolist()] + [[v, u] for u, v in graph.edges.tolist()])
        assert arcs.T.tolist() == both
        witness = graph.witness_edges.tolist()
        assert in_witness.tolist() == [sorted(arc) in witness for arc in arcs.T.tolist()]
        nodes = packed.node_mask[packed.node_offsets[place]:packed.node_offsets[place + 1]]
        assert np.flatnonzero(nodes).tolist() == graph.witness_nodes.tolist()


def test_save_and_read_again(small, tu, tmp_path):
    small.save(tmp_path / "data")
    again = bm.read(tmp_path / "data")
    assert same_graphs(again, small) and again.y.tolist() == small.y.tolist()
    with pytest.raises(bm.UsageError, match="exists"):
        small.save(tmp_path / "data")
    small.test.save(tmp_path / "test.jsonl", format="jsonl")
    assert same_graphs(bm.read(tmp_path / "test.jsonl"), small.test)
    mutag = bm.read(tu / "MUTAG")
    assert mutag.classes == ["-1", "1"] and len(mutag) == 188
    assert mutag[0].node_labels is not None and mutag[0].edge_labels is not None


def test_wrong_files_are_told(tmp_path):
    with pytest.raises(bm.UsageError, match="no such file"):
        bm.read(tmp_path / "nothing")
    (tmp_path / "broken.jsonl").write_text('{"nodes": 2, "edges": [[0, 5]]}\n')
    with pytest.raises(bm.InputError, match="broken.jsonl:1"):
        bm.read(tmp_path / "broken.jsonl")


def test_pickles(small, tu):
    again = pickle.loads(pickle.dumps(small))
    assert isinstance(again, bm.DataSet) and same_graphs(again, small) and list(again.splits) == list(small.splits)
    part = pickle.loads(pickle.dumps(small[:7]))
    assert same_graphs(part, small[:7]) and part.y.tolist() == small[:7].y.tolist()
    # Each graph has its own class, or none, whichever comes first.
    mixed = bm.GraphList(bm.graphs._bermuda.collect("mixed", ["a", "b"], [graph._core for graph in small[:3]],
                                                    np.array([-1, 1, 0], np.int64)))
    for one in (mixed, mixed[:], mixed[[1, 0]]):
        assert pickle.loads(pickle.dumps(one)).y.tolist() == one.y.tolist()
    graph = bm.read(tu / "MUTAG")[3]
    twin = pickle.loads(pickle.dumps(graph))
    assert (twin.id, twin.class_name) == (graph.id, graph.class_name) and same_graphs([twin], [graph])


def test_torch_is_not_loaded():
    script = "import bermuda; print('libtorch' in open('/proc/self/maps').read())"
    done = subprocess.run([sys.executable, "-c", script], check=True, text=True, capture_output=True)
    assert done.stdout == "False\n"


def test_questions_have_no_classes(small, tmp_path):
    """Graphs whose classes are hidden: nothing tells them, and who needs classes says so."""
    asked = bm.GraphList(bm.graphs._bermuda.questions(small._core, np.array([5, 3], np.int64)))
    assert same_graphs(asked, small[[5, 3]]) and [graph.id for graph in asked] == ["q1", "q2"]
    for one in (asked, pickle.loads(pickle.dumps(asked)), asked[:]):
        assert one.y.tolist() == [-1, -1] == one.packed().y.tolist()
        for graph in (one[0], pickle.loads(pickle.dumps(one[0]))):
            assert (graph.class_name, graph.hits, graph.origin) == ("?", None, "")
            assert len(graph.witness_nodes) == len(graph.witness_edges) == 0
        assert "without their classes" in repr(one)
    model = bm.fit("svm-wl", small, rounds=1, costs=[1], quiet=True)
    assert model.predict(asked).tolist() == model.predict(small[[5, 3]]).tolist()
    for refused in (lambda: bm.audit(asked), lambda: bm.fit("svm-wl", asked), lambda: bm.fit("gin", asked),
                    lambda: model.score(asked), lambda: bm.Study(asked, store=tmp_path / "x.sqlite"),
                    lambda: bm.audit(asked, asked.y)):
        with pytest.raises(bm.UsageError, match="graph (q1|0) has no class, which is needed here"):
            refused()
    asked.save(tmp_path / "asked")
    again = bm.read(tmp_path / "asked")
    assert same_graphs(again, asked) and again.y.tolist() == [-1, -1] and again.classes == small.classes
    assert model.predict(again.test).tolist() == model.predict(asked).tolist()


def test_only_some_graphs_may_have_a_class(small, tmp_path):
    """As in the run of a program: it learns from some and answers others."""
    asked = bm.graphs._bermuda.questions(small._core, np.array([1], np.int64))
    ones, others = small[small.y == 1], small[small.y == 0]
    mixed = bm.as_graphs([bm.Graph(asked.graph(0)), ones[0], others[0]])
    y = [-1, 1, 0]
    mixed.save(tmp_path / "mixed")
    mixed.save(tmp_path / "mixed.jsonl", format="jsonl")
    for one in (mixed, bm.read(tmp_path / "mixed"), bm.read(tmp_path / "mixed.jsonl"), mixed[:],
                pickle.loads(pickle.dumps(mixed)), pickle.loads(pickle.dumps(mixed[:]))):
        assert one.y.tolist() == y == one.packed().y.tolist() and same_graphs(one, mixed)
        assert one.classes == mixed.classes and "; 1 without" in repr(one)
        assert bm.as_graphs(list(one)).y.tolist() == y  # "?" is not the name of a class
    for refused in (lambda: bm.fit("svm-wl", mixed), lambda: mixed.fold(0), lambda: bm.audit(list(mixed)),
                    lambda: bm.audit(list(mixed), mixed.y)):
        with pytest.raises(bm.UsageError, match="no class"):
            refused()
    for format in ("tu", "dgcnn"):  # which have no way to say so
        with pytest.raises(bm.UsageError, match="class"):
            mixed.save(tmp_path / f"x.{format}", format=format)
    named = bm.as_graphs(mixed, ["a", "b", "a"])  # whoever knows them gives them
    assert named.classes == ["a", "b"] and named.y.tolist() == [0, 1, 0]


def test_graphs_of_no_class_at_all(small, tmp_path):
    (tmp_path / "unlabelled.jsonl").write_text('{"nodes": 3, "edges": [[0, 1], [1, 2]]}\n{"nodes": 2, "edges": [[0, 1]]}\n')
    found = bm.read(tmp_path / "unlabelled.jsonl")
    assert found.y.tolist() == [-1, -1] and found.classes == [] and "without their classes" in repr(found)
    model = bm.fit("svm-wl", small, rounds=1, costs=[1], quiet=True)
    assert len(model.predict(tmp_path / "unlabelled.jsonl")) == len(model.scores(found)) == 2
    found.save(tmp_path / "native")
    for again in (bm.read(tmp_path / "native"), pickle.loads(pickle.dumps(found))):
        assert again.y.tolist() == [-1, -1] and same_graphs(again, found)
    assert pickle.loads(pickle.dumps(found[0])).class_name == "?"
    for refused in (lambda: bm.fit("svm-wl", found), lambda: bm.audit(tmp_path / "unlabelled.jsonl")):
        with pytest.raises(bm.UsageError, match="no class"):
            refused()


def test_pictures(small):
    graph = next(graph for graph in small if len(graph.witness_edges))
    plain, weighed = graph.to_svg(title="a title"), graph.to_svg(weights=np.arange(len(graph.edges)), numbers=False)
    for picture in (plain, weighed):
        edges = [one for one in xml.fromstring(picture).findall(".//{*}g") if one.get("class").startswith("edge")]
        assert len(edges) == len(graph.edges)
    assert "a title" in plain and "#d62728" in plain and plain != weighed
    assert graph._repr_svg_() == graph.to_svg()
    assert bm.from_edges([(300, [])])[0]._repr_svg_() is None
    for wrong in ([1.0], np.full(len(graph.edges), -1.0), np.full(len(graph.edges), np.nan)):
        with pytest.raises(bm.UsageError, match="weights"):
            graph.to_svg(weights=wrong)
