#!/usr/bin/env python3
"""Models, checkpoints, run folders and data sets of somebody else: every count is held against the others."""
import copy
import json
import os
import pathlib
import struct
import unittest

from program import ProgramTest
from sealed import Sealed, array, read_array

PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])


class ForeignTest(ProgramTest):
    def refused(self, *arguments, says, **options):
        message = self.assert_refused(*arguments, says=says, **options)
        for word in ("map::", "vector::", "_M_", "std::"):
            self.assertNotIn(word, message)
        return message


class LabelModel:
    """The body of a model of svm-labels."""

    def __init__(self, body):
        self.seed, = struct.unpack_from("<Q", body)
        self.table, at = read_array(body, 8, "i")
        self.classes, self.columns = struct.unpack_from("<ii", body, at)
        self.weights = []
        at += 8
        while at < len(body):
            machine, at = read_array(body, at, "d")
            self.weights.append(machine)

    def bytes(self):
        return (struct.pack("<Q", self.seed) + array(self.table, "i") +
                struct.pack("<ii", self.classes, self.columns) +
                b"".join(array(machine, "d") for machine in self.weights))


class Models(ForeignTest):
    def setUp(self):
        super().setUp()
        self.make_dataset("data")
        self.run_program("train", "svm-labels", "data", "-o", "run", "--quiet")
        self.file = Sealed(self.folder / "run" / "model.bermuda")

    def assert_model_refused(self, says):
        for command in (["predict", "run", "data"], ["predict", "run/model.bermuda", "data"]):
            self.assertIn("run/model.bermuda: found ", self.refused(*command, says=says))

    def test_the_same_bytes_are_written_again(self):
        self.file.write(self.file.header_text, LabelModel(self.file.body).bytes())
        self.assertEqual(self.file.path.read_bytes(), self.file.good)

    def test_names_of_more_classes_than_the_model_has(self):
        for names, says in ((["0", "1", "2"], "a model of 2 classes with the names of 3"),
                            (["0"], "fewer than two classes"), ([], "fewer than two classes"),
                            (["0", "0"], "a class twice")):
            self.file.write({**self.file.header, "classes": names})
            self.assert_model_refused(says)

    def test_a_model_of_more_classes_than_there_are_names(self):
        model = LabelModel(self.file.body)
        model.classes = 40
        model.weights = [[0.0] * len(model.weights[0]) for _ in range(40)]
        model.weights[39][-1] = 1e6  # it would answer 39, whatever it is asked
        self.file.write(body=model.bytes())
        self.assert_model_refused("a model of 40 classes with the names of 2")

    def test_weights_that_are_no_numbers(self):
        for number in (float("nan"), float("inf"), -float("inf")):
            model = LabelModel(self.file.body)
            model.weights[0][0] = number
            self.file.write(body=model.bytes())
            self.assert_model_refused("weights that are no finite numbers")

    def test_weights_that_overflow_are_told(self):
        model = LabelModel(self.file.body)
        model.weights[0] = [1.7e308] * len(model.weights[0])
        self.file.write(body=model.bytes())
        self.refused("predict", "run", "data", says="no finite number", code=1)

    def test_shapes(self):
        def more_columns(model):
            model.columns += 1
            model.weights[0].append(0.0)

        def a_column_twice(model):
            model.table[5] = model.table[2]

        def a_column_that_is_not_there(model):
            model.table[2] = 99

        def a_cut_table(model):
            model.table.pop()

        def fewer_weights(model):
            model.weights[0].pop()

        def another_machine(model):
            model.weights.append(model.weights[0])

        for change, says in ((more_columns, "not that of the feature map"),
                             (a_column_twice, "impossible label column"),
                             (a_column_that_is_not_there, "impossible label column"),
                             (a_cut_table, "does not fit together"),
                             (fewer_weights, "do not fit the number of features"),
                             (another_machine, "bytes after the end")):
            model = LabelModel(self.file.body)
            change(model)
            self.file.write(body=model.bytes())
            with self.subTest(change.__name__):
                self.assert_model_refused(says)

    def test_headers(self):
        text = json.dumps(self.file.header)
        for header, says in (("[]", "expected a JSON object"), ("{", "expected a JSON object"),
                             ("{}", "a header that is wrong"),
                             (text[:-1] + ', "method": "svm-wl"}', "the key 'method' twice"),
                             ({**self.file.header, "method": "svm-lables"}, "did you mean svm-labels?"),
                             ({**self.file.header, "options": {"costs": "x"}}, "--costs"),
                             ({**self.file.header, "options": {"no": "x"}}, "no parameter named 'no'"),
                             ({**self.file.header, "classes": "01"}, "a header that is wrong"),
                             ("[" * 5000, "more than 64 nested brackets")):
            self.file.write(header)
            with self.subTest(says):
                self.assert_model_refused(says)


class Runs(ForeignTest):
    def setUp(self):
        super().setUp()
        self.make_dataset("data")
        self.run_program("train", "svm-labels", "data", "-o", "run", "--quiet")
        self.path = self.folder / "run" / "run.json"
        self.good = json.loads(self.path.read_text())

    def test_run_files_that_cannot_be(self):
        def put(*path):
            *way, last, value = path

            def change(run):
                for key in way:
                    run = run[key]
                run[last] = value
            return change

        square = [[30, 0, 0], [0, 30, 0], [0, 0, 0]]
        for change, says in (
                (put("classes", []), "a confusion matrix of other classes"),
                (put("test", "confusion", square), "a confusion matrix of other classes"),
                (put("test", "confusion", [[30, 0], [0, 30, 0]]), "no square"),
                (put("test", "confusion", [[30, 0], [0, 31]]), "a confusion matrix of 61 graphs"),
                (put("test", "confusion", [[30, -1], [0, 31]]), "'-1' as a number of graphs"),
                (put("test", "confusion", []), "a confusion matrix of other classes"),
                (put("test", "confusion", 7), "no confusion matrix"),
                (put("test", "accuracy", 7), "7 as accuracy"),
                (put("test", "accuracy", 0.123), "0.123 as accuracy, of "),
                (put("test", "macro_f1", -1), "-1 as macro-F1"),
                (put("test", "count", 1e300), "'1e+300' as a number of graphs"),
                (put("test_graphs", 61), "two numbers of test graphs"),
                (put("test", []), "something else"),
                (put("validation_accuracy", 7), "7 as validation accuracy"),
                (put("best_epoch", 2), "best epoch 2 of 1"),
                (put("epochs", 2 ** 40), "'1099511627776' as a number of epochs"),
                (put("seconds", -1), "-1 and "),
                (put("fold", 10), "'10' as a fold"),
                (put("fold", 4294967296), "as a fold"),
                (put("seed", -1), "'-1' as a seed"),
                (put("options", []), "something else"),
                (put("chosen", []), "'[]' as what was chosen"),
                (put("method", 3), "'3' as the method")):
            run = copy.deepcopy(self.good)
            change(run)
            self.path.write_text(json.dumps(run))
            with self.subTest(says):
                message = self.refused("train", "svm-labels", "data", "-o", "run", "--resume", says=says)
                self.assertIn("run/run.json: found ", message)
        self.path.write_text(json.dumps(self.good)[:-1] + ', "fold": 3}')
        self.refused("train", "svm-labels", "data", "-o", "run", "--resume", says="the key 'fold' twice")
        self.path.write_text(json.dumps(self.good))
        self.run_program("train", "svm-labels", "data", "-o", "run", "--resume", "--quiet")


class Checkpoints(ForeignTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(PLUGINS / "counting")
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        self.make_dataset("data")
        self.train = ["train", "counting", "data", "-o", "run"]
        self.run_program(*self.train, "--stop-at", 6, code=1)
        self.file = Sealed(self.folder / "run" / "checkpoint.bermuda")

    def test_what_a_method_cannot_go_on_from_names_the_file(self):
        for state in (b"", b"\0" * 3, b"\0" * 11):
            self.file.write(body=struct.pack("<Q", len(state)) + state)
            if not state:
                continue  # nothing to go on from: it starts anew
            message = self.refused(*self.train, "--resume", says="the data ends early")
            self.assertIn("run/checkpoint.bermuda: found ", message)

    def test_headers(self):
        for key, value, says in (("epochs", -3, "'-3' as a number of epochs"),
                                 ("epochs", 1e300, "as a number of epochs"),
                                 ("seconds", -1, "seconds below zero"), ("seconds", "1", "as seconds"),
                                 ("fold", 99, "'99' as a fold"), ("options", [], "a header that is wrong"),
                                 ("seed", 0.5, "'0.5' as a seed")):
            self.file.write({**self.file.header, key: value})
            with self.subTest(says):
                message = self.refused(*self.train, "--resume", says=says)
                self.assertIn("run/checkpoint.bermuda: found ", message)
        self.file.write(json.dumps(self.file.header)[:-1] + ', "seed": 1}')
        self.refused(*self.train, "--resume", says="the key 'seed' twice")
        self.file.write(body=struct.pack("<Q", 2 ** 60))
        self.refused(*self.train, "--resume", says="the data ends early")
        self.file.restore()
        self.run_program(*self.train, "--resume", "--quiet")


class KeysTwice(ForeignTest):
    def test_in_a_data_set(self):
        (self.folder / "x.jsonl").write_text(
            '{"id": "a", "class": "0", "nodes": 1, "edges": []}\n'
            '{"id": "b", "class": "1", "nodes": 1, "\\u0063lass": "0", "edges": []}\n')
        self.refused("info", "x.jsonl", says="x.jsonl:2: found the key 'class' twice in one object")

    def test_in_a_manifest(self):
        self.make_dataset("data")
        manifest = self.folder / "data" / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"name":', '"name": "x", "name":', 1))
        message = self.refused("info", "data", says="the key 'name' twice in one object")
        self.assertIn("manifest.json: ", message)

    def test_in_a_sidecar(self):
        (self.folder / "plugins").mkdir()
        (self.folder / "plugins" / "x.methods.json").write_text(
            '{"methods": [{"name": "x", "summary": "y", "name": "svm-wl"}]}')
        os.environ["BERMUDA_PLUGINS"] = str(self.folder / "plugins")
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        done = self.run_program("methods", code=2)
        self.assertIn("x.methods.json:1: found the key 'name' twice", done.stderr)


if __name__ == "__main__":
    unittest.main()
