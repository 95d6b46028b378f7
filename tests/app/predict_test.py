#!/usr/bin/env python3
"""predict: the table of answers, and whether answers survive a renumbering of the nodes."""
import json
import os
import pathlib
import unittest

from program import ProgramTest
from sealed import Sealed

PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])


class PredictTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(PLUGINS / "looking")
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        self.make_dataset("data")

    def train(self, method):
        self.run_program("train", method, "data", "-o", "run", "--quiet", "--force")

    def table(self, name):
        header, *rows = (self.folder / name).read_text().splitlines()
        return header, [row.split("\t") for row in rows]


class ManyClasses(ProgramTest):
    def test_f1_of_every_class(self):
        lines = []
        for i in range(60):
            edges = [[j, j + 1] for j in range(2 + i % 3)]
            lines.append(json.dumps({"id": f"g{i}", "class": "abc"[i % 3], "nodes": 3 + i % 3, "edges": edges}))
        (self.folder / "three.jsonl").write_text("\n".join(lines) + "\n")
        said = ["#id\tclass"] + [f"g{i}\t{'aab'[i % 3]}" for i in range(60)]
        (self.folder / "answers.tsv").write_text("\n".join(said) + "\n")
        told = self.run_json("score", "answers.tsv", "three.jsonl")
        self.assertEqual(told["f1"], [2 * 20 / 60, 0, 0])
        self.assertEqual(told["classes"], ["a", "b", "c"])
        text = self.run_program("score", "answers.tsv", "three.jsonl").stdout
        self.assertNotIn("F1 of class", text)
        self.assertRegex(text, r"true . said +a +b +c +F1 %\n +a +20 +0 +0 +66.67\n")
        trained = self.run_json("train", "svm-wl", "three.jsonl", "-o", "run")
        self.assertEqual(trained["test"]["f1"], [1, 1, 1])
        self.assertEqual(self.run_json("predict", "run", "three.jsonl")["f1"], [1, 1, 1])
        self.assertIn("F1 %", self.run_program("predict", "run", "three.jsonl").stdout)


class Relabelling(PredictTest):
    def test_a_method_that_looks_at_the_graph_alone_never_changes(self):
        self.train("svm-wl")
        told = self.run_json("predict", "run", "data", "--relabel", 3, "-o", "answers.tsv")
        self.assertEqual(told["relabelling_sensitivity"], 0)
        self.assertEqual(told["relabelling_rounds"], 3)
        header, rows = self.table("answers.tsv")
        self.assertEqual(header, "#id\tclass\tscore\tstable\tscore of 0\tscore of 1")
        self.assertEqual({row[3] for row in rows}, {"1"})
        for row in rows:
            self.assertEqual(row[2], row[4 + int(row[1])])
            self.assertEqual(float(row[2]), max(float(score) for score in row[4:]))
        self.assertEqual(len(rows), 520)

    def test_a_method_that_looks_at_node_order_is_found_out(self):
        self.train("looks-at-order")
        done = self.run_program("predict", "run", "data", "--split", "test", "-o", "answers.tsv")
        told = self.run_json("predict", "run", "data", "--split", "test")
        share = told["relabelling_sensitivity"]
        self.assertGreater(share, 0.05)
        self.assertIn(f"answers that change when nodes are renumbered: {share * 100:.1f} % (1 round)\n",
                      done.stdout)
        _, rows = self.table("answers.tsv")
        self.assertAlmostEqual(sum(row[3] == "0" for row in rows) / 60, share)

    def test_rounds_and_seeds(self):
        self.train("looks-at-order")
        predict = ["predict", "run", "data", "--split", "train"]
        shares = {seed: self.run_json(*predict, "--seed", seed)["relabelling_sensitivity"]
                  for seed in (1, 2, 3)}
        self.assertEqual(shares[1], self.run_json(*predict)["relabelling_sensitivity"])
        self.assertGreater(len(set(shares.values())), 1)
        told = self.run_json(*predict, "--relabel", 4, "-o", "answers.tsv")
        self.assertGreater(told["relabelling_changed_in_any_round"], told["relabelling_sensitivity"])
        _, rows = self.table("answers.tsv")
        self.assertLessEqual({row[3] for row in rows}, {"0", "0.25", "0.5", "0.75", "1"})
        stable = [float(row[3]) for row in rows]
        self.assertAlmostEqual(1 - sum(stable) / len(stable), told["relabelling_sensitivity"])
        self.assertAlmostEqual(sum(share < 1 for share in stable) / len(stable),
                               told["relabelling_changed_in_any_round"])
        self.assertIn("(mean of 4 rounds; ", self.run_program(*predict, "--relabel", 4).stdout)

    def test_it_can_be_switched_off(self):
        self.train("looks-at-order")
        told = self.run_json("predict", "run", "data", "--relabel", 0, "-o", "answers.tsv")
        self.assertEqual(told["relabelling_rounds"], 0)
        self.assertNotIn("relabelling_sensitivity", told)
        self.assertEqual(self.table("answers.tsv")[0], "#id\tclass\tscore\tscore of 0\tscore of 1")
        self.assertNotIn("renumbered", self.run_program("predict", "run", "data", "--relabel", 0).stdout)
        self.assert_refused("predict", "run", "data", "--relabel", -1, says="--relabel")


class Folds(PredictTest):
    def test_they_are_those_that_train_uses(self):
        self.train("svm-wl")
        run = json.loads((self.folder / "run" / "run.json").read_text())
        told = self.run_program("folds", "data", "-o", "folds.tsv")
        self.assertIn("10 folds of 40 40 40 40 40 40 40 40 40 40 graphs of the split train", told.stdout)
        header, rows = self.table("folds.tsv")
        self.assertEqual(header, "#id\tsplit\tfold")
        self.assertEqual(len(rows), 520)
        self.assertEqual([row[0] for row in rows if row[2] == "0"], run["validation_ids"])
        self.assertEqual({row[2] for row in rows if row[1] != "train"}, {"-"})
        self.assertEqual(self.run_program("folds", "data").stdout, (self.folder / "folds.tsv").read_text())
        as_json = self.run_json("folds", "data")
        self.assertEqual(as_json["folds"][0], run["validation_ids"])
        self.assertEqual(as_json["test"], "split")
        self.assert_refused("folds", "data", "-o", "folds.tsv", says="folds.tsv")


class Score(PredictTest):
    def test_answers_of_predict_score_as_predict_says(self):
        self.train("svm-wl")
        said = self.run_json("predict", "run", "data", "--split", "test", "-o", "answers.tsv")
        told = self.run_json("score", "answers.tsv", "data", "--split", "test")
        for figure in ("count", "accuracy", "macro_f1", "positive_f1", "confusion"):
            self.assertEqual(told[figure], said[figure])
        low, high = told["accuracy_interval"]
        self.assertTrue(low < told["accuracy"] < high)
        self.assertEqual(sum(part["graphs"] for part in told["by"]["nodes"]), 60)
        right = sum(part["graphs"] * part["accuracy"] for part in told["by"]["nodes"])
        self.assertAlmostEqual(right / 60, told["accuracy"])
        self.assertIn("95 % interval", self.run_program("score", "answers.tsv", "data", "--split", "test").stdout)

    def test_faults(self):
        self.train("svm-wl")
        self.run_program("predict", "run", "data", "--split", "test", "-o", "answers.tsv")
        header, first, *rest = (self.folder / "answers.tsv").read_text().splitlines()
        graph = first.split("\t")[0]
        for lines, says in (([header, first, *rest, first], f"answers.tsv:62: found graph '{graph}' again"),
                            ([header, *rest], f"no answer for 1 of 60 graphs, '{graph}' among them"),
                            ([f"{graph}\tyes", *rest], "answers.tsv:1: found class 'yes', expected one of 0, 1"),
                            (["nobody\t1"], "answers.tsv:1: found graph 'nobody'"),
                            ([graph], "expected an id, a tab and a class")):
            (self.folder / "answers.tsv").write_text("\n".join(lines) + "\n")
            with self.subTest(says):
                self.assert_refused("score", "answers.tsv", "data", "--split", "test", says=says)


class EvalShuffles(PredictTest):
    def test_it_reaches_the_method(self):
        self.train("looks-at-order")
        for options, score in ([], "4"), (["--eval-shuffles", 7], "7"):
            self.run_program("predict", "run", "data", "-o", "answers.tsv", "--force", *options)
            self.assertEqual({row[2] for row in self.table("answers.tsv")[1]}, {score})

    def test_faults(self):
        self.train("looks-at-order")
        for value in (0, 101, "many"):
            self.assert_refused("predict", "run", "data", "--eval-shuffles", value,
                                says=f"--eval-shuffles: found '{value}'")
        self.train("svm-labels")
        self.assert_refused("predict", "run", "data", "--eval-shuffles", 2,
                            says="svm-labels has no --eval-shuffles")


class Faults(PredictTest):
    def test_table(self):
        self.train("svm-labels")
        (self.folder / "answers.tsv").write_text("mine")
        for arguments, says in (
                (["predict", "nowhere", "data"], "nowhere: no model there"),
                (["predict", "data", "data"], "no model there"),
                (["predict", "run", "data", "--split", "east"], "no split named 'east'"),
                (["predict", "run", "data", "-o", "answers.tsv"], "--force")):
            with self.subTest(arguments):
                self.assert_refused(*arguments, says=says)
        self.assertEqual((self.folder / "answers.tsv").read_text(), "mine")

    def test_a_class_that_the_model_does_not_know(self):
        self.train("svm-labels")
        (self.folder / "x.jsonl").write_text('{"nodes": 2, "edges": [[0, 1]], "class": "blue"}\n')
        self.assert_refused("predict", "run", "x.jsonl", says="class 'blue' is not one of the model's")


    def test_their_classes_may_be_left_out_of_account(self):
        self.train("svm-labels")
        (self.folder / "x.jsonl").write_text('{"nodes": 2, "edges": [[0, 1]], "class": "blue"}\n')
        self.assert_refused("predict", "run", "x.jsonl", says="(1 of 1 graphs are of it)")
        self.assertEqual(self.run_json("predict", "run", "x.jsonl", "--ignore-classes")["with_class"], 0)


class WithoutClasses(PredictTest):
    def setUp(self):
        super().setUp()
        self.run_program("convert", "data", "-o", "data.jsonl", "--to", "jsonl", "--quiet")
        self.lines = [json.loads(line) for line in (self.folder / "data.jsonl").read_text().splitlines()]
        self.train("svm-wl")

    def write(self, name, lines):
        (self.folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_none_has_one(self):
        self.write("x.jsonl", [{**line, "class": None} for line in self.lines])
        said = self.run_json("predict", "run", "data", "-o", "said.tsv")
        told = self.run_json("predict", "run", "x.jsonl", "-o", "answers.tsv")
        self.assertEqual((told["count"], told["with_class"]), (520, 0))
        for figure in ("accuracy", "macro_f1", "positive_f1", "confusion"):
            self.assertIsNone(told[figure])
        self.assertEqual(told["answers"], said["answers"])
        self.assertEqual(sum(told["answers"].values()), 520)
        self.assertEqual(self.table("answers.tsv"), self.table("said.tsv"))
        text = self.run_program("predict", "run", "x.jsonl").stdout
        self.assertIn("svm-wl on 520 graphs, none with a class\nanswered 0: ", text)
        self.assertNotIn("accuracy", text)

    def test_some_have_one(self):
        test = [line for line in self.lines if line["split"] == "test"]
        rest = [{key: value for key, value in line.items() if key != "class"}
                for line in self.lines if line["split"] != "test"]
        self.write("x.jsonl", rest + test)
        said = self.run_json("predict", "run", "data", "--split", "test")
        told = self.run_json("predict", "run", "x.jsonl")
        self.assertEqual((told["count"], told["with_class"]), (520, 60))
        for figure in ("accuracy", "macro_f1", "positive_f1", "confusion"):
            self.assertEqual(told[figure], said[figure])
        text = self.run_program("predict", "run", "x.jsonl").stdout
        self.assertIn("on 520 graphs, 60 of them with a class\n", text)
        self.assertIn("the 60 with a class: accuracy ", text)

    def test_other_commands(self):
        self.write("x.jsonl", [{**line, "class": None} for line in self.lines])
        self.assertEqual(self.run_json("info", "x.jsonl")["splits"]["test"]["without_class"], 60)
        self.assertIn("520 graphs, no classes\n", self.run_program("info", "x.jsonl").stdout)
        self.assertIn("class ?, ", self.run_program("draw", "x.jsonl", "-o", "x.svg").stdout)
        self.assertIsNone(self.run_json("draw", "x.jsonl", "-o", "y.svg", "--class", "?")["class"])
        self.run_program("convert", "x.jsonl", "-o", "native", "--to", "native", "--quiet")
        self.assertIn("\t?\t", (self.folder / "native" / "test.tsv").read_text())
        self.assert_refused("convert", "x.jsonl", "-o", "x.txt", "--to", "dgcnn", says="without a class")
        self.assertEqual(self.run_json("predict", "run", "native")["count"], 520)
        for command in (["audit"], ["verify"], ["folds"], ["filter", "-o", "out"]):
            self.assert_refused(command[0], "native", *command[1:],
                                says="train.tsv:2: found '?', expected a class of every graph")
        self.assert_refused("score", "answers.tsv", "native", says="found '?'")


class UnlikeTraining(PredictTest):
    """What a model was never shown is said, in one line with counts."""

    def notes(self, graphs, *options):
        (self.folder / "x.jsonl").write_text("".join(json.dumps(graph) + "\n" for graph in graphs))
        notes = self.run_json("predict", "run", "x.jsonl", *options)["notes"]
        told = self.run_program("predict", "run", "x.jsonl", *options)
        self.assertEqual([line for line in told.stderr.splitlines() if line.startswith("note: ")],
                         [f"note: {note}" for note in notes])
        return notes

    def test_it_is_said(self):
        graph = {"nodes": 6, "edges": [[0, 1]]}
        labelled = {**graph, "node_labels": [0, 1, 2, 0, 1, 2], "edge_labels": [4]}
        (self.folder / "train.jsonl").write_text("".join(
            json.dumps({**labelled, "class": i % 2, "nodes": 6}) + "\n" for i in range(60)))
        self.run_program("train", "svm-labels", "train.jsonl", "-o", "run", "--quiet")
        self.assertEqual(self.notes([labelled]), [])
        self.assertEqual(self.notes([graph]), ["training had node labels, these graphs have none",
                                               "training had edge labels, these graphs have none"])
        strange = {**labelled, "node_labels": [0, 7, 9, 0, 9, 1]}
        self.assertEqual(self.notes([labelled, strange, graph]),
                         ["training had node labels, 1 of 3 graphs has none",
                          "1 of 3 graphs has node labels that training never saw (7, 9)",
                          "training had edge labels, 1 of 3 graphs has none"])
        self.assertEqual(self.notes([{**labelled, "attributes": [[1.0]] * 6}]),
                         ["training had 0 node attributes, 1 of 1 graphs has 1"])
        large = {"nodes": 9, "edges": [[0, 1]], "node_labels": [0] * 9, "edge_labels": [4]}
        self.assertEqual(self.notes([large, labelled]), ["1 of 2 graphs has more nodes than any of training (6)"])
        self.assertEqual(self.notes([labelled] * 10 + [large]), [])

    def test_another_task(self):
        self.train("svm-wl")
        self.assertEqual(self.run_json("predict", "run", "data")["notes"], [])
        self.run_program("generate", "clique-distance", "-o", "other", "--count", 20, "--quiet")
        told = self.run_json("predict", "run", "other")
        self.assertIn("training was on task triangles, these graphs were made for clique-distance", told["notes"])
        done = self.run_program("predict", "run", "other", "--quiet")
        self.assertNotIn("note", done.stderr)

    def test_a_model_file_of_before_says_nothing(self):
        self.train("svm-labels")
        model = Sealed(self.folder / "run" / "model.bermuda")
        del model.header["training"]
        model.write()
        self.assertEqual(self.run_json("predict", "run", "data")["notes"], [])

    def test_what_a_stranger_wrote_there_is_checked(self):
        self.train("svm-labels")
        model = Sealed(self.folder / "run" / "model.bermuda")
        training = model.header["training"]
        for wrong in (7, [], {}, {**training, "max_nodes": -1}, {**training, "node_labels": "many"},
                      {**training, "node_labels": [1.5]}, {**training, "edge_labels": [1 << 40]},
                      {**training, "task": 7}, {**training, "mean_nodes": "x"}, {**training, "graphs": None}):
            model.write({**model.header, "training": wrong})
            with self.subTest(wrong):
                self.assert_refused("predict", "run", "data", says="model.bermuda: found")


if __name__ == "__main__":
    unittest.main()
