#!/usr/bin/env python3
"""bench --import of exported results: what is taken up, what is left alone, what is refused."""
import copy
import fcntl
import json
import re
import sqlite3
import unittest

from bench_program import DATA, BenchTest, grid, packed, unpacked
from program import TEST_DATA

RUNS = """
[[run]]
methods = ["counting"]
folds = "0-2"
options = { max_epochs = 4, keep = 2 }
vary = { step = [1, 2] }

[[run]]
methods = ["svm-labels"]
folds = "0-1"
"""


class ImportTest(BenchTest):
    def make_export(self, runs=RUNS, name="x.json", **keywords):
        """Runs the grid, and leaves its results in a file only."""
        self.write(grid(runs, **keywords))
        self.bench()
        self.export(name)
        self.forget()
        return json.loads((self.folder / name).read_text())

    def export(self, name):
        self.run_program("bench", "grid.toml", "--export", "json", "-o", name, "--force")

    def forget(self):
        for path in self.folder.glob("grid.sqlite*"):
            path.unlink()

    def take_up(self, *files, code=0, more=("--no-run",)):
        imports = [word for file in files for word in ("--import", file)]
        return self.run_program("bench", "grid.toml", *imports, *more, "--no-report", "--json", code=code)

    def change(self, statement, *values):
        database = sqlite3.connect(self.folder / "grid.sqlite")
        database.execute(statement, values)
        database.commit()
        database.close()


class WhatIsTaken(ImportTest):
    def test_an_export_comes_back_whole(self):
        exported = self.make_export()
        for run in exported["runs"]:
            run["timing"].update(finished="2020-02-29T12:00:00Z", host="another")
        (self.folder / "x.json").write_text(json.dumps(exported))
        done = self.take_up("x.json")
        answer = json.loads(done.stdout)
        self.assertEqual((answer["imported"], answer["done"], answer["earlier"]), (8, 0, 8))
        self.assertIn("x.json: 8 runs taken up\n", done.stderr)
        self.export("y.json")
        again = json.loads((self.folder / "y.json").read_text())
        self.assertEqual(again["runs"], exported["runs"])  # curves, answers, seconds, hosts, times
        self.assertEqual(again["grids"][0]["entries"], exported["grids"][0]["entries"])
        # Nothing is left to do.
        self.assertEqual(json.loads(self.bench("--json").stdout)["earlier"], 8)
        # A finished run is kept as it is, whatever a file says of it.
        for run in exported["runs"]:
            run["timing"]["host"] = "elsewhere"
        (self.folder / "z.json").write_text(json.dumps(exported))
        self.assertIn("z.json: 0 runs taken up, 8 were done already\n", self.take_up("z.json").stderr)
        self.export("y.json")
        self.assertEqual(json.loads((self.folder / "y.json").read_text())["runs"], again["runs"])

    def test_status_and_export_tell_of_what_was_taken_up(self):
        self.make_export()
        first = json.loads((self.folder / "x.json").read_text())
        self.assertIn("store", self.run_program("bench", "grid.toml", "--status", code=2).stderr)
        told = json.loads(self.take_up("x.json", more=("--status",)).stdout)
        self.assertEqual([(g["done"], g["complete"]) for g in told["grids"]], [(8, True)])
        # A file can be asked as it is, too.
        self.assertEqual(json.loads(self.run_program("bench", "--store", "x.json", "--status", "--json").stdout), told)
        self.forget()
        self.take_up("x.json", more=("--export", "json", "-o", "y.json"))
        self.assertEqual(json.loads((self.folder / "y.json").read_text())["runs"], first["runs"])
        self.assertFalse((self.folder / "grid.html").exists())
        self.assertIn("CONFIG", self.run_program("bench", "--store", "x.json", "--import", "x.json", "--status", code=2).stderr)

    def test_reports_have_curves(self):
        self.make_export()

        def model(source):
            self.run_program("report", source, "-o", "r.html", "--force", "--quiet")
            page = (self.folder / "r.html").read_text()
            return json.loads(re.search(r'id="model">(.*?)</script>', page, re.S).group(1))
        from_file = model("x.json")
        self.take_up("x.json")
        from_store = model("grid.sqlite")
        self.assertEqual(from_file["runs"], from_store["runs"])
        self.assertEqual(from_file["tables"], from_store["tables"])
        curves = [run["curve"] for run in from_file["runs"] if run["method"].startswith("counting")]
        self.assertEqual([len(curve["train_loss"]) for curve in curves], [4] * 6)
        self.assertTrue(from_store["gallery"])

    def test_several_files_and_the_rest_is_run(self):
        exported = self.make_export()
        for name, runs in (("a.json", exported["runs"][:3]), ("b.json", exported["runs"][2:5])):
            part = {**exported, "runs": runs, "grids": []}
            (self.folder / name).write_text(json.dumps(part))
        done = self.take_up("a.json", "b.json", more=("--quiet",))
        answer = json.loads(done.stdout)
        self.assertEqual((answer["imported"], answer["earlier"], answer["done"]), (5, 5, 3))
        self.assertEqual({run["state"] for run in self.results()["runs"]}, {"done"})

    def test_another_store(self):
        self.make_export()
        self.take_up("x.json")
        (self.folder / "grid.sqlite").rename(self.folder / "other.sqlite")
        answer = json.loads(self.take_up("other.sqlite").stdout)
        self.assertEqual(answer["imported"], 8)

    def test_what_failed_is_taken_and_what_runs_is_left(self):
        exported = self.make_export()
        self.take_up()
        for run, statement in zip(exported["runs"], ("state = 'failed', error = 'why'",
                                                     "state = 'running', owner = 'living'",
                                                     "state = 'running', owner = 'dead'")):
            self.change(f"UPDATE runs SET {statement} WHERE key = ?", run["key"])
        owners = self.folder / "grid.work" / "owners"
        owners.mkdir(exist_ok=True)
        with open(owners / "living", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.take_up("x.json")
        self.assertIn("x.json: 7 runs taken up, 1 are being done\n", done.stderr)
        states = {run["key"]: run["state"] for run in self.results()["runs"]}
        self.assertEqual(states.pop(exported["runs"][1]["key"]), "running")
        self.assertEqual(set(states.values()), {"done"})

    def test_runs_of_other_settings_are_counted_and_named(self):
        exported = self.make_export()
        exported["runs"][0]["state"] = "waiting"
        for part in ("result", "timing", "details"):
            exported["runs"][0].pop(part)
        (self.folder / "x.json").write_text(json.dumps(exported))
        self.write(grid(RUNS.replace("max_epochs = 4", "max_epochs = 5")))
        self.assertRegex(self.take_up("x.json").stderr,
                         r"x.json: \d runs taken up, 1 are not finished; \d are of other options \(counting on tri, "
                         r"fold \d; counting on tri, fold \d; counting on tri, fold \d; ...\)\n")
        self.write(grid(RUNS, data=DATA.replace("600", "700")))
        self.assertIn("are of other data (", self.take_up("x.json").stderr)
        self.write(grid(RUNS, head="seed = 9"))
        self.assertIn("are of other methods, folds or seeds (", self.take_up("x.json").stderr)
        self.assertIn("export_1.json: 0 runs taken up; 4 are of other methods, folds or seeds (",
                      self.take_up(TEST_DATA / "stores" / "export_1.json").stderr)
        for number, run in enumerate(exported["runs"]):
            run["key"] = f"{number:064x}"
        (self.folder / "x.json").write_text(json.dumps({**exported, "grids": []}))
        self.assertIn("x.json: 0 runs taken up, 1 are not finished; 7 are of another version of the program (",
                      self.take_up("x.json").stderr)
        self.assertEqual([run for run in self.results()["runs"] if run["state"] == "done" and run["seed"] == 9], [])

    def test_no_run_runs_nothing(self):
        self.write(grid(RUNS))
        done = self.run_program("bench", "grid.toml", "--no-run", "--no-report")
        self.assertIn("0 runs done now, 0 earlier", done.stdout)
        self.assertIn("8 runs are not done yet", done.stdout)
        self.assertIn("grid: 0 done, 0 running, 8 waiting, 0 failed; 0.00", self.bench("--status").stdout)


class Status(ImportTest):
    def test_complete_is_said_when_it_is(self):
        self.write(grid(RUNS))
        self.bench("--folds", "0-1")
        status = self.bench("--status").stdout
        self.assertIn("grid: 6 done, 0 running, 0 waiting, 0 failed; 2 not begun; ", status)
        self.change("UPDATE runs SET cpu_seconds = 3600")
        self.assertIn("6.00 core-hours spent, about 2.00 to come", self.bench("--status").stdout)
        self.bench()
        self.export("x.json")
        self.forget()
        for store in ("x.json",):
            status = self.run_program("bench", "grid.toml", "--status", "--store", store).stdout
            self.assertIn("grid: 8 done, 0 running, 0 waiting, 0 failed; complete; ", status)
            answer = self.run_json("bench", "--status", "--store", store)["grids"][0]
            self.assertEqual((answer["complete"], answer["not_begun"]), (True, 0))
        self.take_up("x.json")
        self.change("UPDATE runs SET state = 'failed' WHERE id = 1")
        self.assertNotIn("complete", self.bench("--status").stdout)


class WhatIsRefused(ImportTest):
    def refused(self, file, says):
        done = self.take_up(file, code=2, more=("--no-run", "--quiet"))
        self.assertEqual(done.stdout, "")
        self.assertIn(f"{file}: ", done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        states = {run["state"] for run in self.results()["runs"]} if (self.folder / "grid.sqlite").exists() else set()
        self.assertLessEqual(states, {"waiting"})

    def test_results_that_cannot_be_of_this_grid(self):
        good = self.make_export()
        place = next(i for i, run in enumerate(good["runs"]) if run["method"] == "counting")

        def put(*path):
            *way, last, value = path

            def change(run):
                for key in way:
                    run = run[key]
                run[last] = value
            return change

        def detail(change):
            def changed(run):
                details = unpacked(run["details"])
                change(details)
                run["details"] = packed(details)
            return changed

        def turn(text):
            return text.translate(str.maketrans("01", "10"))

        def other_classes(run):  # fits itself: every class is the other
            details = unpacked(run["details"])
            for part in (details["answers"], details["last_answers"]):
                part.update(said=turn(part["said"]), truth=turn(part["truth"]))
            run["details"] = packed(details)
            for test in (run["result"]["test"], run["result"]["last"]["test"]):
                test["confusion"] = [row[::-1] for row in test["confusion"]][::-1]

        def fewer(run):
            details = unpacked(run["details"])
            for part, test in ((details["answers"], run["result"]["test"]),
                               (details["last_answers"], run["result"]["last"]["test"])):
                truth, said = int(part["truth"][-1]), int(part["said"][-1])
                part.update(said=part["said"][:-1], truth=part["truth"][:-1])
                test["confusion"][truth][said] -= 1
                test["count"] = 39
                test["accuracy"] = (test["confusion"][0][0] + test["confusion"][1][1]) / 39
            run["details"] = packed(details)

        def elsewhere(run):
            details = unpacked(run["details"])
            for part in (details["answers"], details["last_answers"]):
                part["places"] = " ".join(map(str, range(1, 41)))
            run["details"] = packed(details)

        def shorter(details):
            details["epochs"] = "".join(line + "\n" for line in details["epochs"].splitlines()[:-1])

        def misnumbered(details):
            details["epochs"] = details["epochs"].replace("\n4\t", "\n5\t")

        for change, says in (
                (put("options", "step", 7), "the key of another run for 'counting on tri, fold"),
                (put("fold", 5), "in the place of fold"),
                (put("result", "validation_accuracy", 0.987), "validation accuracy 0.987 of epoch"),
                (put("result", "train_graphs", 7), "7 graphs to train and 10 to validate"),
                (put("result", "test", "macro_f1", 0.9), "F1 of 0.9 and "),
                (put("result", "last", "test", "positive_f1", 0.9), "where its answers have"),
                (put("result", "last", "test", "accuracy", 0.9), "0.9 as accuracy, of 20 right answers in 40 at the"),
                (other_classes, "answers for graphs of other classes"),
                (fewer, "39 answers of 2 classes for 40 graphs of 2"),
                (elsewhere, "answers for other graphs"),
                (detail(shorter), "a curve of 3 epochs in 'counting on tri, fold"),
                (detail(misnumbered), "found epoch '5', expected epoch 4"),
                (detail(lambda details: details.pop("answers")), "something else"),
                (detail(lambda details: details.update(answers={"said": "", "truth": ""})), "0 answers of 2 classes"),
                (detail(lambda details: details.pop("last_answers")), "something else")):
            results = copy.deepcopy(good)
            change(results["runs"][place])
            (self.folder / "x.json").write_text(json.dumps(results))
            with self.subTest(says):
                self.refused("x.json", says)
        (self.folder / "x.json").write_text(json.dumps(good))
        self.assertEqual(json.loads(self.take_up("x.json").stdout)["imported"], 8)

    def test_what_is_no_result(self):
        self.write(grid(RUNS))
        self.refused("missing.json", "there is no such store")
        (self.folder / "x.json").write_text("{}")
        self.refused("x.json", "what bermuda bench --export json writes")
        (self.folder / "empty").mkdir()
        self.refused("empty", "no finished run of train there")


if __name__ == "__main__":
    unittest.main()
