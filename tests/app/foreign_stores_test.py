#!/usr/bin/env python3
"""Stores and exports of somebody else, stores that may not be written, that vanish, or that nobody wanted."""
import base64
import copy
import json
import os
import shutil
import sqlite3
import subprocess
import time
import unittest
import zlib

from bench_program import DATA, BenchTest, counting, grid, packed, unpacked
from program import PROGRAM, TEST_DATA

TWO_RUNS = '[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"'


class ForeignStoreTest(BenchTest):
    def make_store(self):
        self.write(grid(TWO_RUNS))
        self.bench()
        return self.folder / "grid.sqlite"

    def change(self, *statements):
        """Of the store, as anybody can."""
        database = sqlite3.connect(self.folder / "grid.sqlite")
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()

    def refused(self, *arguments, says, **options):
        done = self.run_program(*arguments, code=options.pop("code", 2), **options)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)
        for word in ("map::", "vector::", "_M_", "std::"):
            self.assertNotIn(word, done.stderr)
        return done.stderr


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
        path = self.folder / "grid.sqlite"
        path.unlink(missing_ok=True)
        database = sqlite3.connect(path)
        database.executescript((TEST_DATA / "stores" / f"version_{version}.sql").read_text())
        database.close()
        return path

    def version(self):
        database = sqlite3.connect(self.folder / "grid.sqlite")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        database.close()
        return version

    def test_are_read_and_become_today_s_when_they_are_written(self):
        for version, runs in ((1, 4), (2, 2)):
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
        self.assertEqual(self.version(), 3)
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
        for version in (1, 2):
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
        self.assertEqual(self.version(), 3)


class Asked(ForeignStoreTest):
    """What models were asked beside the test graphs, in a store and in an export of somebody else."""

    def make_store(self):
        self.write(grid(TWO_RUNS, data=DATA + "[ask.again]\nrounds = 2\n[ask.more]\ncount = 20\n"))
        self.bench()
        return self.folder / "grid.sqlite"

    def test_rows_that_cannot_be(self):
        store = self.make_store()
        good = store.read_bytes()
        for statement, says in (
                ("UPDATE asked SET accuracy = 7", "7 as accuracy of 'again'"),
                ("UPDATE asked SET accuracy = 'x'", "'x' in asked.accuracy"),
                ("UPDATE asked SET graphs = -1", "-1 in asked.graphs"),
                ("UPDATE asked SET name = x'ff'", "in asked.name"),
                ("UPDATE asked SET name = 'other'", "other answers instead of 'again'"),
                ("UPDATE asked SET confusion = '[[1]]'", "a confusion matrix of 1 graphs"),
                ("UPDATE asked SET confusion = 'x'", "asked.confusion"),
                ("UPDATE asked SET both_right = 1", "pairs that were not asked"),
                ("UPDATE asked SET changed = -1", "-1 in asked.changed"),
                ("UPDATE asked SET changed = NULL", "renumbered graphs that were not asked, or none"),
                ("UPDATE asked SET changed = 81 WHERE name = 'again'", "81 changed answers of 80"),
                ("DELETE FROM asked WHERE run = 2 AND place = 1", "1 answered of 2 asked sets"),
                ("UPDATE runs SET asked = NULL", "2 answered of 0 asked sets"),
                ("UPDATE runs SET asked = 'x'", "runs.asked"),
                ("UPDATE runs SET asked = '[3]'", "in runs.asked"),
                ("UPDATE runs SET asked = '[{\"name\": \"a\"}]'", "in runs.asked")):
            self.change(statement)
            with self.subTest(statement):
                for command in (["bench", "grid.toml", "--status"], ["bench", "grid.toml", "--no-report", "--quiet"]):
                    self.assertIn("grid.sqlite: ", self.refused(*command, says=says))
            store.write_bytes(good)

    def test_exports_are_taken_up_when_they_fit(self):
        self.make_store()
        good = json.loads(self.run_program("bench", "grid.toml", "--export", "json").stdout)
        (self.folder / "grid.sqlite").unlink()
        take_up = ["bench", "grid.toml", "--import", "x.json", "--no-run", "--no-report", "--quiet"]

        def change(run, **changes):
            run["result"]["asked"][1].update(changes)

        for name, says in (("more", "'/result/asked/1/more', which is not read"),
                           ("confusion", "other graphs as 'more'"),
                           ("changed", "renumbered graphs that were not asked"),
                           ("asked", "which is not read"),
                           ("key", "of other options")):
            results = copy.deepcopy(good)
            for run in results["runs"]:
                if name == "more":
                    change(run, more=1)
                if name == "confusion":
                    change(run, confusion=[[11, 0], [0, 9]], accuracy=1)
                if name == "changed":
                    change(run, changed=3)
                if name == "asked":
                    run["asked"][0]["more"] = 3
                if name == "key":
                    run["asked"][0]["rounds"] = 1
                    change(run, name="more")
                    again = run["result"]["asked"][0]
                    again.update(confusion=[[20, 0], [0, 20]], count=40, accuracy=1, changed=0)
            (self.folder / "x.json").write_text(json.dumps(results))
            with self.subTest(name):
                if name == "key":  # keys are computed again, and these are of another run
                    self.assertIn("the key of another run", self.run_program(*take_up, code=2).stderr)
                else:
                    self.refused(*take_up, says=says)
        (self.folder / "x.json").write_text(json.dumps(good))
        self.run_program(*take_up)
        again = json.loads(self.run_program("bench", "grid.toml", "--export", "json").stdout)
        self.assertEqual(again["runs"], good["runs"])


class Exports(ForeignStoreTest):
    def test_exports_that_cannot_be(self):
        self.make_store()
        good = json.loads(self.run_program("bench", "grid.toml", "--export", "json").stdout)

        def put(*path):
            *way, last, value = path

            def change(results):
                for key in way:
                    results = results[key]
                results[last] = value
            return change

        def detail(**changes):
            def change(results):
                run = results["runs"][0]
                run["details"] = packed({**unpacked(run["details"]), **changes})
            return change

        def answers(**changes):
            return detail(answers={**unpacked(good["runs"][0]["details"])["answers"], **changes})

        result = ("runs", 0, "result")
        details = good["runs"][0]["details"]
        key = good["runs"][0]["key"]
        said = unpacked(details)["answers"]["said"]
        squeezer = zlib.compressobj(9)
        bomb = b"".join(squeezer.compress(b" " * 2**20) for _ in range(257)) + squeezer.flush()
        for change, says in (
                (put(*result, "test", "accuracy", 7), "7 as accuracy in 'svm-labels on tri, fold"),
                (put(*result, "validation_accuracy", -0.1), "-0.1 as validation accuracy"),
                (answers(said=said[1:]), "answers for 40 graphs"),
                (answers(said=":" * 40), "':' as a class"),
                (answers(said="9" * 40), "of 2 classes"),
                (answers(said="!" * 40), "as a class"),
                (answers(places="1 2"), "answers for 40 graphs"),
                (answers(places=" ".join(map(str, range(40)))), "'/answers/places', which is not read"),
                (answers(more=1), "'/answers/more', which is not read"),
                (detail(answers=[[0, 0]]), "something else"),
                (detail(epochs="epoch\n1\n"), "other columns of epochs"),
                (detail(epochs=3), "'3' as epochs"),
                (detail(last_answers={"said": said, "truth": said}), "'/last_answers', which is not read"),
                (put("runs", 0, "details", ""), "something that zlib does not unpack"),
                (put("runs", 0, "details", 7), "'7' as details"),
                (put("runs", 0, "details", details[:-4]), "something that zlib does not unpack"),
                (put("runs", 0, "details", details[:-1]), "letters that are no base64"),
                (put("runs", 0, "details", "-" + details[1:]), "letters that are no base64"),
                (put("runs", 0, "details", details[:8] + "\n" + details[8:]), "letters that are no base64"),
                (put("runs", 0, "details", "AB=="), "letters that are no base64"),
                (put("runs", 0, "details", base64.b64encode(base64.b64decode(details) + b"x").decode()),
                 "something that zlib does not unpack"),
                (put("runs", 0, "details", base64.b64encode(zlib.compress(b"[")).decode()), "details of svm-labels"),
                (put("runs", 0, "details", base64.b64encode(bomb).decode()),
                 "something that unpacks to more than 268435456 bytes"),
                (put(*result, "epochs", 3e9), "as a number of epochs"),
                (put(*result, "more", 1), "'/result/more', which is not read"),
                (put(*result, "answers", {"said": "", "truth": ""}), "'/result/answers', which is not read"),
                (put(*result, "last", {"test": good["runs"][0]["result"]["test"]}), "last_answers"),
                (put("runs", 0, "timing", "more", 1), "'/timing/more', which is not read"),
                (put("runs", 0, "timing", "seconds", "1"), "as seconds"),
                (put("runs", 0, "initial", ""), "'/initial', which is not read"),
                (put("runs", 1, "key", key), "twice"),
                (put("runs", 0, "state", "odd"), "unknown state 'odd'"),
                (put("runs", 0, "folding", "by hand"), "folding: found 'by hand'"),
                (put("runs", 0, "folding", 7), "as how folds are made"),
                (put("runs", 0, 7), "'7' as a run"),
                (put("grids", 0, "entries", 0, 4, "nothing"), "a place without its run"),
                (put("grids", 0, "entries", 0, 2, 11), "'11' as a fold"),
                (put("grids", 0, "entries", 0, 2, 5), "in the place of fold 5"),
                (put("grids", 0, "entries", 0, 3, 5), "in the place of seed 5"),
                (put("grids", 0, "entries", 0, 3, -1), "'-1' as a seed"),
                (put("grids", 0, "entries", 0, 5), "something else"),
                (put("bermuda_results", 3), "results of version 3, expected version 2 at most"),
                (put("bermuda_results", "x"), "as a version"),
                (put("grids", 0, "published", {"tri": 3}), "as figures of a data set"),
                (put("grids", 0, "metric", "loss"), "metric: found 'loss'")):
            results = copy.deepcopy(good)
            change(results)
            (self.folder / "x.json").write_text(json.dumps(results))
            with self.subTest(says):
                for command in (["bench", "--store", "x.json", "--status"],
                                ["report", "x.json", "--format", "markdown"]):
                    self.assertRegex(self.refused(*command, says=says), r"x.json: .*found ")
        (self.folder / "x.json").write_text(json.dumps(good)[:-1] + ', "runs": []}')
        self.refused("bench", "--store", "x.json", "--status", says="the key 'runs' twice")

    def test_exports_of_version_1(self):
        self.run_program("bench", "--store", TEST_DATA / "stores" / "export_1.json", "--status")
        table = self.run_program("report", TEST_DATA / "stores" / "export_1.json", "--format", "markdown").stdout
        EarlierStores.make_store(self)
        self.assertEqual(self.run_program("report", "grid.sqlite", "--format", "markdown").stdout, table)

    def test_a_run_with_impossible_figures_is_not_imported(self):
        self.make_store()
        data, = (self.folder / "grid.work" / "data").iterdir()
        self.run_program("train", "svm-labels", data, "-o", "run", "--quiet")
        path = self.folder / "run" / "run.json"
        good = json.loads(path.read_text())
        take_up = ["bench", "grid.toml", "--import", "run", "--no-report", "--quiet"]
        for key, value, says in (("validation_accuracy", 7, "7 as validation accuracy"),
                                 ("train_graphs", 7, "7 graphs to train and "),
                                 ("test", {**good["test"], "accuracy": 7}, "7 as accuracy")):
            path.write_text(json.dumps({**good, key: value}))
            self.assertIn("run/run.json: found ", self.refused(*take_up, says=says))
        path.write_text(json.dumps(good))
        self.run_program(*take_up)


class NotWritable(ForeignStoreTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.temporary.chmod(0o777)

    def nobody(self):
        """Options of a process that may not write; skips where there is no such user to become."""
        def become_nobody():
            os.setgid(65534)
            os.setuid(65534)
        options = {"preexec_fn": become_nobody} if os.geteuid() == 0 else {}
        try:
            subprocess.run([PROGRAM, "--version"], capture_output=True, check=True, **options)
        except (subprocess.SubprocessError, OSError) as error:
            self.skipTest(f"root may write anywhere and cannot become another user here: {error}")
        return {**options, "env": {**os.environ, "TMPDIR": str(self.temporary)}}

    def locked(self, *ends):
        """A copy of the store, with a change that is in the write-ahead log only."""
        writer = sqlite3.connect(self.folder / "grid.sqlite")
        self.addCleanup(writer.close)
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE runs SET state = 'failed', error = 'in the log' WHERE fold = 1")
        writer.commit()
        folder = self.folder / "locked"
        folder.mkdir()
        for end in ("", *ends):
            shutil.copy(self.folder / f"grid.sqlite{end}", folder / f"grid.sqlite{end}")
            (folder / f"grid.sqlite{end}").chmod(0o444)
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        return folder

    def assert_log_is_read(self, folder, options):
        before = sorted(os.listdir(folder))
        status = self.run_program("bench", "--store", folder / "grid.sqlite", "--status", **options)
        self.assertIn("1 done, 0 running, 0 waiting, 1 failed", status.stdout)
        self.assertIn("in the log", status.stdout)
        self.assertEqual(sorted(os.listdir(folder)), before)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_the_log_is_read_without_its_index(self):
        self.make_store()
        self.assert_log_is_read(self.locked("-wal"), self.nobody())

    def test_the_log_is_read_with_its_index(self):
        self.make_store()
        self.assert_log_is_read(self.locked("-wal", "-shm"), self.nobody())

    def test_beside_a_process_that_writes(self):
        self.make_store()
        self.locked("-wal")  # whose writer has the store of self.folder open
        options = self.nobody()
        for name in os.listdir(self.folder):
            if name.startswith("grid.sqlite"):
                (self.folder / name).chmod(0o444)
        self.assert_log_is_read(self.folder, options)

    def test_without_a_log(self):
        store = self.make_store()
        folder = self.folder / "locked"
        folder.mkdir()
        shutil.copy(store, folder)
        (folder / "grid.sqlite").chmod(0o444)
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        status = self.run_program("bench", "--store", folder / "grid.sqlite", "--status", **self.nobody())
        self.assertIn("2 done", status.stdout)
        self.assertEqual(os.listdir(folder), ["grid.sqlite"])


class Vanishing(ForeignStoreTest):
    def start(self):
        self.write(grid(counting(8, epochs=10, pause=40)))
        process = subprocess.Popen([PROGRAM, "bench", "grid.toml", "--no-report", "--quiet", "--jobs", "1"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(1000):
            if (self.folder / "grid.sqlite").exists() and list(self.folder.glob("grid.work/runs/*")):
                return process
            time.sleep(0.02)
        process.kill()
        self.fail("bench did not begin")

    def assert_told(self, process):
        told, message = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told), (1, ""), message)
        self.assertEqual(message.count("\n"), 1, message)
        self.assertIn("grid.sqlite: the store was deleted, moved or replaced while it was in use", message)

    def test_a_store_that_is_deleted(self):
        process = self.start()
        for name in self.folder.glob("grid.sqlite*"):
            name.unlink()
        self.assert_told(process)
        self.assertFalse((self.folder / "grid.sqlite").exists())

    def test_a_store_that_is_replaced(self):
        process = self.start()
        shutil.copy(self.folder / "grid.sqlite", self.folder / "copy")
        (self.folder / "copy").rename(self.folder / "grid.sqlite")
        self.assert_told(process)


class NothingIsLeftBehind(ForeignStoreTest):
    def test_of_what_does_not_exist(self):
        data = '[data.tri]\ntask = "triangles"\ncandidates = 600\n'
        run = '[[run]]\nmethods = ["svm-labels", "svm-wl"]\n'
        for config, options, says in (
                (None, ["nosuch"], "'nosuch': no such file, and no such configuration; there are: "),
                (None, ["quik"], "'quik': no such file, and no such configuration; did you mean quick?"),
                (grid('[[run]]\nmethods = ["svm-labls"]', data=data), [], "did you mean svm-labels?"),
                (grid('[[run]]\nmethods = ["svm-labels"]\noptions = { cost = 3 }', data=data), [],
                 "no parameter named 'cost'; did you mean costs?"),
                (grid(run, data=data), ["--only", "svm-labels,typo"], "--only: no method of grid fits 'typo'"),
                (grid(run, data=data), ["--only", "svm-labels,svm-lw"], "fits 'svm-lw'; did you mean svm-wl?"),
                (grid(run, data=data.replace("triangles", "triangle")), [], "did you mean triangles?"),
                (grid(run, data=data + "options = { min_node = 3 }\n"), [], "did you mean min_nodes?"),
                (grid(run, data='[data.x]\npath = "nowhere"\n'), [], "no data set 'nowhere' in "),
                (grid(run, data=data), ["--store", "no/folder/x.sqlite"], "no such folder")):
            if config is not None:
                self.write(config)
            with self.subTest(says):  # no store, and no data either
                self.assert_refused("bench", *([] if config is None else ["grid.toml"]), *options, says=says)


if __name__ == "__main__":
    unittest.main()
