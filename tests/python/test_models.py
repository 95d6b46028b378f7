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


def test_neural_methods_are_run_by_the_program(small):
    if os.environ.get("BERMUDA_NEURAL") != "ON":
        pytest.skip("built without the neural methods")
    model = bm.fit("gin+d", small, max_epochs=2, quiet=True)
    assert model.result["epochs"] == 2
    assert model.score(small.test) == pytest.approx(model.result["test_accuracy"])
    assert "torch" in sys.modules or "libtorch" not in open("/proc/self/maps").read()
