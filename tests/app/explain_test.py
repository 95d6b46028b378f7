#!/usr/bin/env python3
"""explain: pictures whose edges are as wide as they count, and how often the witness is hit."""
import json
import os
import pathlib
import re
import unittest

from program import ProgramTest

PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])
RED = "#d62728"


class ExplainTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(PLUGINS / "looking")
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        self.make_dataset("data")

    def train(self, method, data="data"):
        self.run_program("train", method, data, "-o", "run", "--quiet", "--force")

    def rows(self, name):
        header, *rows = (self.folder / name).read_text().splitlines()
        self.assertEqual(header, "#id\tclass\tanswer\thits\twitness_edges\tedges")
        return [row.split("\t") for row in rows]

    def an_id(self, wanted):
        rows = (self.folder / "data" / "test.tsv").read_text().splitlines()[1:]
        return next(row.split("\t")[0] for row in rows if row.split("\t")[1] == wanted)


class Pictures(ExplainTest):
    def test_the_witness_is_red_and_what_counts_is_wide(self):
        self.train("looks-at-triangles")
        graph = self.an_id("1")
        told = self.run_json("explain", "run", "data", "--graph", graph, "-o", "one.svg")
        self.assertEqual((told["id"], told["split"], told["class"], told["answer"]),
                         (graph, "test", "1", "1"))
        self.assertEqual(told["how"], "triangles an edge is in")
        self.assertEqual(sum(edge["witness"] for edge in told["edges"]), 3)
        for edge in told["edges"]:
            self.assertEqual(edge["weight"], 1 if edge["witness"] else 0)
        text = (self.folder / "one.svg").read_text()
        lines = re.findall(r'class="(edge[^"]*)".*?stroke="([^"]*)" stroke-width="([^"]*)"', text, re.S)
        self.assertEqual(len(lines), len(told["edges"]))
        self.assertEqual(lines.count(("edge witness", RED, "6")), 3)
        self.assertEqual(sum(line[0] == "edge" and line[2] == "0.6" for line in lines),
                         len(lines) - 3)
        self.assertIn(f"{graph}, class 1, looks&#45;at&#45;triangles says 1", text)
        self.assertIn("width of edges: triangles an edge is in", text)

    def test_png_and_graphs_without_a_witness(self):
        self.train("looks-evenly")
        done = self.run_program("explain", "run", "data", "--graph", self.an_id("0"), "-o", "one.png")
        self.assertTrue((self.folder / "one.png").read_bytes().startswith(b"\x89PNG"))
        self.assertNotIn("witness", done.stdout)
        done = self.run_program("explain", "run", "data", "--graph", self.an_id("1"), "-o", "one.png",
                                "--force", "--layers", "2,1")
        self.assertIn("width of edges: the same for all, layer 2, layer 1; witness in red", done.stdout)

    def test_a_model_file_will_do(self):
        self.train("looks-evenly")
        self.run_program("explain", "run/model.bermuda", "data", "--graph", self.an_id("1"), "-o",
                         "one.svg")


class Counts(ExplainTest):
    def test_looking_at_the_witness_hits_it_always(self):
        self.train("looks-at-triangles")
        told = self.run_json("explain", "run", "data", "--split", "test", "-o", "hits.tsv")
        self.assertEqual((told["graphs"], told["top"]), (60, 3))
        self.assertEqual(told["with_witness"], told["answered_right"])
        found = told["with_witness"]
        self.assertEqual((found["graphs"], found["share"], found["any"], found["all"]), (30, 1, 1, 1))
        self.assertLess(found["share_random"], 0.5)
        self.assertLess(found["all_random"], 0.1)
        rows = self.rows("hits.tsv")
        self.assertEqual(len(rows), 30)
        for _, label, answer, hits, witness, _ in rows:
            self.assertEqual((label, answer, hits, witness), ("1", "1", "3", "3"))
        # The baseline once more, from the table.
        edges = [int(row[5]) for row in rows]
        self.assertAlmostEqual(found["share_random"], sum(3 / m for m in edges) / 30)
        self.assertAlmostEqual(found["all_random"],
                               sum(6 / (m * (m - 1) * (m - 2)) for m in edges) / 30)

    def test_weights_of_every_edge(self):
        self.train("looks-at-triangles")
        told = self.run_json("explain", "run", "data", "--split", "test", "--weights", "weights.tsv", "-o", "hits.tsv")
        self.assertEqual(told, self.run_json("explain", "run", "data", "--split", "test"))
        self.assertEqual(len(self.rows("hits.tsv")), 30)
        header, *rows = (self.folder / "weights.tsv").read_text().splitlines()
        self.assertEqual(header, "#id\tu\tv\tweight\twitness")
        rows = [row.split("\t") for row in rows]
        self.assertEqual(len({row[0] for row in rows}), 60)  # those without a witness too
        self.assertEqual(sum(int(row[4]) for row in rows), 30 * 3)
        self.assertTrue(all((float(row[3]) > 0) == (row[4] == "1") for row in rows))
        graph = self.an_id("1")
        one = self.run_json("explain", "run", "data", "--graph", graph, "-o", "one.svg")["edges"]
        self.assertEqual([[str(node) for node in entry["edge"]] + [entry["weight"]] for entry in one],
                         [[u, v, float(weight)] for name, u, v, weight, _ in rows if name == graph])

    def test_weights_need_no_witness(self):
        self.train("looks-evenly")
        (self.folder / "bare.jsonl").write_text(
            '{"id": "a", "class": 0, "nodes": 3, "edges": [[0, 1], [1, 2]]}\n'
            '{"id": "b", "class": 1, "nodes": 1, "edges": []}\n')
        told = self.run_json("explain", "run", "bare.jsonl", "--weights", "weights.tsv")
        self.assertEqual((told["graphs"], told["with_witness"]["graphs"]), (2, 0))
        self.assertEqual(len((self.folder / "weights.tsv").read_text().splitlines()), 3)

    def test_looking_evenly_is_chance(self):
        for task in ("triangles", "clique-distance"):
            self.make_dataset("both", task, "--force")
            self.train("looks-evenly", "both")
            for top in (1, 3, 7):
                told = self.run_json("explain", "run", "both", "--top", top)
                for part in ("with_witness", "answered_right"):
                    for key in ("share", "any", "all"):
                        self.assertEqual(told[part][key], told[part][key + "_random"], (task, key))
                every = told["with_witness"]["graphs"]
                self.assertEqual(every, 260 if task == "triangles" else 520)
                self.assertTrue(0 < told["answered_right"]["graphs"] < every)

    def test_one_edge_has_one_share(self):
        self.train("looks-at-triangles")
        found = self.run_json("explain", "run", "data", "--top", 1)["with_witness"]
        self.assertEqual((found["share"], found["any"], found["all"]), (1, 1, 1))
        self.assertAlmostEqual(found["share_random"], found["any_random"])
        self.assertAlmostEqual(found["share_random"], found["all_random"])
        # Five edges cannot all be in a witness of three.
        found = self.run_json("explain", "run", "data", "--top", 5)["with_witness"]
        self.assertEqual((found["any"], found["all"], found["all_random"]), (1, 0, 0))
        self.assertAlmostEqual(found["share"], 0.6)

    def test_text(self):
        self.train("looks-evenly")
        done = self.run_program("explain", "run", "data", "--class", "1", "--layers", "1", "-o",
                                "hits.tsv")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "looks-evenly: the same for all, layer 1")
        self.assertEqual(lines[1], "260 of 260 graphs have a witness with edges")
        self.assertTrue(lines[2].startswith("top 3 edges"))
        self.assertTrue(lines[3].startswith("with witness        260 "))
        self.assertTrue(lines[4].startswith("answered right "))
        self.assertEqual(lines[-1], "written to hits.tsv")
        self.assertEqual(len(self.rows("hits.tsv")), 260)


class Faults(ExplainTest):
    def test_table(self):
        self.train("looks-evenly")
        (self.folder / "old.svg").write_text("mine")
        (self.folder / "old.tsv").write_text("mine")
        (self.folder / "bare.jsonl").write_text("".join(
            json.dumps({"id": f"g{i}", "nodes": 3, "edges": [[0, 1], [1, 2]], "class": i % 2}) + "\n"
            for i in range(4)))
        graph = ["--graph", self.an_id("1")]
        for arguments, says in (
                (["data", "--graph", "TR9", "-o", "x.svg"], "data: no graph 'TR9'"),
                (["data", *graph, "--class", "0", "-o", "x.svg"], "of class '0'"),
                (["data", *graph, "--split", "train", "-o", "x.svg"], "no graph"),
                (["data", *graph], "--graph needs --output"),
                (["data", *graph, "-o", "x.gif"], "ends in .svg or .png"),
                (["data", *graph, "-o", "x.tsv"], "ends in .svg or .png"),
                (["data", *graph, "-o", "old.svg"], "--force"),
                (["data", *graph, "-o", "x.svg", "--top", "2"], "--graph"),
                (["data", "-o", "x.svg"], "ends in .tsv; --graph ID draws a picture"),
                (["data", "-o", "old.tsv"], "--force"),
                (["data", "--weights", "old.tsv"], "--force"),
                (["data", "--weights", "x.txt"], "--weights: found 'x.txt', expected a name that ends in .tsv"),
                (["data", *graph, "-o", "x.svg", "--weights", "x.tsv"], "--graph"),
                (["data", "-o", "nowhere/x.tsv"], "no such folder"),
                (["data", "--split", "east"], "no split named 'east'"),
                (["data", "--class", "7"], "no graph of class '7'"),
                (["data", "--class", "0"], "none of 260 graphs has a witness with edges"),
                (["bare.jsonl"], "none of 4 graphs has a witness with edges"),
                (["data", "--top", "0"], "--top"),
                (["data", "--layers", "1,x"], "--layers: found '1,x'"),
                (["data", "--layers", "0"], "--layers: found '0'"),
                (["data", "--layers", "1,,2"], "--layers: found '1,,2'"),
                (["data", "--layers", "3"], "--layers: there are two")):
            with self.subTest(arguments):
                self.assert_refused("explain", "run", *arguments, says=says)
        for name in ("old.svg", "old.tsv"):
            self.assertEqual((self.folder / name).read_text(), "mine")
        self.assert_refused("explain", "nowhere", "data", says="nowhere: no model there")

    def test_methods_that_cannot_explain(self):
        for method in ("svm-labels", "looks-at-order"):
            self.train(method)
            says = f"{method} cannot tell which edges it looks at"
            self.assert_refused("explain", "run", "data", says=says)
            self.assert_refused("explain", "run", "data", "--graph", self.an_id("1"), "-o", "x.svg",
                                says=says)

    def test_a_method_that_explains_badly(self):
        self.train("looks-nowhere-valid")
        self.assert_refused("explain", "run", "data", code=1,
                            says="looks-nowhere-valid gave 1 weights for the ")


if __name__ == "__main__":
    unittest.main()
