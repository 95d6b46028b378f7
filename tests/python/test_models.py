"""Methods: what `bermuda train` and `bermuda predict` say."""
import os
import pickle
import sys

import numpy as np
import pytest

import bermuda as bm

TIMES = ("seconds", "cpu_seconds")


def without_times(result):
    return {name: value for name, value in result.items() if name not in TIMES}


@pytest.mark.parametrize("method, options", [
    ("svm-wl", {"max_rounds": 3}),
    ("svm-graphlet", {"samples": 200, "connected": True}),
    ("svm-labels", {"costs": [0.1, 10]}),
])
def test_fit_is_train(method, options, tu, program):
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        words += [flag] if value is True else [flag, ",".join(map(str, value)) if isinstance(value, list) else value]
    expected = program.json("train", method, tu / "MUTAG", "-o", "run", "--fold", 3, "--seed", 7, *words)
    model = bm.fit(method, tu / "MUTAG", fold=3, seed=7, quiet=True, **options)
    assert without_times(model.result) == without_times(expected)
    model.save(program.folder / "model.bermuda")
    with pytest.raises(bm.UsageError, match="exists"):
        model.save(program.folder / "model.bermuda")
    assert (program.folder / "model.bermuda").read_bytes() == (program.folder / "run/model.bermuda").read_bytes()


def test_predict_is_predict(small, program):
    small.save(program.folder / "data")
    program.run("train", "svm-wl", "data", "-o", "run")
    program.run("predict", "run", "data", "--split", "test", "-o", "answers.tsv")
    rows = [line.split("\t") for line in (program.folder / "answers.tsv").read_text().splitlines()[1:]]
    model = bm.fit("svm-wl", small, quiet=True)
    said = model.predict(small.test)
    assert [model.classes[label] for label in said] == [row[1] for row in rows]
    scores = model.scores(small.test)
    assert np.allclose(scores[np.arange(len(said)), said], [float(row[2]) for row in rows], rtol=1e-5)
    assert model.score(small.test) == model.result["test_accuracy"]
    assert model.predict(small.test.to_networkx()).tolist() == said.tolist()
    for again in (pickle.loads(pickle.dumps(model)), bm.load(program.folder / "run")):
        assert again.predict(small.test).tolist() == said.tolist()
        assert again.options == model.options


def test_folds_are_those_of_train(small, tu):
    train, validation, test = small.fold(2)
    assert [len(train), len(validation)] == [360, 40]
    assert [graph.id for graph in test] == [graph.id for graph in small.test]
    tested = [graph.id for fold in range(10) for graph in bm.read(tu / "MUTAG").fold(fold)[2]]
    assert len(tested) == len(set(tested)) == 188


def test_what_cannot_be_fitted(small):
    with pytest.raises(bm.UsageError, match="did you mean"):
        bm.fit("svm-lw", small, quiet=True)
    with pytest.raises(bm.UsageError, match="max.rounds"):
        bm.fit("svm-wl", small, max_round=3)
    with pytest.raises(bm.UsageError, match="fold"):
        bm.fit("svm-wl", small, fold=10)
    with pytest.raises(bm.UsageError, match="one class"):
        bm.fit("svm-wl", small.to_networkx())


def test_methods_and_parameters_are_listed():
    assert {"svm-wl", "gin+d"} <= set(bm.methods())
    assert [entry["name"] for entry in bm.parameters("svm-wl")][:2] == ["min_rounds", "max_rounds"]


@pytest.fixture(scope="module")
def neural(small):
    """A neural model, which the program asks."""
    if os.environ.get("BERMUDA_NEURAL") != "ON":
        pytest.skip("built without the neural methods")
    return bm.fit("gin+d", small, max_epochs=2, quiet=True)


def test_neural_methods_are_run_by_the_program(small, neural):
    assert neural.result["epochs"] == 2
    assert neural.score(small.test) == pytest.approx(neural.result["test_accuracy"])
    assert "torch" in sys.modules or "libtorch" not in open("/proc/self/maps").read()


def test_scores_of_neural_methods_are_those_of_predict(small, neural, program):
    neural.save(program.folder / "model.bermuda")
    small.save(program.folder / "data")
    program.run("predict", "model.bermuda", "data", "--split", "test", "-o", "answers.tsv")
    header, *rows = ((program.folder / "answers.tsv").read_text().splitlines())
    column = header.split("\t").index("score of 1")
    scores = neural.scores(small.test)
    assert scores.shape == (60, 2)
    assert scores[:, 1].tolist() == [float(row.split("\t")[column]) for row in rows]
    assert scores.argmax(axis=1).tolist() == neural.predict(small.test).tolist()
    twice = neural.predict(small.test[[3, 3]])  # ids that are there twice do no harm
    assert twice.tolist() == neural.predict(small.test)[[3, 3]].tolist()


def test_neural_models_are_loaded_and_pickled(small, neural, program, tmp_path):
    small.save(program.folder / "data")
    program.run("train", "gin+d", "data", "-o", "run", "--max-epochs", 2)
    run = bm.load(program.folder / "run")
    neural.save(tmp_path / "model.bermuda")
    with pytest.raises(bm.UsageError, match="exists"):
        neural.save(tmp_path / "model.bermuda")
    file = bm.load(tmp_path / "model.bermuda")
    for again in (run, file, pickle.loads(pickle.dumps(neural)), pickle.loads(pickle.dumps(file))):
        assert isinstance(again, bm.ProgramModel)
        assert (again.method, again.classes, again.options) == ("gin+d", ["0", "1"], neural.options)
        assert again.scores(small.test).tolist() == neural.scores(small.test).tolist()
    assert run.result["test_accuracy"] == neural.result["test_accuracy"] and file.result.keys() == {"options"}
    broken = (tmp_path / "model.bermuda").read_bytes()[:-70] + b"x" * 70
    (tmp_path / "broken.bermuda").write_bytes(broken)
    with pytest.raises(bm.InputError, match="broken.bermuda: .*checksum"):
        bm.load(tmp_path / "broken.bermuda")
    with pytest.raises(bm.InputError, match="model file"):
        bm.load(__file__)
    with pytest.raises(FileNotFoundError):
        bm.load(tmp_path / "nothing")


def test_neural_models_explain(small, neural, program):
    """A weight for every edge, in the order of `edges`, as the command line has it."""
    small.save(program.folder / "data")
    neural.save(program.folder / "model.bermuda")
    expected = program.json("explain", "model.bermuda", "data", "--split", "test", "--top", 2)
    found = neural.explain(small.test, top=2)
    assert found.to_dict() == expected and found.top == 2
    assert found.with_witness["graphs"] == 30 and "gradient" in found.how
    assert found.answered_right == expected["answered_right"]
    assert [len(weights) for weights in found] == [len(graph.edges) for graph in small.test]
    place = int(np.flatnonzero(small.test.y == 1)[0])
    graph = small.test[place]
    one = program.json("explain", "model.bermuda", "data", "--graph", graph.id, "-o", "one.svg")
    assert [entry["edge"] for entry in one["edges"]] == graph.edges.tolist()
    assert np.allclose([entry["weight"] for entry in one["edges"]], found[place], rtol=1e-4)
    assert "in the witness" in str(found) and found.to_svg(place).startswith("<?xml")
    # Graphs of other classes, and without witnesses.
    foreign = neural.explain(bm.from_edges([(3, [(0, 1), (1, 2)]), (2, []), (2, [(0, 1)])], y=["a", "b", "a"]))
    assert [len(weights) for weights in foreign] == [2, 0, 1]
    assert foreign.answered_right is None and foreign.with_witness["graphs"] == 0
    with pytest.raises(bm.UsageError, match="no layers"):
        neural.explain(small.test, layers=[1])


def test_other_methods_cannot_explain(small):
    model = bm.fit("svm-labels", small, quiet=True)
    with pytest.raises(bm.UsageError, match="svm-labels cannot tell which edges it looks at"):
        model.explain(small.test)


PROGRAM = """
import json, pathlib, sys
import bermuda as bm
folder = pathlib.Path(sys.argv[-1])
run, data = json.loads((folder / "run.json").read_text()), bm.read(folder)
assert set(data.test.y.tolist()) == {-1} and data.classes == run["classes"]
kept = folder / "model" / "model.bermuda"
if run["learn"]:
    assert min(data.train.y.tolist() + data.valid.y.tolist()) == 0
    bm.fit("svm-wl", data.train, rounds=1, costs=[1], quiet=True).save(kept)
with open(folder / "answers.tsv", "w") as answers:
    for graph, said in zip(data.test, bm.load(kept).predict(data.test)):
        print(graph.id, run["classes"][said], sep="\\t", file=answers)
"""


@pytest.fixture
def own(small, tmp_path):
    """A program that reads its run's folder with this package."""
    (tmp_path / "own.py").write_text(PROGRAM)
    return bm.fit("command", small, command=f"{sys.executable} {tmp_path / 'own.py'}", quiet=True)


def test_programs_are_asked_again(small, own, program, tmp_path):
    said = own.predict(small.test)
    assert own.method == "command" and np.mean(said == small.test.y) == own.result["test_accuracy"]
    assert own.score(small.test) == own.result["test_accuracy"]
    assert pickle.loads(pickle.dumps(own)).predict(small.test[:2]).tolist() == said[:2].tolist()
    own.save(tmp_path / "own.bermuda")
    # A file may be anybody's: whoever loads it decides.
    with pytest.raises(bm.UsageError, match=r"runs the command '.*own.py'; load\(path, run_command=True\)"):
        bm.load(tmp_path / "own.bermuda").predict(small.test)
    assert bm.load(tmp_path / "own.bermuda", run_command=True).predict(small.test).tolist() == said.tolist()
    small.test.save(tmp_path / "test")
    program.run("predict", "own.bermuda", "test", "--run-command", "-o", "answers.tsv", "--relabel", 0)
    rows = [row.split("\t") for row in (tmp_path / "answers.tsv").read_text().split("\n")[1:-1]]
    assert [int(row[1]) for row in rows] == said.tolist()


def test_programs_are_asked_about_graphs_without_a_class(small, own, tmp_path):
    (tmp_path / "unlabelled.jsonl").write_text('{"nodes": 3, "edges": [[0, 1], [1, 2]]}\n' * 3)
    said = own.predict(tmp_path / "unlabelled.jsonl")
    assert len(said) == 3 and set(said.tolist()) <= {0, 1}
    assert own.scores(tmp_path / "unlabelled.jsonl").shape == (3, 2)
    # What classes the graphs have is no matter: they are not told.
    assert bm.read(own._asked(small.test, tmp_path, False)[1]).y.tolist() == [-1] * len(small.test)
    foreign = bm.from_edges([(3, [(0, 1), (1, 2)])] * 2, y=["a", "b"])
    assert own.predict(foreign).tolist() == said[:2].tolist()
    with pytest.raises(bm.UsageError, match="no class"):
        own.score(tmp_path / "unlabelled.jsonl")
    with pytest.raises(bm.UsageError, match="no class"):
        bm.fit("command", tmp_path / "unlabelled.jsonl", command="true")


def test_tables_are_read_as_they_were_written(tmp_path):
    (tmp_path / "answers.tsv").write_bytes("#id\tclass\na\u2028b\x85c\t\u00e9\n".encode())
    assert bm.program_model._lines(tmp_path / "answers.tsv") == ["#id\tclass", "a\u2028b\x85c\t\u00e9"]


def test_runs_that_are_loaded_tell_their_result(small, program):
    small.save(program.folder / "data")
    expected = program.json("train", "svm-wl", "data", "-o", "run", "--max-rounds", 1)
    assert bm.load(program.folder / "run").result["test_accuracy"] == expected["test_accuracy"]
    assert bm.load(program.folder / "run/model.bermuda").result == {}


def test_rounds_are_both_ends(small):
    fitted = bm.fit("svm-wl", small, rounds=2, costs=[1], quiet=True)
    assert (fitted.options["min_rounds"], fitted.options["max_rounds"]) == (2, 2)
    with pytest.raises(bm.UsageError, match="given too"):
        bm.fit("svm-wl", small, rounds=2, max_rounds=3)
    with pytest.raises(bm.UsageError, match="rounds"):
        bm.fit("svm-labels", small, rounds=2)


def test_parameters_print_a_line_each():
    lines = str(bm.parameters("svm-wl")).splitlines()
    assert len(lines) == len(bm.parameters("svm-wl")) and lines[0].startswith("min_rounds=1: ")
