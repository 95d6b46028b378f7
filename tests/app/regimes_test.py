#!/usr/bin/env python3
"""regimes: trained models asked over sizes, degrees and distances; test splits of other sizes."""
import json
import unittest

from program import SMALL, ProgramTest

# Answers 1 for every graph and counts how often it is started.
ALWAYS_ONE = """
import pathlib, sys
folder = pathlib.Path(sys.argv[-1])
with open({log!r}, "a") as log:
    log.write("run\\n")
(folder / "model" / "learnt").write_text("1")
answers = ["#id\\tclass"]
for name in ("valid.tsv", "test.tsv"):
    if (folder / name).exists():
        answers += [line.split("\\t")[0] + "\\t1" for line in (folder / name).read_text().splitlines()[1:]]
(folder / "answers.tsv").write_text("\\n".join(answers) + "\\n")
"""


class Regimes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program("dataset", "triangles", "-o", "data", "--seed", 3, "--quiet", *SMALL)
        self.run_program("train", "svm-wl", "data", "-o", "run", "--quiet")

    def test_a_map(self):
        told = self.run_json("regimes", "run", "--nodes", "8:24:8", "--degree", "2:3", "--graphs", 40)
        self.assertEqual(told["task"], "triangles")
        self.assertEqual(told["parameters"]["max_partners"], 3)
        model = told["models"][0]
        self.assertEqual(len(model["cells"]), 6)
        self.assertEqual(model["method"], "svm-wl")
        self.assertEqual(model["relabelling_sensitivity"], 0)
        self.assertEqual([cell["trained"] for cell in model["cells"]], [True, True, False] * 2)
        for cell in model["cells"]:
            self.assertEqual(cell["graphs"], 40)
            self.assertEqual(cell["graphs_by_class"], [20, 20])
            low, high = cell["interval"]
            self.assertTrue(low < cell["accuracy"] < high)
            self.assertTrue(cell["degree"][0] <= cell["mean_degree"] <= cell["degree"][1])
        text = self.run_program("regimes", "run", "--nodes", "8:24:8", "--graphs", 40, "--quiet").stdout
        self.assertIn("svm-wl on triangles: accuracy in per cent\n", text)
        self.assertRegex(text, r"\n +[0-9.]+\* +[0-9.]+\* +[0-9.]+ \n")

    def test_twins(self):
        told = self.run_json("regimes", "run", "--nodes", 10, "--graphs", 10, "--twins", 50)
        twins = told["models"][0]["twins"]
        self.assertEqual((twins["count"], twins["same"]), (50, "degrees"))
        self.assertEqual(twins["both_right"] + twins["one_right"] + twins["none_right"], 50)
        text = self.run_program("regimes", "run", "--nodes", 10, "--graphs", 10, "--twins", 50, "--quiet").stdout
        self.assertIn("twins that agree in degrees: ", text)

    def test_threads_change_nothing(self):
        words = ("regimes", "run", "--nodes", "8:16:8", "--graphs", 30, "--threads")
        self.assertEqual(self.run_json(*words, 1), self.run_json(*words, 2))
        self.assertNotEqual(self.run_json(*words, 1), self.run_json(*words, 1, "--seed", 2))

    def test_files(self):
        words = ("regimes", "run", "--nodes", "8:16:8", "--graphs", 10, "--quiet")
        for name, holds in (("map.html", "<title>Bermuda regimes</title>"), ("map.json", '"bermuda_regimes": 1')):
            self.run_program(*words, "-o", name)
            self.assertIn(holds, (self.folder / name).read_text())
            self.run_program(*words, "-o", name, "--force")
            self.run_program(*words, "-o", name, code=2)
        self.assertEqual(json.loads((self.folder / "map.json").read_text())["models"],
                         self.run_json(*words[:-1])["models"])
        (self.folder / "mine.html").write_text("years of work")
        self.run_program(*words, "-o", "mine.html", "--force", code=2)

    def test_two_models_side_by_side(self):
        self.run_program("train", "svm-graphlet", "data", "-o", "other", "--quiet")
        told = self.run_json("regimes", "run", "other", "--nodes", "10", "--graphs", 20)
        self.assertEqual([model["name"] for model in told["models"]], ["svm-wl", "svm-graphlet"])
        told = self.run_json("regimes", "run", "run", "--nodes", "10", "--graphs", 20)
        self.assertEqual([model["name"] for model in told["models"]], ["svm-wl (run)", "svm-wl (run)"])

    def test_the_parameters_of_the_data_count(self):
        self.run_program("dataset", "clique-distance", "-o", "far", "--threshold", 6, "--quiet", *SMALL)
        self.run_program("train", "svm-wl", "far", "-o", "far_run", "--quiet")
        told = self.run_json("regimes", "far_run", "--nodes", 24, "--distance", "4:7", "--graphs", 10)
        self.assertEqual(told["parameters"]["threshold"], 6)
        self.assertEqual([cell["graphs_by_class"] for cell in told["models"][0]["cells"]],
                         [[10, 0], [10, 0], [0, 10], [0, 10]])
        self.assert_refused("regimes", "run", "far_run", "--nodes", 24, says="different questions")
        told = self.run_json("regimes", "far_run", "--nodes", 24, "--distance", "4:30:26", "--graphs", 10, "--data", "far")
        cells = told["models"][0]["cells"]
        self.assertEqual([cell["trained"] for cell in cells], [True, False])
        self.assertIn("no graph with 24 nodes, distance 30", cells[1]["empty_because"])

    def test_refusals(self):
        for words, says in (
                ((), "no axis to ask along"),
                (("--distance", "2:4"), "triangles has no axis distance: it has nodes, degree"),
                (("--nodes", "8-80"), "--nodes: found '8-80', expected FROM:TO or FROM:TO:STEP"),
                (("--nodes", "2"), "no field has a graph: triangles: found max-nodes 2, expected 3..1000"),
                (("--nodes", "2000000"), "no field has a graph: triangles: found max-nodes 2000000, expected 3..1000"),
                (("--nodes", "3000000000"), "--nodes: found '3000000000', expected numbers up to 1000000000"),
                (("--nodes", "8", "-o", "x.png"), "expected a name that ends in .html or .json")):
            with self.subTest(words=words):
                self.assert_refused("regimes", "run", *words, "--graphs", 4, says=says)

    def test_a_program_is_started_once_and_only_if_allowed(self):
        log = self.folder / "log"
        (self.folder / "one.py").write_text(ALWAYS_ONE.format(log=str(log)))
        self.run_program("train", "command", "data", "-o", "own", "--command",
                         f"python3 {self.folder / 'one.py'}", "--quiet")
        log.write_text("")
        words = ("regimes", "own", "--nodes", "8:16:4", "--graphs", 10)
        self.assert_refused(*words, says="--run-command allows that")
        told = self.run_json(*words, "--run-command")
        self.assertEqual(log.read_text(), "run\n")
        self.assertEqual({cell["accuracy"] for cell in told["models"][0]["cells"]}, {0.5})


class TestNodes(ProgramTest):
    def make(self, task, *words):
        self.run_program("dataset", task, "-o", "sized", "--seed", 3, "--quiet", "--force", *SMALL, *words)
        return self.run_json("info", "sized")

    def test_only_the_test_split_is_of_other_sizes(self):
        for task in ("triangles", "clique-distance"):
            with self.subTest(task=task):
                plain = self.make(task)
                kept = {name: (self.folder / "sized" / f"{name}.tsv").read_bytes() for name in ("train", "valid")}
                found = self.make(task, "--test-nodes", "20:40")
                for name, data in kept.items():
                    self.assertEqual((self.folder / "sized" / f"{name}.tsv").read_bytes(), data)
                test = found["splits"]["test"]
                self.assertGreaterEqual(test["min_nodes"], 20)
                self.assertLessEqual(test["max_nodes"], 40)
                self.assertEqual(test["classes"], {"0": 30, "1": 30})
                text = self.run_program("dataset", task, "-o", "sized", "--seed", 3, "--force", "--quiet", *SMALL,
                                        "--test-nodes", "20:40").stdout
                self.assertRegex(text, r"^train and valid \(.*\):\nundermanned classifier on 4000 candidates\n")
                self.assertIn("\n\ntest, graphs of 20 to 40 nodes:\nundermanned classifier on 4000 candidates\n", text)
                other = found["provenance"]["other_test"]
                self.assertEqual(other["nodes"], "20:40")
                self.assertEqual(other["isomorphs_across"], 0)
                self.assertNotIn("other_test", plain["provenance"])
                self.run_program("verify", "sized")

    def test_refusals(self):
        for sizes, says in (("40:20", "--test-nodes: found"), ("x", "--test-nodes: found"), ("2000:3000", "triangles: found max-nodes 3000, expected 3..1000")):
            self.assert_refused("dataset", "triangles", "-o", "x", "--test-nodes", sizes, says=says)


if __name__ == "__main__":
    unittest.main()
