#!/usr/bin/env python3
"""Exports of somebody else, and what they say was asked."""
import base64
import copy
import json
import unittest
import zlib

from bench_program import DATA, grid, packed, unpacked
from foreign_store import ForeignStoreTest, TWO_RUNS
from program import TEST_DATA


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
                (put("bermuda_results", 4), "results of version 4, expected version 3 at most"),
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
        self.make_earlier_store(version=1)
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


if __name__ == "__main__":
    unittest.main()
