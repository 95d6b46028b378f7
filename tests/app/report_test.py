#!/usr/bin/env python3
"""report: the page and the tables of a store, and what is no store."""
import json
import os
import re
import subprocess
import sys
import unittest

from program import PROGRAM, TEST_DATA, ProgramTest

GRID = """
title = "Small </script> <b>&amp;"
folds = "0-2"

[data.tri]
task = "triangles"
candidates = 600
filter = { train = 100, valid = 20, test = 40 }

[data.cliques]
task = "clique-distance"
candidates = 1000
filter = { train = 100, valid = 20, test = 40 }
audit = false

[[run]]
methods = ["svm-labels", "svm-graphlet"]

[paper]
source = "a paper"
[paper.tri]
svm-graphlet = 99.6
"""


class ReportTest(ProgramTest):
    def make_store(self):
        (self.folder / "small.toml").write_text(GRID)
        self.run_program("bench", "small.toml", "--no-report", "--quiet")

    def model(self, page):
        text = (self.folder / page).read_text()
        return json.loads(re.search(r'id="model">(.*?)</script>', text, re.S).group(1))

    def test_tables_in_the_docs_are_those_of_the_stored_results(self):
        words = [sys.executable, TEST_DATA.parents[1] / "benchmarks/docs_tables.py", PROGRAM, "--check"]
        checked = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout.strip(), checked.stderr), (0, "", ""))

    def test_page_of_a_store(self):
        self.make_store()
        answer = self.run_json("report", "small.sqlite", "--quiet")
        self.assertEqual((answer["output"], answer["runs"], answer["done"]), ("small.html", 12, 12))
        model = self.model("small.html")
        self.assertEqual(model["title"], "Small </script> <b>&amp;")
        self.assertEqual(model["store"], "small.sqlite")
        self.assertEqual(model["tables"][0]["columns"], ["tri", "cliques"])
        self.assertEqual({run["method"] for run in model["runs"]}, {"svm-labels", "svm-graphlet"})
        cards = {card["name"]: card for card in model["data"]}
        self.assertTrue(cards["tri"]["audit"]["probes"])
        self.assertIsNone(cards["cliques"]["audit"])
        self.assertIn("before", cards["tri"]["filter"])
        self.assertEqual({part["by"] for part in model["breakdowns"]},
                         {"nodes", "independent cycles", "witness distance"})
        for gallery in model["gallery"]:
            self.assertLessEqual(len(gallery["graphs"]), 12)
            for graph in gallery["graphs"]:
                self.assertNotEqual(graph["truth"], graph["said"])
        # What is wrong in the gallery is what is wrong in the run.
        for gallery in model["gallery"]:
            run = next(run for run in model["runs"] if run["fold"] == gallery["fold"] and
                       run["method"] == gallery["method"] and run["data"] == gallery["data"])
            self.assertEqual(gallery["wrong"], run["confusion"][0][1] + run["confusion"][1][0])
        self.assert_refused("report", "small.sqlite", says="small.html")
        self.run_program("report", "small.sqlite", "--force", "--quiet")

        for form, sign in (("markdown", "| svm-graphlet |"), ("latex", "\\begin{tabular}")):
            text = self.run_program("report", "small.sqlite", "--format", form).stdout
            self.assertIn(sign, text.replace("`", ""))
            self.run_program("report", "small.sqlite", "--format", form, "-o", "table.txt", "--force")
            self.assertEqual((self.folder / "table.txt").read_text(), text)

        exported = self.run_program("bench", "--store", "small.sqlite", "--export", "json").stdout
        (self.folder / "small.json").write_text(exported)
        self.run_program("report", "small.json", "-o", "less.html", "--title", "Less", "--quiet")
        less = self.model("less.html")
        self.assertEqual(less["title"], "Less")
        self.assertEqual(less["tables"], model["tables"])
        self.assertEqual(less["gallery"], [])

    def test_tables_of_either_epoch(self):
        os.environ["BERMUDA_PLUGINS"] = os.path.join(os.environ["BERMUDA_TEST_PLUGINS"], "counting")
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        (self.folder / "small.toml").write_text('metric = "positive_f1"\n' + GRID.split("[[run]]")[0] + """
[[run]]
methods = ["counting"]
data = "tri"
options = { max_epochs = 4 }
vary = { keep = [2, 4] }
""")
        shown = {epoch: self.run_json("bench", "small.toml", "--epoch", epoch, "--quiet", "-o", f"{epoch}.html")
                 for epoch in ("kept", "last")}
        tables = {epoch: one["table"] for epoch, one in shown.items()}
        self.assertIn("Of each run counts the epoch that validation kept.", tables["kept"]["notes"])
        self.assertIn("Of each run counts the last epoch.", tables["last"]["notes"])
        figures = {"kept": {}, "last": {}}
        for run in json.loads(self.run_program("bench", "small.toml", "--export", "json").stdout)["runs"]:
            if run["options"]["keep"] == 2:
                figures["kept"][run["fold"]] = 100 * run["result"]["test"]["positive_f1"]
                figures["last"][run["fold"]] = 100 * run["result"]["last"]["test"]["positive_f1"]
        self.assertNotEqual(figures["kept"], figures["last"])
        for epoch, expected in figures.items():
            moved, stayed = tables[epoch]["rows"]
            self.assertEqual({run["fold"]: run["figure"] for run in moved["cells"][0]["runs"]}, expected)
            self.assertEqual({run["fold"]: run["figure"] for run in stayed["cells"][0]["runs"]}, figures["last"])
            self.assertEqual(moved["cells"][0]["one_class"], 3)
        for epoch in ("kept", "last"):
            model = self.model(f"{epoch}.html")
            self.assertEqual(model["epoch"], epoch)
            self.assertEqual(model["tables"][0]["rows"], tables["kept"]["rows"])
            self.assertEqual(model["tables"][0]["last"]["rows"], tables["last"]["rows"])
            text = self.run_program("report", "small.sqlite", "--epoch", epoch, "--format", "markdown").stdout
            for note in tables[epoch]["notes"]:
                self.assertIn(note.replace("*", "\\*"), text)
        self.assert_refused("report", "small.sqlite", "--epoch", "best", says="--epoch")

    def test_what_is_no_store(self):
        self.assert_refused("report", "missing.sqlite", says="missing.sqlite")
        (self.folder / "text.sqlite").write_text("this is no store\n" * 100)
        self.assert_refused("report", "text.sqlite", says="text.sqlite")
        (self.folder / "other.json").write_text('{"runs": 3}')
        self.assert_refused("report", "other.json", says="other.json")
        self.assert_refused("report", "text.sqlite", "-o", "no/such/folder.html", says="no/such")
        self.assert_refused("report", "text.sqlite", "--format", "pdf", says="--format")
        self.assert_refused("report", says="STORE")


if __name__ == "__main__":
    unittest.main()
