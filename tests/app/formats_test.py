#!/usr/bin/env python3
"""Formats that other programs write: graph6, GraphML and edge lists, through the commands."""
import unittest

from program import ProgramTest

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="label" attr.type="string"/>
<graph edgedefault="undirected">
<node id="a"><data key="d0">C</data></node>
<node id="b"><data key="d0">O</data></node>
<edge source="a" target="b"/>
</graph>
</graphml>
"""


class Formats(ProgramTest):
    def test_graph6_and_back(self):
        self.make_dataset("data")
        done = self.run_json("convert", "data", "-o", "x.g6", "--to", "graph6")
        self.assertEqual(done["graphs"], 520)
        self.assertIn("ids of 520 graphs", done["lost"])
        lines = (self.folder / "x.g6").read_text().splitlines()
        self.assertEqual(len(lines), 520)
        self.assertTrue(lines[0].startswith(">>graph6<<"))
        told = self.run_json("info", "x.g6")
        self.assertEqual(told["format"], "graph6")
        whole = self.run_json("info", "data")
        self.assertEqual(told["classes"], whole["classes"])
        # The second column may as well be a file of its own.
        (self.folder / "y.g6").write_text("".join(line.split("\t")[0] + "\n" for line in lines))
        (self.folder / "y.labels").write_text("".join(line.split("\t")[1] + "\n" for line in lines))
        self.assertEqual(self.run_json("info", "y.g6")["splits"], told["splits"])
        (self.folder / "y.g6").rename(self.folder / "z.g6")
        self.assert_refused("convert", "z.g6", "-o", "y.g6", "--to", "graph6", says="y.labels: exists already")
        (self.folder / "z.g6").rename(self.folder / "y.g6")
        self.run_program("train", "svm-labels", "y.g6", "-o", "run", "--quiet")
        (self.folder / "y.labels").unlink()
        self.assertEqual(self.run_json("predict", "run", "y.g6")["with_class"], 0)
        self.assert_refused("audit", "y.g6", says="y.g6:1: found no class, expected a class of every graph")

    def test_a_folder_of_edge_lists(self):
        folder = self.folder / "set"
        folder.mkdir()
        for number in range(40):
            edges = [(i, (i + 1) % 6) for i in range(6)] if number % 2 else [(i, i + 1) for i in range(6)]
            (folder / f"g{number}.edges").write_text("".join(f"n{u} n{v}\n" for u, v in edges))
        (folder / "classes.tsv").write_text(
            "".join(f"g{n}\t{'ring' if n % 2 else 'path'}\n" for n in range(40)))
        told = self.run_json("info", "set")
        self.assertEqual((told["format"], told["classes"]), ("edgelist", ["path", "ring"]))
        self.run_program("train", "svm-wl", "set", "-o", "run", "--quiet")
        (self.folder / "ask.edges").write_text("1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n")
        self.assertEqual(self.run_json("predict", "run", "ask.edges")["answers"], {"path": 0, "ring": 1})

    def test_graphml(self):
        (self.folder / "a.graphml").write_text(GRAPHML)
        told = self.run_json("info", "a.graphml")
        self.assertEqual((told["graphs"], told["format"]), (1, "graphml"))
        self.assertEqual(told["splits"]["all"]["node_labels"], 2)
        self.run_program("convert", "a.graphml", "-o", "a.jsonl", "--to", "jsonl", "--quiet")
        self.assertIn('"class":null', (self.folder / "a.jsonl").read_text())
        self.run_program("draw", "a.graphml", "-o", "a.svg", "--quiet")

    def test_what_is_only_read_is_not_offered(self):
        self.make_dataset("data")
        for name in ("graphml", "edgelist"):
            self.assert_refused("convert", "data", "-o", "x", "--to", name, says="--to")
        self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    unittest.main()
