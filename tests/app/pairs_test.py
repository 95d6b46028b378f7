#!/usr/bin/env python3
"""pairs: twins that agree in what is named, nearest twins, what verify, audit, predict and score make of them."""
import filecmp
import json
import unittest

from program import ProgramTest


class PairsTest(ProgramTest):
    def make_pairs(self, name, *options, task="triangles", count=200):
        return self.run_json("pairs", task, "-o", name, "--count", count, *options)

    def rows(self, name):
        lines = (self.folder / name / "all.tsv").read_text().splitlines()
        return [line.split("\t") for line in lines if not line.startswith("#")]


class MakingTwins(PairsTest):
    def test_twins_follow_each_other_and_verify(self):
        for task in ("triangles", "clique-distance"):
            for same in ("degrees", "degree-pairs", "wl-2", "wl-3"):
                name = f"{task}-{same}"
                made = self.make_pairs(name, "--same", same, task=task)
                self.assertEqual(made["graphs"], 400)
                self.assertEqual(made["splits"]["all"]["classes"], {"0": 200, "1": 200})
                pairs = made["provenance"]["pairs"]
                self.assertEqual((pairs["same"], pairs["count"]), (same, 200))
                ids = [row[0] for row in self.rows(name)]
                self.assertEqual([i[:-2] for i in ids[::2]], [i[:-2] for i in ids[1::2]])
                self.assertEqual({i[-2:] for i in ids[::2]}, {"-a"})
                self.assertEqual({i[-2:] for i in ids[1::2]}, {"-b"})
                told = self.run_json("verify", name)
                self.assertEqual((told["problems"], told["pairs_checked"]), ([], 200))

    def test_threads_do_not_matter_and_seeds_do(self):
        self.make_pairs("one", "--threads", 1)
        self.make_pairs("two", "--threads", 2)
        self.make_pairs("other", "--seed", 2)
        same = lambda a, b: filecmp.cmp(self.folder / a / "all.tsv", self.folder / b / "all.tsv", shallow=False)
        self.assertTrue(same("one", "two"))
        self.assertFalse(same("one", "other"))

    def test_refusals(self):
        self.assert_refused("pairs", "triangles", "-o", "x", "--same", "looks", says="--same: found 'looks', expected degrees, ")
        self.assert_refused("pairs", "triangles", "-o", "x", "--same", "wl-0", says="wl-1..wl-99")
        self.assert_refused("pairs", "triangles", "-o", "x", "--same", "none", says="--same: found 'none'")
        self.assert_refused("pairs", "triangles", "-o", "x", "--count", 0, says="--count")
        self.assert_refused("pairs", "squares", "-o", "x", says="there is no task 'squares'")
        # No two cliques are so far apart.
        self.assert_refused("pairs", "clique-distance", "-o", "x", "--threshold", 1000, says="clique-distance")


class WhatOthersMakeOfThem(PairsTest):
    def test_degree_probes_are_at_one_half_exactly(self):
        for task in ("triangles", "clique-distance"):
            self.make_pairs(task, "--same", "degrees", task=task)
            probes = {probe["name"]: probe for probe in self.run_json("audit", task)["probes"]}
            for name in ("size", "degrees", "wl-1"):
                self.assertEqual(probes[name]["accuracy"], 0.5, (task, name))

    def test_predict_and_score_tell_pairs_with_both_right(self):
        self.make_dataset("data")
        self.make_pairs("twins", "--same", "degrees")
        self.run_program("train", "svm-wl", "data", "-o", "run", "--quiet")
        told = self.run_json("predict", "run", "twins", "-o", "answers.tsv")
        pairs = told["pairs"]
        self.assertEqual(pairs["count"], 200)
        self.assertEqual(pairs["both_right"] + pairs["one_right"] + pairs["none_right"], 200)
        self.assertEqual(2 * pairs["both_right"] + pairs["one_right"], round(told["accuracy"] * 400))
        self.assertEqual(self.run_json("score", "answers.tsv", "twins")["pairs"], pairs)
        for command in (("predict", "run", "twins"), ("score", "answers.tsv", "twins")):
            self.assertRegex(self.run_program(*command).stdout,
                             r"both twins right: \d+\.\d % of 200 pairs \(95 % interval .*; chance 25 %\)")
        self.assertNotIn("pairs", self.run_json("predict", "run", "data"))

        rows = ["#id\tclass"] + [f"{row[0]}\t1" for row in self.rows("twins")]
        (self.folder / "always.tsv").write_text("\n".join(rows) + "\n")
        pairs = self.run_json("score", "always.tsv", "twins")["pairs"]
        self.assertEqual((pairs["both_right"], pairs["one_right"]), (0, 200))

    def test_verify_finds_twins_that_differ(self):
        self.make_pairs("twins", "--same", "degrees")
        manifest = self.folder / "twins" / "manifest.json"
        content = json.loads(manifest.read_text())
        content["pairs"]["same"] = "wl-3"
        manifest.write_text(json.dumps(content))
        told = self.run_json("verify", "twins", code=1)
        self.assertEqual({problem["kind"] for problem in told["problems"]}, {"pair"})


class NearestTwins(PairsTest):
    def test_of_a_data_set(self):
        self.run_program("generate", "triangles", "-o", "data", "--count", 60, "--quiet")
        for same, edges in (("none", 1), ("degrees", 4)):
            made = self.run_json("pairs", "of", "data", "-o", same, "--same", same, "--most-changes", 1)
            pairs = made["provenance"]["pairs"]
            self.assertEqual(pairs["count"] + pairs["farther"] + pairs["given_up"], 60)
            self.assertEqual(pairs["given_up"], 0)
            self.assertEqual({twin["changed_edges"] for twin in pairs["twins"]}, {edges})
            self.assertEqual(sum(pairs["changes"].values()), len(pairs["twins"]))
            self.assertEqual({twin["original"] for twin in pairs["twins"]}, {"a", "b"})
            self.assertEqual(self.run_json("verify", same)["problems"], [])
        # A triangle is gone when one of its edges is.
        self.assertGreaterEqual(len(self.rows("none")), 60)

    def test_refusals(self):
        (self.folder / "foreign.jsonl").write_text(
            '{"id": "g0", "class": "a", "nodes": 2, "edges": [[0, 1]]}\n')
        self.assert_refused("pairs", "of", "foreign.jsonl", "-o", "x", says="does not say for which task it was made")
        self.run_program("generate", "triangles", "-o", "data", "--count", 20, "--quiet")
        self.assert_refused("pairs", "of", "data", "-o", "x", "--split", "test", says="no split named")
        self.assert_refused("pairs", "of", "data", "-o", "x", "--same", "looks", says="expected none, degrees, ")
        for words in (("pairs", "--of", "data", "-o", "x"), ("pairs", "--of=data", "-o", "x"),
                      ("pairs", "triangles", "--of", "data", "-o", "x")):
            self.assert_refused(*words, says="there is no option '--of'; did you mean 'bermuda pairs of'?")
        self.assert_refused("pairs", "of", "data", "-o", "x", "--most-graphs", 1, "--same", "wl-9",
                            says="has a twin within")


if __name__ == "__main__":
    unittest.main()
