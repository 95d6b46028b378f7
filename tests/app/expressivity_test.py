#!/usr/bin/env python3
"""expressivity: what methods could tell apart, of pairs and of classes."""
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, shared_data

PLUGINS = pathlib.Path(PROGRAM).resolve().parent.parent / "plugins"
# Two triangles and a hexagon, which are 1-WL-equal; a triangle and nothing; the same path twice.
PAIRS = "# category\tgraph6\tgraph6\nring\tEwCW\tEhEG\nedges\tBw\tB?\nsame\tCh\tCL\n"
KERNELS = "svm-wl,svm-graphlet-exact,svm-labels"


class Pairs(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "pairs.tsv").write_text(PAIRS)

    def test_methods_by_categories(self):
        told = self.run_json("expressivity", "pairs.tsv", "--methods", KERNELS)
        self.assertEqual(told["pairs"], 3)
        self.assertEqual(told["categories"], {"ring": 1, "edges": 1, "same": 1})
        found = {row["method"]: row for row in told["methods"]}
        self.assertEqual(found["svm-wl"]["by_category"], {"ring": 0, "edges": 1, "same": 0})
        self.assertEqual(found["svm-graphlet-exact"]["by_category"], {"ring": 1, "edges": 1, "same": 0})
        self.assertEqual(found["svm-graphlet-exact"]["which"], [1, 2])
        self.assertEqual(found["svm-labels"]["told_apart"], 1)
        self.assertEqual({row["control"] for row in told["methods"]}, {0})
        text = self.run_program("expressivity", "pairs.tsv", "--methods", KERNELS, "--quiet").stdout
        self.assertRegex(text, r"method +ring +edges +same +all +control\npairs +1 +1 +1 +3\n"
                               r"svm-wl +0 +1 +0 +1 +0\nsvm-graphlet-exact +1 +1 +0 +2 +0\n")
        self.assertIn("WL colours of rounds 0 to 5, exact", text)

    def test_options_behind_colons(self):
        self.assertEqual(
            [row["told_apart"] for row in self.run_json(
                "expressivity", "pairs.tsv", "--methods", "svm-wl:max-rounds=1,svm-graphlet-exact:size=4")["methods"]],
            [1, 2])
        for methods, says in [("svm-wl:max-round=1", "did you mean"), ("svm-wl:max-rounds=x", "max-rounds"),
                              ("svm-wl:max-rounds", "method 'svm-wl:max-rounds': found 'max-rounds', expected OPTION=VALUE"), ("svm-w", "did you mean svm-wl?"),
                              ("", "no method named")]:
            self.assert_refused("expressivity", "pairs.tsv", "--methods", methods, says=says)

    def test_sampled_methods_are_tested_by_draws(self):
        told = self.run_json("expressivity", "pairs.tsv", "--methods", "svm-graphlet:samples=100", "--draws", 128)
        row, = told["methods"]
        self.assertEqual(row["by_category"], {"ring": 1, "edges": 1, "same": 0})
        self.assertEqual(row["control"], 0)
        self.assertIs(row["at_least"], True)
        again = self.run_json("expressivity", "pairs.tsv", "--methods", "svm-graphlet:samples=100", "--draws", 128,
                              "--threads", 1)
        self.assertEqual(told, again)
        self.assert_refused("expressivity", "pairs.tsv", "--draws", 3, says="--draws")

    def test_who_cannot_show_and_what_is_too_large_is_not_asked(self):
        told = self.run_json("expressivity", "pairs.tsv", "--methods", "command,svm-wl", "--most-nodes", 4)
        self.assertIn("before it has learnt", told["methods"][0]["not_asked"])
        self.assertEqual(told["methods"][1]["pairs_not_asked"], 1)
        text = self.run_program("expressivity", "pairs.tsv", "--methods", "command,svm-wl", "--most-nodes", 4,
                                "--quiet").stdout
        self.assertRegex(text, r"command +not asked\n")
        self.assertIn("1 pairs were not asked", text)

    def test_nothing_that_can_be_asked(self):
        words = ("expressivity", "pairs.tsv", "-o", "out.json", "--methods")
        self.assert_refused(*words, "command", says="no method could be asked; command: it does not show what it sees")
        self.assert_refused(*words, "command,command", says="learnt (and 1 other)")
        self.assert_refused(*words, "svm-wl", "--most-nodes", 1,
                            says="pairs.tsv: nothing to ask: all 3 pairs are of more than 1 nodes (--most-nodes)")
        (self.folder / "one.jsonl").write_text('{"id": "x", "class": "a", "nodes": 2, "edges": [[0, 1]]}\n')
        self.assert_refused("expressivity", "one.jsonl", "--methods", "svm-wl", "--most-nodes", 1,
                            says="one.jsonl: nothing to ask: all 1 graphs are of more than 1 nodes (--most-nodes)")

    def test_output(self):
        told = self.run_json("expressivity", "pairs.tsv", "--methods", KERNELS, "-o", "out.json")
        self.assertEqual(json.loads((self.folder / "out.json").read_text()), told)
        self.assert_refused("expressivity", "pairs.tsv", "-o", "out.json", says="exists")
        self.run_program("expressivity", "pairs.tsv", "--methods", "svm-wl", "-o", "out.json", "--force", "--quiet")
        self.assert_refused("expressivity", "pairs.tsv", "-o", "out.txt", says=".json")

    def test_pairs_are_data_like_any(self):
        self.assertEqual(self.run_json("info", "pairs.tsv")["graphs"], 6)
        self.run_program("convert", "pairs.tsv", "-o", "native", "--to", "native", "--quiet")
        told = self.run_json("expressivity", "native", "--methods", KERNELS)
        expected = self.run_json("expressivity", "pairs.tsv", "--methods", KERNELS)
        self.assertEqual(told["methods"], expected["methods"])
        self.assert_refused("audit", "pairs.tsv", says="which have no class")

    @unittest.skipUnless((PLUGINS / "bermuda_neural.so").exists(), "the neural methods are not built")
    def test_networks(self):
        told = self.run_json("expressivity", "pairs.tsv", "--methods", "gin+d,gcn+d+id,tf+am", "--draws", 128,
                             "--weights", 2)
        found = {row["method"]: row for row in told["methods"]}
        self.assertEqual(found["gin+d"]["by_category"], {"ring": 0, "edges": 1, "same": 0})
        self.assertLess(found["gin+d"]["largest_rounding"], 1e-11)
        self.assertEqual({row["control"] for row in told["methods"]}, {0})
        for row in told["methods"]:
            self.assertEqual((row["by_category"]["edges"], row["by_category"]["same"]), (1, 0), row)


class Classes(ProgramTest):
    def test_the_best_accuracy_of_any_function_of_the_view(self):
        # A hexagon against two triangles, ten each; and one path of either class.
        ring, two = [[i, (i + 1) % 6] for i in range(6)], [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]]
        graphs = [("y", ring)] * 10 + [("n", two)] * 10 + [("y", ring[:3]), ("n", ring[:3])]
        lines = [json.dumps({"id": str(i), "class": c, "nodes": 6, "edges": e}) for i, (c, e) in enumerate(graphs)]
        (self.folder / "data.jsonl").write_text("\n".join(lines) + "\n")
        told = self.run_json("expressivity", "data.jsonl", "--methods", KERNELS + ",svm-graphlet")
        found = {row["method"]: row for row in told["methods"]}
        self.assertEqual((found["svm-wl"]["views"], found["svm-wl"]["apart"]), (2, 0))
        self.assertEqual(found["svm-wl"]["best_accuracy"], 0.5)
        self.assertEqual((found["svm-graphlet-exact"]["views"], found["svm-graphlet-exact"]["apart"]), (3, 20))
        self.assertAlmostEqual(found["svm-graphlet-exact"]["best_accuracy"], 21 / 22)
        self.assertIn("chance", found["svm-graphlet"]["not_asked"])
        self.assertRegex(self.run_program("expressivity", "data.jsonl", "--methods", KERNELS, "--quiet").stdout,
                         r"svm-wl +22 +2 +0.00 +50.00\n")

    def test_nothing_learns_more_than_it_can_see(self):
        self.make_dataset("data")
        told = self.run_json("expressivity", "data", "--methods", "svm-wl")
        learnt = self.run_json("train", "svm-wl", "data", "-o", "run")
        self.assertLessEqual(learnt["test_accuracy"], told["methods"][0]["best_accuracy"])
        self.assertEqual(told["methods"][0]["graphs"], 520)

    def test_graphs_without_classes_are_refused(self):
        (self.folder / "data.jsonl").write_text('{"id": "x", "nodes": 2, "edges": [[0, 1]]}\n')
        self.assert_refused("expressivity", "data.jsonl", says="found graph 'x' without a class")


class Stopping(ProgramTest):
    def test_ctrl_c(self):
        (self.folder / "pairs.tsv").write_text(PAIRS * 500)
        child = subprocess.Popen([PROGRAM, "expressivity", "pairs.tsv", "--methods", "svm-graphlet", "--draws", "16384",
                                  "-o", "out.json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        before = time.monotonic()
        child.communicate(timeout=60)
        self.assertLess(time.monotonic() - before, 20)
        self.assertEqual(child.returncode, 1)
        self.assertEqual(os.listdir(self.folder), ["pairs.tsv"])


@unittest.skipIf(shared_data() is None, "no shared data")
class Brec(ProgramTest):
    def test_kernels(self):
        told = self.run_json("expressivity", shared_data() / "brec" / "pairs.tsv", "--methods",
                             "svm-wl,svm-graphlet-exact:size=3,svm-graphlet-exact:size=4")
        self.assertEqual(told["pairs"], 400)
        self.assertEqual(told["methods"][0]["told_apart"], 0)
        self.assertEqual({row["control"] for row in told["methods"]}, {0})
        three, four = (set(row["which"]) for row in told["methods"][1:])
        self.assertTrue(three <= four)
        self.assertGreater(len(four), 50)


if __name__ == "__main__":
    unittest.main()
