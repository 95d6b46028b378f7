"""scikit-learn: estimators that behave, and figures of the command line."""
import os
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import bermuda as bm
from bermuda.sklearn import GraphClassifier, GraphletFeatures, WLFeatures


@pytest.fixture(scope="module")
def mutag(tu):
    return bm.read(tu / "MUTAG")


def test_the_classifier_is_train(mutag, tu, program):
    expected = program.json("train", "svm-wl", tu / "MUTAG", "-o", "run", "--max-rounds", 3)
    train, validation, test = mutag.fold(0)
    names = np.array([int(name) for name in mutag.classes])
    classifier = GraphClassifier("svm-wl", max_rounds=3)
    classifier.fit(train, names[train.y], validation=(validation, names[validation.y]))
    assert classifier.classes_.tolist() == [-1, 1]
    assert classifier.score(test, names[test.y]) == expected["test_accuracy"]
    program.run("predict", "run", tu / "MUTAG", "-o", "answers.tsv", "--relabel", 0)
    said = [int(line.split("\t")[1]) for line in (program.folder / "answers.tsv").read_text().splitlines()[1:]]
    assert classifier.predict(mutag).tolist() == said
    assert ((classifier.decision_function(mutag) > 0) == (np.array(said) == 1)).all()


def test_parameters_follow_from_the_method():
    classifier = GraphClassifier("svm-wl", max_rounds=3)
    params = classifier.get_params()
    assert params["max_rounds"] == 3 and params["min_rounds"] == 1 and params["seed"] == 1
    assert clone(classifier).get_params() == params
    assert classifier.set_params(max_rounds=2).get_params()["max_rounds"] == 2
    with pytest.raises(ValueError, match="no round; it has"):
        classifier.set_params(round=2)
    with pytest.raises(NotFittedError):
        classifier.predict([(1, [])])


def test_rounds_are_both_ends(mutag):
    classifier = GraphClassifier("svm-wl", rounds=3)
    params = classifier.get_params()
    assert (params["min_rounds"], params["max_rounds"]) == (3, 3)
    assert clone(classifier).get_params() == params
    assert classifier.set_params(rounds=2).get_params()["min_rounds"] == 2
    search = GridSearchCV(GraphClassifier("svm-wl", costs=[1]), {"rounds": [1, 2]}, cv=2).fit(list(mutag), mutag.y)
    assert search.best_estimator_.get_params()["max_rounds"] == search.best_params_["rounds"]


def test_a_neural_classifier_has_scores(small):
    if os.environ.get("BERMUDA_NEURAL") != "ON":
        pytest.skip("built without the neural methods")
    names = np.where(small.y == 1, "yes", "no")
    classifier = pickle.loads(pickle.dumps(GraphClassifier("gin", max_epochs=1).fit(small, names)))
    scores = classifier.decision_function(small.test)
    assert scores.shape == (60,)
    assert np.where(scores > 0, "yes", "no").tolist() == classifier.predict(small.test).tolist()


def test_cross_validation_equals_a_loop_by_hand(mutag):
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    classifier = GraphClassifier("svm-wl", max_rounds=2)
    scores = cross_val_score(classifier, mutag, mutag.y, cv=folds)
    by_hand = [clone(classifier).fit(mutag[train], mutag.y[train]).score(mutag[test], mutag.y[test])
               for train, test in folds.split(np.zeros(len(mutag)), mutag.y)]
    assert scores.tolist() == by_hand and min(scores) > 0.6


def test_pipeline_equals_a_loop_by_hand(mutag):
    folds = StratifiedKFold(5)
    pipeline = make_pipeline(WLFeatures(rounds=2), LinearSVC())
    scores = cross_val_score(pipeline, list(mutag), mutag.y, cv=folds)
    by_hand = []
    for train, test in folds.split(np.zeros(len(mutag)), mutag.y):
        features = WLFeatures(rounds=2)
        machine = LinearSVC().fit(features.fit_transform(mutag[train]), mutag.y[train])
        by_hand.append(machine.score(features.transform(mutag[test]), mutag.y[test]))
    assert scores.tolist() == by_hand and min(scores) > 0.6


def test_grid_search_over_processes(mutag):
    search = GridSearchCV(GraphClassifier("svm-wl"), {"max_rounds": [1, 2]}, cv=3, n_jobs=2)
    assert search.fit(list(mutag), mutag.y).best_params_["max_rounds"] in (1, 2)


def test_wl_features_are_colour_counts():
    path, star = (4, [(0, 1), (1, 2), (2, 3)]), (4, [(0, 1), (0, 2), (0, 3)])
    rows = WLFeatures(rounds=1, normalise=False).fit_transform([path, star]).toarray()
    assert rows.sum(axis=1).tolist() == [8, 8]  # four nodes, two rounds
    assert sorted(rows[0][rows[0] > 0]) == [2, 2, 4] and sorted(rows[1][rows[1] > 0]) == [1, 3, 4]
    normalised = WLFeatures(rounds=1).fit_transform([path, star])
    assert np.allclose(normalised.multiply(normalised).sum(axis=1), 1)


def test_graphlet_features_are_counts():
    features = GraphletFeatures(size=3, raw_counts=True, normalise=False)
    rows = features.fit_transform([(3, [(0, 1), (1, 2)]), (4, [(0, 1), (1, 2), (0, 2), (2, 3)])]).toarray()
    assert rows[0][rows[0] > 0].tolist() == [1]  # a path
    assert sorted(rows[1][rows[1] > 0].tolist()) == [1, 2]  # a triangle, two paths


def test_features_are_pickled(mutag):
    for features in (WLFeatures(rounds=2), GraphletFeatures(size=4, samples=50)):
        rows = features.fit_transform(mutag)
        again = pickle.loads(pickle.dumps(features)).transform(mutag)
        assert (rows != again).nnz == 0
        assert clone(features).get_params() == features.get_params()


def test_graphs_without_a_class(small):
    asked = bm.GraphList(bm.graphs._bermuda.questions(small._core, np.arange(6, dtype=np.int64)))
    model = GraphClassifier("svm-wl", rounds=1, costs=[1]).fit(small.train, small.train.y)
    assert model.predict(asked).tolist() == model.predict(small[:6]).tolist()
    assert (WLFeatures(rounds=1).fit(small.train).transform(asked) != WLFeatures(rounds=1).fit(small.train).transform(
        small[:6])).nnz == 0
    for graphs in (asked, list(asked)):
        with pytest.raises(bm.UsageError, match="no class"):
            GraphClassifier("svm-wl").fit(graphs, asked.y)


def test_wrong_numbers_are_refused(mutag):
    for wrong in (WLFeatures(rounds=-1), WLFeatures(rounds=21), GraphletFeatures(size=6), GraphletFeatures(samples=-1)):
        with pytest.raises(bm.UsageError, match="expected"):
            wrong.fit(mutag)
    with pytest.raises(ValueError, match="one class"):
        GraphClassifier().fit(mutag, np.zeros(len(mutag)))
