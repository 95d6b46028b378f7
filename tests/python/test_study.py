"""Anybody's model in the table: runs of one's own, recorded once, beside methods of ours."""
import json
import pickle
import tomllib

import numpy as np
import pytest
from conftest import same_graphs

import bermuda as bm
from bermuda._toml import toml_of

GRID = """
title = "Small"
folds = "0-1"
[data.triangles]
task = "triangles"
candidates = 4000
filter = {{ train = 400, valid = 60, test = 60 }}
[data.others]
path = "{path}"
[[run]]
methods = ["svm-wl", "svm-labels"]
options = {{ costs = [1] }}
[[run]]
methods = ["svm-wl"]
name = "shallow"
data = ["triangles"]
options = {{ max_rounds = 1, costs = [1] }}
[paper]
source = "Somebody"
[paper.triangles]
svm-wl = 50.5
svm-labels = 50.0
"""


@pytest.fixture
def grid(tmp_path, small):
    small.save(tmp_path / "others")
    file = tmp_path / "small.toml"
    file.write_text(GRID.format(path="others"))
    return file


def right(run, questions=None):
    """Cheats, for the tests: the classes in the order of run.test, or of other questions."""
    questions = questions or run._tested
    return [questions.graphs[place].y for place in questions.order.tolist()]


def test_a_study_of_a_data_set(small, tmp_path):
    study = bm.Study(small, store=tmp_path / "mine.sqlite", compare={"svm-wl": {"max_rounds": 1, "costs": [1]}})
    runs = list(study.runs("mine", folds=[0, 2]))
    assert [(run.data, run.fold) for run in runs] == [("triangles", 0), ("triangles", 2)]
    assert runs[0].seed != runs[1].seed
    for run in runs:
        train, valid, test = small.fold(run.fold)
        assert same_graphs(run.train, train) and same_graphs(run.valid, valid)
        assert run.train.y.tolist() == train.y.tolist()
        order = run._tested.order
        assert same_graphs(run.test, test[order]) and order.tolist() != sorted(order.tolist())
    runs[0].record(scores=np.eye(2)[right(runs[0])])
    assert runs[0].result["accuracy"] == 1.0 and "100.0 %" in repr(runs[0])
    # Done runs are skipped, here and in another session.
    for again in (study, bm.Study(small, store=tmp_path / "mine.sqlite", compare=["svm-wl"])):
        assert [run.fold for run in again.runs("mine", folds=[0, 2])] == [2]
    wrong = [1 - y for y in right(runs[1])]
    runs[1].record(answers=[["0", "1"][y] for y in wrong], seconds=3)
    assert runs[1].result["accuracy"] == 0.0
    with pytest.raises(bm.UsageError, match="recorded already"):
        runs[1].record(answers=wrong)
    assert list(study.runs("mine", folds=[0, 2])) == []
    table = study.table()
    assert table["mine", "triangles"]["mean"] == 50 and [run["fold"] for run in table["mine", "triangles"]["runs"]] == [0, 2]
    expected = bm.fit("svm-wl", small, fold=2, max_rounds=1, costs=[1], quiet=True).result["test_accuracy"]
    assert table["svm-wl", "triangles"]["runs"][1]["figure"] == pytest.approx(expected * 100)
    assert "mine" in str(table) and "svm-wl" in str(table) and "all in" not in str(table)
    study.report(tmp_path / "mine.html")
    assert "mine" in (tmp_path / "mine.html").read_text()
    with pytest.raises(bm.UsageError, match="exists"):
        study.report(tmp_path / "mine.html")


def test_questions_tell_nothing(small, tmp_path):
    run = next(bm.Study(small, store=tmp_path / "mine.sqlite").runs("mine", folds=[0]))
    ids = {graph.id for graph in small}
    for graph in (*run.test, *pickle.loads(pickle.dumps(run.test))):
        assert graph.y == -1 and graph.class_name == "?" and graph.id not in ids
        assert len(graph.witness_nodes) == 0 and graph.hits is None and graph.origin == ""
    assert set(run.test.packed().y.tolist()) == {-1} and not run.test.packed().node_mask.any()
    assert all(graph.graph["y"] == -1 for graph in run.test.to_networkx())
    # The order is one of many: classes do not alternate or stand in blocks as in the file.
    order = right(run)
    assert order != small.test.y.tolist() and 10 < sum(a != b for a, b in zip(order, order[1:])) < 50
    twin = next(bm.Study(small, store=tmp_path / "mine.sqlite").runs("mine", folds=[0]))
    assert same_graphs(run.test, twin.test) and run.seed == twin.seed


def test_a_study_of_a_grid(grid, tmp_path):
    study = bm.Study(grid, store=tmp_path / "mine.sqlite", compare=["svm-wl", "shallow"])
    runs = list(study.runs("mine"))
    assert [(run.data, run.fold) for run in runs] == [("triangles", 0), ("triangles", 1), ("others", 0), ("others", 1)]
    for run in runs:
        run.record(answers=np.zeros(len(run.test), int))
    table = study.table()
    assert [row["method"] for row in table.to_dict()["rows"]] == ["mine", "svm-wl", "shallow"]
    assert table["svm-wl", "triangles"]["paper"] == 50.5 and len(table["svm-wl", "others"]["runs"]) == 2
    assert table["shallow", "others"] is None and table["mine", "others"]["mean"] == 50
    with pytest.raises(KeyError):
        table["svm-labels", "others"]
    # Another model in another session, on fewer columns: the first stays where it is.
    other = bm.Study(grid, store=tmp_path / "mine.sqlite", compare=["svm-wl"], data=["triangles"])
    for run in other.runs("second", folds=[1], seeds=2):
        run.record(answers=["1"] * len(run.test))
    rows = {row["method"]: row["cells"] for row in other.table().to_dict()["rows"]}
    assert set(rows) == {"mine", "second", "svm-wl"} and len(rows["second"][0]["runs"]) == 2


def test_methods_to_compare_with_are_asked_what_the_grid_asks(grid, tmp_path):
    asks = '[ask.again]\nrounds = 2\n[data.triangles.ask.more]\ncount = 40\n[data.others.ask.same]\npath = "others"\n'
    grid.write_text(grid.read_text().replace("[[run]]", asks + "[[run]]", 1))
    (tmp_path / "elsewhere").mkdir()
    study = bm.Study(grid, store=tmp_path / "elsewhere" / "mine.sqlite", compare=["svm-wl"])
    for run in study.runs("mine", folds=[0]):
        run.record(answers=np.zeros(len(run.test), int))
    table = study.table()
    assert set(table["svm-wl", "triangles"]["asked"]) == {"again", "more"}
    assert table["svm-wl", "others"]["asked"]["again"]["figure"] == 0
    assert set(table["svm-wl", "others"]["asked"]) == {"again", "same"}
    assert "asked" not in table["mine", "triangles"]  # only answers for the test graphs were recorded


def test_a_model_of_ones_own_is_asked_what_the_grid_asks(grid, tmp_path):
    asks = '[ask.again]\nrounds = 2\n[data.triangles.ask.twins]\npairs = "degrees"\ncount = 30\n'
    grid.write_text(grid.read_text().replace("[[run]]", asks + "[[run]]", 1))
    study = bm.Study(grid, store=tmp_path / "mine.sqlite", compare=["svm-labels"], data=["triangles"])
    run = next(study.runs("knows", folds=[0]))
    n, m = len(run.test), len(run.asked["twins"])
    assert {name: len(graphs) for name, graphs in run.asked.items()} == {"again": 2 * n, "twins": 60}
    for name, graphs in run.asked.items():
        assert {graph.y for graph in graphs} == {-1} and all(not graph.id.endswith(("-a", "-b")) for graph in graphs)
        assert not any(len(graph.witness_nodes) for graph in graphs)
        order = run._asked[name].order.tolist()
        assert order != sorted(order)
    # Each test graph twice, in two other orders of its nodes.
    again = run._asked["again"].graphs
    for round in range(2):
        assert [graph.id for graph in again[round * n:(round + 1) * n]] == [graph.id for graph in run._tested.graphs]
        assert not same_graphs(again[round * n:(round + 1) * n], run._tested.graphs)
    assert not same_graphs(again[:n], again[n:])
    for wrong, says in (({"twins": [0] * m}, "found twins, expected again, twins"),
                        ({"twins": [0] * m, "again": [0] * n}, f"{n} answers for {2 * n}"),
                        ({"twins": [0], "again": [0] * 2 * n}, "1 answers for 60"),
                        ({"twins": [0] * m, "again": [0] * 2 * n, "more": []}, "expected again, twins")):
        with pytest.raises(bm.UsageError, match=says):
            run.record(answers=[0] * n, asked=wrong)
    # Right about the test graphs, about twins, and about all but five of the renumbered ones.
    told = {name: np.eye(2)[right(run, questions)] for name, questions in run._asked.items()}
    told["again"][:5] = 1 - told["again"][:5]
    run.record(scores=np.eye(2)[right(run)], asked=told)
    figures = {one["name"]: one for one in run.result["asked"]}
    assert (figures["again"]["changed"], figures["again"]["count"]) == (5, 2 * n)
    assert (figures["twins"]["both_right"], figures["twins"]["accuracy"]) == (30, 1)
    # One of each pair: whoever says the same of all.
    run = next(study.runs("one class", folds=[0]))
    run.record(answers=[1] * n, asked={"again": [1] * 2 * n, "twins": ["1"] * m})
    table = study.table()
    cells = {row: table[row, "triangles"]["asked"] for row in ("knows", "one class", "svm-labels")}
    assert [cells[row]["twins"]["figure"] for row in cells] == [100, 0, 0]
    assert cells["knows"]["again"]["figure"] == pytest.approx(100 * 5 / (2 * n)) and cells["one class"]["again"]["figure"] == 0
    assert "twins: pairs with both right" in str(table)


def test_what_cannot_be_recorded(small, tmp_path):
    run = next(bm.Study(small, store=tmp_path / "mine.sqlite").runs("mine", folds=[0]))
    n = len(run.test)
    for wrong, says in (({}, "either"), ({"scores": np.zeros((n, 2)), "answers": [0] * n}, "either"),
                        ({"scores": np.zeros((n, 3))}, "graphs x classes"), ({"scores": np.zeros(n)}, "graphs x classes"),
                        ({"scores": np.full((n, 2), np.nan)}, "finite"), ({"answers": [0] * (n - 1)}, "answers for 60"),
                        ({"answers": [2] * n}, "expected one of 0, 1"), ({"answers": [-1] * n}, "expected one of"),
                        ({"answers": ["a"] * n}, "expected one of"), ({"answers": [0.5] * n}, "expected one of"),
                        *(({"answers": [0] * n, "seconds": wrong}, "seconds: found .* expected a finite number from 0")
                          for wrong in (-1, -0.0001, float("nan"), float("inf"), "long", [1]))):
        with pytest.raises(bm.UsageError, match=says):
            run.record(**wrong)
    assert run.result is None
    run.record(answers=[0] * n)


def test_what_cannot_be_studied(small, grid, tmp_path):
    store = tmp_path / "mine.sqlite"
    with pytest.raises(bm.UsageError, match="no such configuration; there are: controls"):
        bm.Study("tabel1", store=store)
    with pytest.raises(bm.UsageError, match="no 'triangels'; there are: triangles, others"):
        bm.Study(grid, store=store, data=["triangels"])
    with pytest.raises(bm.UsageError, match="expected a list"):
        bm.Study(small, store=store, compare="svm-wl")
    study = bm.Study(small, store=store, compare=["svm-wl"])
    for wrong, says in ((("svm-wl", [0]), "another name"), (("mine", [10]), "fold"), (("mine", []), "at least one")):
        with pytest.raises(bm.UsageError, match=says):
            next(study.runs(wrong[0], folds=wrong[1]))
    next(study.runs("mine", folds=[0]))
    with pytest.raises(bm.UsageError, match="other graphs"):
        bm.Study(bm.generate("triangles", count=40, quiet=True), store=store)
    with pytest.raises(bm.UsageError, match="did you mean"):
        next(bm.Study(small, store=tmp_path / "typed.sqlite", compare=["svm-lw"]).runs("mine", folds=[0]))


def test_grids_are_written_as_they_were_read():
    grid = {"title": 'a "b"\n', "folds": "0-2", "seed": 3, "data": {"x y": {"task": "t", "options": {"a": 1.5}}},
            "run": [{"methods": ["m"], "options": {"b": True, "c": ["d"]}}], "paper": {"x y": {"gin+d": 1.0}}}
    text = toml_of(grid)
    assert tomllib.loads(text) == grid, text


@pytest.mark.parametrize("name", ["caf\u00e9", "\U0001f9ea gin", "a\x7fb", "a\u2028b", "tab\t\x01", 'a"b\\', "", "a.b"])
def test_names_of_any_characters_are_written(name):
    grid = {name: {"of": name}, "run": [{"name": name, "options": {name: [name]}}]}
    assert tomllib.loads(toml_of(grid)) == grid


@pytest.mark.parametrize("value", [None, float("nan"), float("-inf"), 2**63, "\ud83d", {1: 2}, {"\udc00": 1}, {1}, np.nan])
def test_what_toml_does_not_have_is_refused(value):
    for grid in ({"a": value}, {"a": {"b": [value]}}, {"run": [{"options": {"b": value}}]}):
        with pytest.raises(bm.UsageError, match="found .* expected"):
            toml_of(grid)


def test_numbers_of_numpy_are_written():
    grid = {"a": np.int64(3), "b": np.float64(0.5), "c": np.arange(2), "d": np.True_}
    assert tomllib.loads(toml_of(grid)) == {"a": 3, "b": 0.5, "c": [0, 1], "d": True}


def test_names_of_rows(small, tmp_path):
    """Those outside the basic plane are as good as others; one that is refused leaves no trace."""
    study = bm.Study(small, store=tmp_path / "mine.sqlite")
    file = tmp_path / "mine.study.toml"
    bad = ("\ud83d", "", 3)
    for name in bad:
        with pytest.raises(bm.Error):
            next(study.runs(name, folds=[0]))
        assert not file.exists(), name
    run = next(study.runs("\U0001f9ea gin", folds=[0]))
    run.record(answers=[0] * len(run.test))
    next(study.runs("a\x7fb", folds=[0]))
    before = file.read_bytes()
    for name in bad:
        with pytest.raises(bm.Error):
            next(study.runs(name, folds=[1]))
        assert file.read_bytes() == before
    again = bm.Study(small, store=tmp_path / "mine.sqlite")
    assert again.table()["\U0001f9ea gin", "triangles"]["mean"] == 50
    with pytest.raises(bm.UsageError, match="found None, expected"):
        next(bm.Study(small, store=tmp_path / "mine.sqlite", compare={"svm-wl": {"costs": None}}).runs("mine", folds=[0]))
    assert file.read_bytes() == before and list(study.runs("\U0001f9ea gin", folds=[0])) == []


def test_a_study_goes_on_with_another_version_of_the_program(small, tmp_path):
    bm.Study(small, store=tmp_path / "mine.sqlite")
    file = tmp_path / "mine.data" / "manifest.json"
    manifest = json.loads(file.read_text())
    file.write_text(json.dumps({**manifest, "program_version": "99.0"}))
    assert next(bm.Study(small, store=tmp_path / "mine.sqlite").runs("mine", folds=[0])).fold == 0
    file.write_text(json.dumps({**manifest, "classes": ["no", "yes"]}))
    with pytest.raises(bm.UsageError, match="other graphs"):
        bm.Study(small, store=tmp_path / "mine.sqlite")
    file.write_text(json.dumps(manifest))
    (tmp_path / "mine.data" / "more.tsv").write_text("")
    with pytest.raises(bm.UsageError, match="other graphs"):
        bm.Study(small, store=tmp_path / "mine.sqlite")
