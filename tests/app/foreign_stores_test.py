#!/usr/bin/env python3
"""Stores of somebody else, and of earlier versions."""
import json
import shutil
import sqlite3
import unittest

from bench_program import counting, grid
from foreign_store import ForeignStoreTest, TWO_RUNS


class Rows(ForeignStoreTest):
    def test_rows_that_cannot_be(self):
        store = self.make_store()
        good = store.read_bytes()
        for statement, says in (
                ("UPDATE runs SET confusion = '[[1,2],[3,4],[5,6]]'", "no square in row 1 of runs"),
                ("UPDATE runs SET confusion = '[]'", "a confusion matrix of 0 graphs"),
                ("UPDATE runs SET confusion = '[[20,-1],[1,20]]'", "in runs.confusion"),
                ("UPDATE runs SET confusion = 'x'", "runs.confusion: found 'x'"),
                ("UPDATE runs SET confusion = NULL", "runs.confusion: found the end of the text"),
                ("UPDATE runs SET accuracy = 7", "7 as accuracy in row 1 of runs"),
                ("UPDATE runs SET accuracy = 'much'", "'much' in runs.accuracy"),
                ("UPDATE runs SET accuracy = NULL", "nan as accuracy"),
                ("UPDATE runs SET test_graphs = -1", "-1 in runs.test_graphs"),
                ("UPDATE runs SET best_epoch = 9", "best epoch 9 of 1"),
                ("UPDATE runs SET fold = 4294967296", "4294967296 in runs.fold"),
                ("UPDATE runs SET options = '{\"a\": 1, \"a\": 2}'", "the key 'a' twice"),
                ("UPDATE runs SET options = '[]'", "runs.options"),
                ("UPDATE runs SET state = 'odd'", "unknown state 'odd' in runs.state"),
                ("UPDATE runs SET method = x'ff'", "in runs.method"),
                ("UPDATE runs SET folding = 'by hand'", "in runs.folding"),
                ("UPDATE answers SET said = 9", "class 9 for one of class"),
                ("UPDATE answers SET truth = -1", "-1 in answers.truth"),
                ("UPDATE answers SET said = 1 - said", "answers of another confusion matrix"),
                ("DELETE FROM answers WHERE place = 0 AND run = 1", "answers of another confusion matrix"),
                ("UPDATE entries SET run = 77", "a place without its run"),
                ("UPDATE entries SET run = 1", "fold 0 in the place of fold 1"),
                ("UPDATE grids SET metric = 'loss'", "in grids.metric"),
                ("UPDATE grids SET published = '{\"tri\": {\"a\": \"b\"}}'", "in grids.published")):
            self.change("PRAGMA foreign_keys = OFF", statement)
            with self.subTest(statement):
                for command in (["bench", "grid.toml", "--status"], ["report", "grid.sqlite", "--format", "latex"],
                                ["bench", "grid.toml", "--no-report", "--quiet"]):
                    self.assertIn("grid.sqlite: ", self.refused(*command, says=says))
            store.write_bytes(good)
        self.bench()

    def test_graphs_that_cannot_be(self):
        store = self.make_store()
        good = store.read_bytes()
        for statement, says in (
                ("UPDATE graphs SET graph6 = 'x y'", "in graphs.graph6"),
                ("UPDATE graphs SET class = 5", "an answer for graph 0 of class"),
                ("DELETE FROM graphs WHERE place > 3", "an answer for graph 4"),
                ("UPDATE graphs SET witness = '{\"nodes\": [0, 900], \"edges\": []}'", "in graphs.witness"),
                ("UPDATE graphs SET witness = '{\"nodes\": [0], \"edges\": [[0, 0]]}'", "in graphs.witness"),
                ("UPDATE graphs SET witness = '{}'", "in graphs.witness"),
                ("UPDATE graphs SET node_labels = '[1]'", "node labels for"),
                ("UPDATE data_sets SET classes = '[\"0\"]'", "a run of 2 classes on data of 1"),
                ("UPDATE data_sets SET classes = '[0, 1]'", "in data_sets.classes"),
                ("UPDATE data_sets SET splits = '{'", "data_sets.splits")):
            self.change(statement)
            with self.subTest(statement):
                self.assertIn("grid.sqlite: ", self.refused("report", "grid.sqlite", "-o", "r.html", says=says))
            store.write_bytes(good)

    def test_an_owner_is_no_path_to_be_removed(self):
        self.make_store()
        thesis = self.folder / "thesis.txt"
        thesis.write_text("years of work")
        for owner in (str(thesis), "../../thesis.txt", "..", ""):
            self.change(f"UPDATE runs SET state = 'running', owner = '{owner}'")
            self.bench()
            self.assertEqual(thesis.read_text(), "years of work")

    def test_views_triggers_and_other_columns(self):
        store = self.make_store()
        good = store.read_bytes()
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
        for statements, says in (
                ([f"CREATE VIEW v AS {endless} SELECT x FROM c"], "a view 'v'"),
                (["DROP TABLE grids",
                  f"CREATE VIEW grids AS {endless} SELECT x AS id, '' AS name, '' AS title, 'accuracy' AS metric, "
                  "'' AS paper, '{}' AS published, '' AS config, '' AS command FROM c"], "a view 'grids'"),
                (["CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM grids; END"], "a trigger 't'"),
                (["ALTER TABLE runs ADD COLUMN more CHECK (hex(zeroblob(9)) <> '')"],
                 "other columns in table 'runs'"),
                (["DROP TABLE entries", "DROP TABLE grids"], "no table entries"),
                (["DROP TABLE epochs", "CREATE TABLE epochs (run, epoch)"], "other columns in table 'epochs'")):
            self.change(*statements)
            with self.subTest(statements):
                for command in (["bench", "grid.toml", "--status"], ["bench", "grid.toml", "--no-report"]):
                    self.refused(*command, says=says)
            store.write_bytes(good)
        self.change("CREATE TABLE mine (note)", "CREATE INDEX mine_by_note ON mine(note)")
        self.bench("--status")


class LastEpochs(ForeignStoreTest):
    """Runs that kept another epoch than their last."""

    def make_store(self):
        self.write(grid('[[run]]\nmethods = ["counting"]\nfolds = "0-1"\noptions = { max_epochs = 4, keep = 2 }'))
        self.bench()
        return self.folder / "grid.sqlite"

    def test_are_kept_in_the_store_and_in_exports(self):
        self.make_store()
        for run in self.results()["runs"]:
            result = run["result"]
            self.assertEqual((result["epochs"], result["best_epoch"]), (4, 2))
            self.assertEqual(result["last"]["test"]["count"], 40)
            self.assertEqual(sum(map(sum, result["last"]["test"]["confusion"])), 40)
            details = run["details"]
            self.assertEqual(details["last_answers"]["truth"], details["answers"]["truth"])
            self.assertNotEqual(details["last_answers"]["said"], details["answers"]["said"])
        lines = self.run_program("bench", "grid.toml", "--export", "csv").stdout.splitlines()
        names = lines[0].split(",")
        for line in lines[1:]:
            self.assertEqual(line.split(",")[names.index("last_accuracy")], "0.5")

    def test_a_run_of_train_brings_its_last_epoch(self):
        self.make_store()
        stored = {run["fold"]: (run["result"], run["details"]) for run in self.results()["runs"]}
        (self.folder / "grid.sqlite").unlink()
        data, = (self.folder / "grid.work" / "data").iterdir()
        trained = self.run_json("train", "counting", data, "-o", "run", "--quiet", "--max-epochs", "4", "--keep", "2")
        self.assertEqual(trained["last"], {"test": stored[0][0]["last"]["test"]})
        kept = self.run_json("train", "counting", data, "-o", "kept", "--quiet", "--max-epochs", "4")
        self.assertIsNone(kept["last"])
        self.bench("--folds", "1")
        take_up = ["bench", "grid.toml", "--folds", "0", "--import", "run", "--no-report", "--quiet"]
        path = self.folder / "run" / "run.json"
        good = path.read_text()
        record = json.loads(good)
        answers = record["last"]["answers"]
        for key, value, says in (("said", "9" * 40, "class 9 for one of class"),
                                 ("truth", answers["said"], "at the last epoch"),
                                 ("places", " ".join(map(str, range(1, 41))), "answers for other graphs")):
            record["last"]["answers"] = {**answers, key: value}
            path.write_text(json.dumps(record))
            self.assertIn("run/run.json: found ", self.refused(*take_up, says=says))
        path.write_text(good)
        self.run_program(*take_up)
        self.assertEqual({run["fold"]: (run["result"], run["details"]) for run in self.results()["runs"]}, stored)

    def test_rows_that_cannot_be(self):
        store = self.make_store()
        good = store.read_bytes()
        for statement, says in (
                ("UPDATE runs SET last_accuracy = 7", "7 as accuracy at the last epoch in row 1 of runs"),
                ("UPDATE runs SET last_accuracy = NULL", "nan as accuracy at the last epoch"),
                ("UPDATE runs SET last_macro_f1 = 'x'", "'x' in runs.last_macro_f1"),
                ("UPDATE runs SET last_confusion = '[[1]]'", "a confusion matrix of 1 graphs"),
                ("UPDATE runs SET last_confusion = 'x'", "runs.last_confusion: found 'x'"),
                ("UPDATE runs SET last_confusion = '[[40,0],[0,0]]', last_accuracy = 1", "other test graphs"),
                ("UPDATE answers SET said_last = 9", "class 9 for one of class"),
                ("UPDATE answers SET said_last = 'x'", "'x' in answers.said_last"),
                ("UPDATE answers SET said_last = NULL WHERE place = 3", "answers of another confusion matrix"),
                ("UPDATE answers SET said_last = NULL", "answers for other graphs at the last epoch"),
                ("UPDATE entries SET seed = 5", "seed 1 in the place of seed 5"),
                ("UPDATE entries SET seed = 'x'", "'x' in entries.seed"),
                ("UPDATE entries SET taken_from = x'ff'", "in entries.taken_from")):
            self.change(statement)
            with self.subTest(statement):
                for command in (["bench", "grid.toml", "--status"], ["bench", "grid.toml", "--no-report", "--quiet"]):
                    self.assertIn("grid.sqlite: ", self.refused(*command, says=says))
            store.write_bytes(good)


class EarlierStores(ForeignStoreTest):
    """Stores of earlier versions."""

    def make_store(self, version=1):
        return self.make_earlier_store(version)

    def version(self):
        database = sqlite3.connect(self.folder / "grid.sqlite")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        database.close()
        return version

    def test_are_read_and_become_today_s_when_they_are_written(self):
        for version, runs in ((1, 4), (2, 2), (3, 2)):
            with self.subTest(version):
                self.check_upgrade(version, runs)
                shutil.rmtree(self.folder / "grid.work")

    def check_upgrade(self, version, count):
        store = self.make_store(version)
        before = store.read_bytes()
        status = self.run_program("bench", "--store", "grid.sqlite", "--status").stdout
        self.assertIn(f"old: {count} done, 0 running, 0 waiting, 0 failed", status)
        exported = self.run_program("bench", "--store", "grid.sqlite", "--export", "json").stdout
        table = self.run_program("report", "grid.sqlite", "--format", "markdown").stdout
        self.run_program("report", "grid.sqlite", "-o", f"r{version}.html", "--quiet")
        self.assertEqual((store.read_bytes(), self.version()), (before, version))
        self.assertEqual(json.loads(exported)["grids"][0]["entries"][0][:3], ["svm-labels", "tri", 0])
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"'))
        self.bench()
        self.assertEqual(self.version(), 4)
        later = json.loads(self.run_program("bench", "--store", "grid.sqlite", "--export", "json").stdout)
        self.assertEqual([entry["name"] for entry in later["grids"]], ["old", "grid"])
        self.assertEqual(later["grids"][0], json.loads(exported)["grids"][0])
        runs = {run["key"]: run for run in later["runs"]}
        for run in json.loads(exported)["runs"]:
            self.assertEqual(runs[run["key"]], run)
        again = self.run_program("report", "grid.sqlite", "--format", "markdown").stdout
        self.assertTrue(again.startswith(table), again)
        self.bench()  # what it has made passes its own check

    def test_are_checked_no_less(self):
        store = self.make_store()
        good = store.read_bytes()
        for statements, says in (
                (["ALTER TABLE runs ADD COLUMN last_accuracy REAL"], "other columns in table 'runs'"),
                (["PRAGMA user_version = 2"], "other columns in table"),
                (["PRAGMA user_version = 3"], "other columns in table"),
                (["PRAGMA user_version = 4"], "other columns in table"),
                (["PRAGMA user_version = 0"], "a store of version 0"),
                (["DROP TABLE answers"], "no table answers"),
                (["CREATE VIEW v AS SELECT 1"], "a view 'v'"),
                (["UPDATE runs SET accuracy = 7"], "7 as accuracy in row 1 of runs"),
                (["PRAGMA foreign_keys = OFF", "UPDATE entries SET run = 77"], "a place without its run")):
            self.change(*statements)
            self.write(grid(TWO_RUNS))
            with self.subTest(statements):
                for command in (["bench", "grid.toml", "--status"], ["bench", "grid.toml", "--no-report", "--quiet"]):
                    self.assertIn("grid.sqlite: ", self.refused(*command, says=says))
            store.write_bytes(good)

    def test_tables_of_today_need_the_version_of_today(self):
        self.write(grid(TWO_RUNS))
        self.bench()
        for version in (1, 2, 3):
            self.change(f"PRAGMA user_version = {version}")
            self.refused("bench", "grid.toml", "--status", says="other columns in table")

    def test_own_tables_and_indexes_stay(self):
        self.make_store()
        self.change("CREATE TABLE earlier_entries (note)", "INSERT INTO earlier_entries VALUES ('mine')",
                    "CREATE INDEX mine ON runs(method)")
        self.write(grid(TWO_RUNS))
        self.bench()
        database = sqlite3.connect(self.folder / "grid.sqlite")
        self.assertEqual(database.execute("SELECT note FROM earlier_entries").fetchall(), [("mine",)])
        self.assertEqual(database.execute("SELECT name FROM sqlite_master WHERE name = 'mine'").fetchall(),
                         [("mine",)])
        database.close()
        self.assertEqual(self.version(), 4)


if __name__ == "__main__":
    unittest.main()
