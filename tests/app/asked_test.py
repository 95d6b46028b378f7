#!/usr/bin/env python3
"""bench: what trained models are asked beside the test graphs."""
import csv
import io
import json
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

from bench_program import DATA, BenchTest, counting, grid
from program import PROGRAM

ASKS = """
[ask.renumbered]
rounds = 2
[ask.twins]
pairs = "degrees"
count = 30
[data.tri.ask.twice]
options = { min_nodes = 21, max_nodes = 40 }
count = 40
"""
TWO = DATA + """
[data.large]
task = "triangles"
candidates = 600
options = { min_nodes = 10 }
filter = { train = 100, valid = 20, test = 40 }
audit = false
[data.large.ask]
twins = false
""" + ASKS
METHODS = '[[run]]\nmethods = ["svm-labels", "svm-graphlet"]\nfolds = "0"\n'

# Says whether there is a triangle, and counts how often it is called.
OWN = '''
import json, pathlib, sys
folder = pathlib.Path(sys.argv[-1])
with open("calls", "a") as calls:
    calls.write("x")
def has_triangle(text):
    sparse = text[0] == ":"
    n = ord(text[sparse]) - 63
    bits = [ord(c) - 63 >> 5 - i & 1 for c in text[sparse + 1:] for i in range(6)]
    pairs = [(i, j) for j in range(n) for i in range(j)]
    edges = {pair for pair, bit in zip(pairs, bits) if bit}
    if sparse:
        edges, node, wide = set(), 0, (n - 1).bit_length()
        for at in range(0, len(bits) - wide, wide + 1):
            node += bits[at]
            other = int("".join(map(str, bits[at + 1:at + 1 + wide])), 2)
            if other > node:
                node = other
            elif node < n:
                edges.add((other, node))
    return any((a, c) in edges and (b, c) in edges for a, b in edges for c in range(b + 1, n))
with open(folder / "answers.tsv", "w") as answers:
    for split in ("valid", "test"):
        for line in (folder / (split + ".tsv")).read_text().splitlines()[1:]:
            id, _, graph = line.split("\\t")[:3]
            answers.write(f"{id}\\t{int(has_triangle(graph))}\\n")
'''


class Asked(BenchTest):
    def asked(self, outcome, row, column=0):
        return outcome["table"]["rows"][row]["cells"][column]["asked"]

    def test_figures_of_methods_and_of_a_program(self):
        (self.folder / "own.py").write_text(OWN)
        own = f'[[run]]\nname = "own"\ncommand = "{sys.executable} own.py"\ndata = "tri"\nfolds = "0"\n'
        recorded = '[[run]]\nname = "elsewhere"\nrecorded = true\ndata = "tri"\nfolds = "0"\n'
        self.write(grid(METHODS + own + recorded, data=TWO))
        done = json.loads(self.bench("--json").stdout)
        self.assertEqual((done["done"], done["to_record"], done["failures"]), (5, 1, []))
        self.assertEqual([(column["name"], column["key"]) for column in done["table"]["asked"]],
                         [("renumbered", "changed"), ("twice", "accuracy"), ("twins", "both_right")])
        labels, own = self.asked(done, 0), self.asked(done, 2)
        # Without labels that method sees the number of nodes, which twins have in common.
        self.assertEqual((labels["twins"]["figure"], labels["twins"]["accuracy"]), (0, 50))
        self.assertEqual(labels["renumbered"]["figure"], 0)
        self.assertEqual([own[name]["figure"] for name in ("renumbered", "twins", "twice")], [0, 100, 100])
        self.assertLess(own["twins"]["low"], 100)
        self.assertEqual((self.folder / "calls").read_text(), "x", "a program runs once")
        self.assertEqual(set(self.asked(done, 0, 1)), {"renumbered"})
        self.assertIsNone(done["table"]["rows"][3]["cells"][0]["mean"])
        again = json.loads(self.bench("--json").stdout)
        self.assertEqual((again["done"], again["earlier"], again["table"]), (0, 5, done["table"]))

        text = self.bench("--no-run").stdout
        self.assertIn("\ntwins: pairs with both right, % (chance 25)\nmethod", text)
        self.assertRegex(text, r"\nown +100\.0")
        rows = list(csv.DictReader(io.StringIO(self.run_program("bench", "grid.toml", "--export", "csv").stdout)))
        found = {(row["row"], row["data"]): row for row in rows}
        self.assertEqual(found["own", "tri"]["twins both_right"], "1")
        self.assertEqual(found["svm-labels", "large"]["twins both_right"], "")
        for form in ("markdown", "latex"):
            self.assertIn("twins: pairs with both right",
                          self.run_program("report", "grid.sqlite", "--format", form).stdout)
        self.run_program("report", "grid.sqlite", "-o", "r.html", "--quiet")
        page = (self.folder / "r.html").read_text()
        self.assertIn("twins: pairs with both right", page)
        self.assertIn("heat-map", page)
        self.run_program("bench", "grid.toml", "--export", "heatmap", "-o", "maps.svg")
        self.run_program("bench", "grid.toml", "--export", "heatmap", "-o", "maps.svg", "--force")
        root = xml.etree.ElementTree.parse(self.folder / "maps.svg").getroot()
        self.assertEqual(len(root), 3, "test graphs, twins and twice the size")
        with sqlite3.connect(self.folder / "grid.sqlite") as store:
            counts = store.execute("SELECT graphs, both_right FROM asked JOIN runs ON run = runs.id "
                                   "WHERE name = 'twins' AND method = 'command'").fetchall()
        self.assertEqual(counts, [(60, 30)])

    def test_refusals_speak_of_the_file(self):
        for line, says in (('pairs = "looks"', ".ask.twins (line 10): pairs: found 'looks', expected degrees"),
                           ('pairs = "none"', "pairs: found 'none', expected degrees"),
                           ('pairs = "degrees"\ncount = 0', "a number from 1 to")):
            self.write(grid(METHODS, data=f"{DATA}\n[ask.twins]\n{line}\n"))
            said = self.run_program("bench", "grid.toml", "--quiet", code=2).stderr
            self.assertIn(says, said)
            self.assertIn("grid.toml:", said)
            self.assertNotIn("--", said)
        self.write(grid(METHODS, data=DATA.replace("candidates = 600", "candidates = 601")))
        said = self.run_program("bench", "grid.toml", "--quiet", code=2).stderr
        self.assertIn("candidates: found 601, expected a positive even number", said)

    def test_keys_change_only_where_something_is_asked(self):
        self.write(grid(METHODS))
        self.bench()
        plain = {run["key"] for run in self.results()["runs"]}
        for run in self.results()["runs"]:
            self.assertNotIn("asked", run)
        self.write(grid(METHODS, data=DATA + ASKS))
        self.bench("--jobs", "2")
        asked = {run["key"] for run in self.results()["runs"]} - plain
        self.assertEqual(len(asked), 2)
        self.write(grid(METHODS))
        self.assertEqual(json.loads(self.bench("--json").stdout)["done"], 0)

    def test_an_interrupted_run_is_asked_at_its_end(self):
        self.write(grid(counting(1, epochs=60, pause=50), data=DATA + ASKS))
        first = subprocess.Popen([PROGRAM, "bench", "grid.toml", "--no-report", "--quiet"], cwd=self.folder)
        until = time.time() + 60
        while not list(self.folder.glob("grid.work/runs/*.checkpoint")) and time.time() < until:
            time.sleep(0.02)
        first.send_signal(signal.SIGINT)
        self.assertNotEqual(first.wait(), 0)
        self.bench()
        resumed = self.results()
        (self.folder / "grid.sqlite").unlink()
        self.bench()
        self.assertEqual(self.results(), resumed)
        run, = resumed["runs"]
        self.assertEqual([asked["name"] for asked in run["result"]["asked"]], ["renumbered", "twice", "twins"])

    def test_a_run_of_train_is_asked_when_it_is_imported(self):
        self.write(grid('[[run]]\nmethods = ["svm-graphlet"]\nfolds = "0"', data=DATA + ASKS))
        self.bench()
        computed = self.results()
        data, = (self.folder / "grid.work" / "data").glob("triangles-*")
        self.run_program("train", "svm-graphlet", data, "-o", "run", "--quiet")
        (self.folder / "grid.sqlite").unlink()
        self.bench("--no-run", "--import", "run")
        self.assertEqual(self.results(), computed)

    def test_answers_from_elsewhere(self):
        recorded = '[[run]]\nname = "elsewhere"\nrecorded = true\nfolds = "0-1"\n'
        self.write(grid(recorded, data=DATA + ASKS))
        made = json.loads(self.bench("--json").stdout)["data"]["tri"]
        data, asked = pathlib.Path(made["path"]), made["asked"]
        self.assertEqual(asked["renumbered"], {"rounds": 2})

        def answers(name, folder, split, said):
            lines = (folder / f"{split}.tsv").read_text().splitlines()[1:]
            rows = [line.split("\t")[:2] for line in lines]
            (self.folder / name).write_text("".join(f"{id}\t{said(i, label)}\n" for i, (id, label) in enumerate(rows)))
            return name

        def truth(_, label):
            return label

        tested = answers("test.tsv", data, "test", truth)
        half = answers("half.tsv", data, "test", lambda i, label: label if i % 2 else 1 - int(label))
        sets = {name: pathlib.Path(asked[name]["path"]) for name in ("twins", "twice")}
        twins = answers("twins.tsv", sets["twins"], "all", lambda i, label: label if i >= 2 else 0)
        twice = answers("twice.tsv", sets["twice"], "all", lambda i, _: 1)

        def score(*asked, fold="0", **keywords):
            words = [word for one in asked for word in ("--asked", *one)]
            return self.run_program("score", tested, data, "--store", "grid.sqlite", "--row", "elsewhere", "--fold", fold,
                                    "--json", *words, **keywords)

        good = [("twins", twins, sets["twins"]), ("twice", twice, sets["twice"]), ("renumbered", tested, data),
                ("renumbered", half, data)]
        for wrong, says in (([good[0]], "renumbered: 0 tables of answers, expected 2, one per round"),
                            (good[:3], "renumbered: 1 tables of answers, expected 2, one per round"),
                            (good + good[:1], "twins: 2 tables of answers, expected 1"),
                            (good + [("twin", twins, sets["twins"])], "'twin' is not asked; did you mean twins?"),
                            ([("twins", twice, sets["twice"]), *good[1:]], "twins: other graphs than those asked"),
                            ([("twins", twice, sets["twins"]), *good[1:]], "twice.tsv:1: found graph 'TR0000000', expected an id")):
            said = score(*wrong, code=2).stderr
            self.assertIn(says, said)
        found = {one["name"]: one for one in json.loads(score(*good).stdout)["asked"]}
        self.assertEqual([found["renumbered"][name] for name in ("count", "changed", "accuracy")], [80, 20, 0.75])
        self.assertEqual((found["twins"]["both_right"], found["twice"]["accuracy"]), (29, 0.5))
        self.assertNotIn("asked", json.loads(score(fold="1").stdout))  # the test graphs alone will do
        shown = json.loads(self.bench("--json").stdout)
        self.assertEqual(self.asked(shown, 0)["renumbered"]["figure"], 25)
        exported = self.run_program("bench", "--store", "grid.sqlite", "--export", "json").stdout
        (self.folder / "exported.json").write_text(exported)
        (self.folder / "grid.sqlite").unlink()
        again = json.loads(self.bench("--import", "exported.json", "--json").stdout)
        self.assertEqual((again["imported"], again["table"]), (2, shown["table"]))

    def test_other_data_by_its_path(self):
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0"', data=DATA + ASKS))
        self.bench()
        twins, = (path for path in (self.folder / "grid.work" / "data").glob("asked-*")
                  if '"pairs"' in (path / "manifest.json").read_text())
        twins.rename(self.folder / "twins")
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0"', data=DATA + '[ask.t]\npath = "twins"'))
        done = json.loads(self.bench("--json").stdout)
        self.assertEqual(self.asked(done, 0)["t"]["accuracy"], 50)
        self.assertEqual(done["table"]["asked"][0]["key"], "both_right")

    def test_what_is_wrong_is_said_before_anything_is_made(self):
        for ask, says in (('pairs = "colours"', "tri.ask.x (line "),
                          ("options = { nodes = 3 }", "nodes"),
                          ("options = { min_nodes = 30 }", "min-nodes"),
                          ('path = "nowhere"', "no data set 'nowhere'"),
                          ("count = 3", "an even number"),
                          ("rounds = 2.5", "rounds of another kind")):
            self.write(grid(METHODS, data=DATA + f"[data.tri.ask.x]\n{ask}\n"))
            with self.subTest(ask):
                done = self.bench(code=2)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertIn("grid.toml:", done.stderr)
                self.assertIn(says, done.stderr)
                self.assertFalse((self.folder / "grid.work").exists())


if __name__ == "__main__":
    unittest.main()
