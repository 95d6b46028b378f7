#!/usr/bin/env python3
"""bench: the store, its faults, importing, broken configurations."""
import csv
import json
import pathlib
import random
import re
import sqlite3
import subprocess
import unittest

from bench_program import DATA, BenchTest, counting, grid
from program import PROGRAM, mounting_command


class GridTest(BenchTest):
    def test_a_finished_store_is_left_as_it_is(self):
        self.write(grid('[[run]]\nmethods = ["svm-labels", "svm-graphlet"]\nfolds = "0-2"'
                        '\n[paper]\nsource = "P"\n[paper.tri]\nsvm-graphlet = 99.6'))
        first = json.loads(self.bench("--json").stdout)
        self.assertEqual((first["done"], first["earlier"]), (6, 0))
        before = self.results()
        second = json.loads(self.bench("--json").stdout)
        self.assertEqual((second["done"], second["earlier"]), (0, 6))
        self.assertEqual(self.results(), before)
        cell = second["table"]["rows"][1]["cells"][0]
        self.assertEqual([run["fold"] for run in cell["runs"]], [0, 1, 2])
        self.assertAlmostEqual(cell["difference"], cell["mean"] - 99.6)
        status = self.run_program("bench", "grid.toml", "--status").stdout
        self.assertIn("grid: 6 done, 0 running, 0 waiting, 0 failed", status)

    def test_runs_equal_those_of_train(self):
        self.write(grid('[[run]]\nmethods = ["svm-wl"]\nfolds = "2"'))
        self.bench()
        data, = (self.folder / "grid.work" / "data").iterdir()
        trained = self.run_json("train", "svm-wl", data, "--fold", "2", "-o", "run", "--quiet")
        run, = self.results()["runs"]
        # Stored figures are without what follows from them.
        self.assertEqual(trained["test"].pop("f1")[-1], trained["test"]["positive_f1"])
        self.assertEqual(run["result"]["test"], trained["test"])
        self.assertEqual(run["options"], trained["options"])
        self.assertEqual(run["result"]["chosen"], trained["chosen"])

    def test_a_run_of_train_is_imported(self):
        self.write(grid(counting(2)))
        self.bench("--only", "counting step=1")
        data, = (self.folder / "grid.work" / "data").iterdir()
        self.run_program("train", "counting", data, "-o", "run", "--quiet", "--max-epochs", "10",
                         "--step", "2")
        self.run_program("bench", "--import", "run", "grid.toml", "--no-report", "--quiet")
        after = self.results()
        self.assertEqual([run["state"] for run in after["runs"]], ["done"] * 2)
        self.assertEqual(len(after["epochs"]), 20)
        (self.folder / "grid.sqlite").unlink()
        self.bench()
        again = self.results()
        for results in (again, after):
            results.pop("epochs")  # train's file has fewer digits
        self.assertEqual(again, after)
        self.run_program("train", "counting", data, "-o", "other", "--quiet", "--step", "2")
        done = self.bench("--import", "other", code=2)
        self.assertIn("max_epochs 10, not 30", done.stderr)

    def test_a_run_of_train_replaces_nothing(self):
        self.write(grid(counting(1)))
        self.bench()
        before = self.results()
        data, = (self.folder / "grid.work" / "data").iterdir()
        self.run_program("train", "counting", data, "-o", "run", "--quiet", "--max-epochs", "10", "--step", "1")
        done = self.run_program("bench", "--import", "run", "grid.toml", "--no-report")
        self.assertIn("run: 0 runs taken up, 1 were done already", done.stderr)
        self.assertEqual(self.results(), before)
        # A folder of a program whose results were others, or that does not say which, is no run of today's.
        (self.folder / "grid.sqlite").unlink()
        record = self.folder / "run" / "run.json"
        text = record.read_text()
        for change in (re.sub(r'"result_version": \d+', '"result_version": 2', text),
                       re.sub(r',?\s*"result_version": \d+', "", text)):
            self.assertNotEqual(change, text)
            record.write_text(change)
            done = self.bench("--import", "run", code=2)
            self.assertIn("made by another version of the program", done.stderr)
        record.write_text(text)
        self.bench("--import", "run", "--no-run")
        self.assertEqual([run["state"] for run in self.results()["runs"]], ["done"])

    def test_an_imported_model_must_answer_as_its_record_says(self):
        self.write(grid('[[run]]\nmethods = ["svm-wl"]\nfolds = "2"'))
        self.bench("--folds", "3")
        data, = (self.folder / "grid.work" / "data").iterdir()
        self.run_program("train", "svm-wl", data, "--fold", "2", "-o", "run", "--quiet")
        path = self.folder / "run" / "run.json"
        record = json.loads(path.read_text())
        first = record["test"]["confusion"][0]
        first[0], first[1] = first[0] - 1, first[1] + 1
        record["test"]["accuracy"] -= 1 / record["test"]["count"]  # the record fits itself
        path.write_text(json.dumps(record))
        done = self.bench("--import", "run", code=2)
        self.assertIn("as run.json says", done.stderr)
        record["initial"] = "0" * 64
        path.write_text(json.dumps(record))
        done = self.bench("--import", "run", code=2)
        self.assertIn("no run that begins with a model", done.stderr)
        self.assertEqual([run["fold"] for run in self.results()["runs"] if run["state"] == "done"], [3])

    def test_status_reads_stores_of_earlier_grids(self):
        """Their configurations say `minutes` where today's say `expected_minutes`."""
        self.write(grid('[[run]]\nmethods = ["svm-wl"]\nfolds = "2"\nminutes = 3'))
        self.assertIn("expected_minutes", self.bench(code=2).stderr)
        self.write(grid('[[run]]\nmethods = ["svm-wl"]\nfolds = "2"\nexpected_minutes = 30'))
        self.bench()
        with sqlite3.connect(self.folder / "grid.sqlite") as store:
            store.execute("UPDATE grids SET config = replace(config, 'expected_minutes', 'minutes')")
            store.execute("UPDATE runs SET state = 'waiting'")
        self.assertIn("about 0.50 to come", self.bench("--status").stdout)

    def test_only_and_folds_choose(self):
        self.write(grid('[[run]]\nmethods = ["svm-labels", "svm-wl"]'))
        done = json.loads(self.bench("--only", "*-wl", "--folds", "1,3", "--json").stdout)
        self.assertEqual(done["done"], 2)
        self.assertEqual([row["method"] for row in done["table"]["rows"]], ["svm-wl"])
        self.bench("--folds", "1", "--json")
        folds = sorted((run["method"], run["fold"]) for run in self.results()["runs"])
        self.assertEqual(folds, [("svm-labels", 1), ("svm-wl", 1), ("svm-wl", 3)])
        done = self.bench("--only", "nothing", code=2)
        self.assertIn("no method of grid fits", done.stderr)

    def test_another_option_is_another_run_and_takes_the_place(self):
        self.write(grid('[[run]]\nmethods = ["counting"]\nfolds = "0"\noptions = { step = 1 }'))
        self.bench()
        self.write(grid('[[run]]\nmethods = ["counting"]\nfolds = "0"\noptions = { step = 2 }'))
        self.bench()
        results = self.results()
        self.assertEqual(len(results["runs"]), 2)
        self.assertEqual(len(results["grids"][0]["entries"]), 1)
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0"'))
        self.bench()
        self.assertEqual([entry[0] for entry in self.results()["grids"][0]["entries"]],
                         ["svm-labels"])

    def test_a_cell_has_runs_of_one_kind(self):
        row = '[[run]]\nmethods = ["svm-labels"]\nfolds = "0-3"\n'
        self.write(grid(row))
        self.bench()
        self.write(grid(row + "options = { costs = [1] }"))
        done = json.loads(self.bench("--folds", "0-1", "--json").stdout)
        cell = done["table"]["rows"][0]["cells"][0]
        self.assertEqual([run["fold"] for run in cell["runs"]], [0, 1])
        status = self.run_program("bench", "grid.toml", "--status").stdout
        self.assertIn("2 not begun", status)
        self.assertNotIn("complete", status)
        self.bench()
        self.assertIn("4 done, 0 running, 0 waiting, 0 failed; complete", self.run_program("bench", "grid.toml", "--status").stdout)

    def test_a_grid_that_shrank_is_complete(self):
        self.write(grid(counting(1, folds="0-3")))
        self.bench("--no-run")
        self.write(grid(counting(1, folds="0")))
        done = self.bench()
        self.assertNotIn("not done yet", done.stdout)
        self.assertIn("1 done, 0 running, 0 waiting, 0 failed; complete",
                      self.run_program("bench", "grid.toml", "--status").stdout)

    def test_seeds_are_runs_of_their_own(self):
        self.write(grid('[[run]]\nmethods = ["counting"]\nfolds = "0-1"\noptions = { max_epochs = 2 }', head="seeds = 3"))
        done = json.loads(self.bench("--json").stdout)
        self.assertEqual(done["done"], 6)
        places = sorted((run["fold"], run["seed"]) for run in self.results()["runs"])
        self.assertEqual(places, [(fold, seed) for fold in (0, 1) for seed in (1, 2, 3)])
        self.assertEqual(len({run["result"]["chosen"]["sum"] for run in self.results()["runs"]}), 6)
        lines = self.run_program("bench", "grid.toml", "--export", "csv").stdout.splitlines()
        self.assertEqual([line.split(",")[3:5] for line in lines[1:]],
                         [[str(fold), str(seed)] for fold in (0, 1) for seed in (1, 2, 3)])
        # Fewer seeds: the others leave the table, not the store.
        self.write(grid('[[run]]\nmethods = ["counting"]\nfolds = "0-1"\nseeds = 1\nseed = 2\n'
                        'options = { max_epochs = 2 }', head="seeds = 3"))
        again = json.loads(self.bench("--json").stdout)
        self.assertEqual((again["done"], again["earlier"]), (0, 2))
        results = self.results()
        self.assertEqual(len(results["runs"]), 6)
        self.assertEqual([entry[2:4] for entry in results["grids"][0]["entries"]], [[0, 2], [1, 2]])

    def test_a_column_that_takes_its_runs_from_another(self):
        two = DATA + DATA.replace("data.tri", "data.other").replace("600", "700")
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"\n'
                        '[[run]]\nmethods = ["svm-wl"]\ndata = "tri"\nfolds = "0-1"\n'
                        '[[run]]\nmethods = ["svm-wl"]\ndata = "other"\nsame_as = "tri"\n', data=two))
        done = json.loads(self.bench("--json").stdout)
        self.assertEqual((done["done"], done["elsewhere"]), (6, 0))
        self.assertEqual(done["table"]["columns"], ["tri", "other"])
        here, there = done["table"]["rows"][1]["cells"]
        self.assertEqual(here["mean"], there["mean"])
        self.assertEqual((here["taken_from"], there["taken_from"]), (None, "tri"))
        self.assertIn("In other, methods that cannot see the order of nodes have the figures of tri: svm-wl.",
                      done["table"]["notes"])
        results = self.results()
        self.assertEqual(len(results["runs"]), 6)
        self.assertEqual([entry[5:] for entry in results["grids"][0]["entries"]], [[]] * 6 + [["tri"]] * 2)
        status = json.loads(self.bench("--status", "--json").stdout)
        self.assertEqual(status["grids"][0]["done"], 6)
        (self.folder / "x.json").write_text(json.dumps(
            json.loads(self.run_program("bench", "grid.toml", "--export", "json").stdout)))
        told = [self.run_program("report", name, "--format", "markdown").stdout for name in ("x.json", "grid.sqlite")]
        self.assertEqual(*told)
        self.run_program("report", "grid.sqlite", "-o", "r.html", "--quiet")
        self.assertEqual(json.loads(self.bench("--json").stdout)["earlier"], 6)

    def test_csv_has_a_line_a_run(self):
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"'))
        self.bench()
        lines = self.run_program("bench", "grid.toml", "--export", "csv").stdout.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual({line.count(",") for line in lines}, {23})

    def test_broken_configurations(self):
        cases = [
            ("title = ", "grid.toml:1: found"),
            (grid("[[run]]\nmethods = ['svm-labels']\nfold = 3"), "found 'fold'"),
            (grid("[[run]]\nmethods = ['svm-labels']\nfolds = '0-12'"), "folds: found"),
            (grid("[[run]]\nmethods = ['svm-labels']\ndata = 'x'"), "a data set that [data] has"),
            (grid("[[run]]\nmethods = ['svm-labels', 'svm-labels']"), "a second time"),
            (grid("[[run]]\nmethods = ['nothing']"), "nothing"),
            (grid("[[run]]\nmethods = ['counting']\noptions = { width = 3 }"),
             "no parameter named 'width'"),
            (grid("[[run]]\nmethods = ['counting']\noptions = { step = 0 }"), "--step: found"),
            (grid("[[run]]\nmethods = ['counting']\nvary = { step = 1 }"), "a list of values"),
            (grid(""), "no [[run]]"),
            (grid(counting(1), data=""), "no [data]"),
            (grid(counting(1), data="[data.a]\ntask = 'triangles'\npath = 'x'"), "one of them"),
            (grid(counting(1), data="[data.a]\npath = 'x'\nfilter = { train = 5 }"),
             "filter for data by its path, expected data that a task makes"),
            (grid(counting(1), data="[data.a]\ntask = 'squares'"), "squares"),
            (grid(counting(1), data="[data.a]\npath = 'nowhere'"), "--data FOLDER"),
            (grid(counting(1), data="[data.a]\ntask = 'triangles'\noptions = { x = 1 }"),
             "grid.toml:3: no parameter named 'x'"),
            (grid(counting(1), head="metric = 'luck'"), "expected accuracy, macro_f1"),
            (grid(counting(1) + "[paper.tri]\na = 'b'"), "a figure in per cent"),
        ]
        for text, says in cases:
            with self.subTest(says=says):
                self.write(text)
                done = self.bench(code=2)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("there are: controls, quick, regimes, table1, table2",
                      self.run_program("bench", "nope", code=2).stderr)

    def test_curves_as_csv(self):
        self.write(grid(counting(2, epochs=4, folds="0-1")))
        self.bench()
        rows = list(csv.DictReader(self.run_program("bench", "grid.toml", "--export", "curves").stdout.splitlines()))
        self.assertEqual(len(rows), 2 * 2 * 4)
        self.assertEqual([row["epoch"] for row in rows[:4]], ["1", "2", "3", "4"])
        self.assertEqual({row["row"] for row in rows}, {"counting step=1", "counting step=2"})
        self.assertEqual(sum(row["kept"] == "1" for row in rows), 4)
        with sqlite3.connect(self.folder / "grid.sqlite") as database:
            losses = database.execute("SELECT train_loss FROM epochs JOIN runs ON run = id WHERE key = ? "
                                      "ORDER BY epoch", (rows[0]["key"],)).fetchall()
        database.close()
        self.assertEqual([float(row["train_loss"]) for row in rows[:4]], [loss for loss, in losses])
        self.run_program("bench", "grid.toml", "--export", "curves", "-o", "curves.csv")
        self.run_program("bench", "grid.toml", "--export", "curves", "-o", "curves.csv", "--force")

    def test_the_configurations_that_come_with_it_are_read(self):
        folder = pathlib.Path(PROGRAM).parent.parent / "configs"
        self.assertEqual(sorted(p.stem for p in folder.iterdir()), ["controls", "quick", "regimes", "table1", "table2"])


class StoreFaultTest(BenchTest):
    def setUp(self):
        super().setUp()
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"'))

    def refused(self, says, code=2):
        for command in (["bench", "grid.toml", "--no-report"], ["bench", "grid.toml", "--status"]):
            done = self.run_program(*command, "--quiet", code=code)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def edit(self, sql):
        database = sqlite3.connect(self.folder / "grid.sqlite")
        database.execute(sql)
        database.commit()
        database.close()

    def test_newer_foreign_and_damaged_stores(self):
        self.bench()
        whole = (self.folder / "grid.sqlite").read_bytes()
        self.edit("PRAGMA user_version = 99")
        self.refused("found a store of version 99, expected version 4 at most")
        (self.folder / "grid.sqlite").write_bytes(whole)
        self.edit("PRAGMA application_id = 7")
        self.refused("a SQLite file of another program")
        (self.folder / "grid.sqlite").write_bytes(b"x" * 5000)
        self.refused("a damaged file (file is not a database)")
        chance = random.Random(2)
        for _ in range(30):
            damaged = bytearray(whole)
            start = chance.randrange(100, len(whole) - 600)
            damaged[start:start + 500] = bytes(chance.randrange(256) for _ in range(500))
            (self.folder / "grid.sqlite").write_bytes(damaged)
            done = subprocess.run([PROGRAM, "bench", "grid.toml", "--status"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=60)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            if done.returncode:
                self.assertIn("grid.sqlite", done.stderr)
        (self.folder / "grid.sqlite").write_bytes(whole[:len(whole) // 2])
        self.refused("damaged file")
        (self.folder / "grid.sqlite").write_bytes(whole)
        self.assertEqual(json.loads(self.bench("--json").stdout)["earlier"], 2)

    def test_full_disk_and_read_only_folder(self):
        self.write(grid(counting(6, epochs=3)))
        script = """
set -e
mkdir small && mount -t tmpfs -o size=300k tmpfs small
cd small && cp ../grid.toml .
dd if=/dev/zero of=ballast bs=1k count=150 2>/dev/null
"$BERMUDA_PROGRAM" bench grid.toml --no-report --quiet && exit 9
echo "code $?" >&2
rm -f ballast
mount -t tmpfs -o remount,size=10m tmpfs "$PWD"
"$BERMUDA_PROGRAM" bench grid.toml --no-report --quiet
mount -t tmpfs -o remount,ro tmpfs "$PWD"
"$BERMUDA_PROGRAM" bench grid.toml --status
"$BERMUDA_PROGRAM" bench grid.toml --no-report --quiet && exit 9
echo "code $?" >&2
"""
        done = subprocess.run([*mounting_command(self), "bash", "-c", script], cwd=self.folder,
                              text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.assertIn("code 1", done.stderr)
        self.assertIn("6 runs done now, 0 earlier", done.stdout)
        self.assertIn("grid: 6 done", done.stdout)
        self.assertRegex(done.stderr, r"bermuda: .*grid.sqlite: the store (cannot be opened|may not)")
        self.assertIn("code 2", done.stderr)

    def test_no_such_store(self):
        done = self.run_program("bench", "grid.toml", "--status", code=2)
        self.assertIn("grid.sqlite: there is no such store", done.stderr)
        self.assertFalse((self.folder / "grid.sqlite").exists())


if __name__ == "__main__":
    unittest.main()
