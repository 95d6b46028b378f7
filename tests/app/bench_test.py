#!/usr/bin/env python3
"""bench: the store, resuming, workers that fail, several processes, broken configurations."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, mounting_command

COUNTING = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"]) / "counting"

DATA = """
[data.tri]
task = "triangles"
candidates = 600
filter = { train = 100, valid = 20, test = 40 }
audit = false
"""


def grid(runs, head="", data=DATA):
    return f'title = "Test"\n{head}\n{data}\n{runs}\n'


def counting(count, epochs=10, pause=0, folds="0"):
    return f"""
[[run]]
methods = ["counting"]
folds = "{folds}"
options = {{ max_epochs = {epochs}, pause = {pause} }}
vary = {{ step = {list(range(1, count + 1))} }}
"""


class BenchTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(COUNTING)
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)

    def write(self, text, name="grid.toml"):
        (self.folder / name).write_text(text)

    def bench(self, *options, name="grid.toml", **keywords):
        return self.run_program("bench", name, "--no-report", "--quiet", *options, **keywords)

    def results(self, store="grid.sqlite"):
        """Everything in the store but timings."""
        exported = json.loads(self.run_program("bench", "--store", store, "--export", "json").stdout)
        for run in exported["runs"]:
            run.pop("timing", None)
        for entry in exported["grids"]:
            entry.pop("command")
        with sqlite3.connect(self.folder / store) as database:
            exported["epochs"] = database.execute(
                "SELECT key, epoch, train_loss, epochs.validation_accuracy FROM epochs "
                "JOIN runs ON run = id ORDER BY key, epoch").fetchall()
        database.close()
        return exported

    def start(self, *options, log=None, name="grid.toml"):
        environment = dict(os.environ)
        if log is not None:
            environment["BERMUDA_COUNTING_LOG"] = str(log)
        process = subprocess.Popen(
            [PROGRAM, "bench", name, "--no-report", "--quiet", *options], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def wait_until_busy(self):
        for _ in range(500):
            if list(self.folder.glob("grid.work/runs/*.checkpoint")):
                return
            time.sleep(0.02)
        self.fail("no run started")

    def worker_processes(self):
        """Workers of this test's program that still live."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                place = os.readlink(entry / "cwd")
            except OSError:
                continue
            if b"worker" in words and place == str(self.folder):
                found.append(entry.name)
        return found


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
        self.assertEqual(cell["folds"], [0, 1, 2])
        self.assertAlmostEqual(cell["difference"], cell["mean"] - 99.6)
        status = self.run_program("bench", "grid.toml", "--status").stdout
        self.assertIn("grid: 6 done, 0 running, 0 waiting, 0 failed", status)

    def test_runs_equal_those_of_train(self):
        self.write(grid('[[run]]\nmethods = ["svm-wl"]\nfolds = "2"'))
        self.bench()
        data, = (self.folder / "grid.work" / "data").iterdir()
        trained = self.run_json("train", "svm-wl", data, "--fold", "2", "-o", "run", "--quiet")
        run, = self.results()["runs"]
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

    def test_an_imported_model_must_answer_as_its_record_says(self):
        self.write(grid('[[run]]\nmethods = ["svm-wl"]\nfolds = "2"'))
        self.bench("--folds", "3")
        data, = (self.folder / "grid.work" / "data").iterdir()
        self.run_program("train", "svm-wl", data, "--fold", "2", "-o", "run", "--quiet")
        path = self.folder / "run" / "run.json"
        record = json.loads(path.read_text())
        first = record["test"]["confusion"][0]
        first[0], first[1] = first[0] - 1, first[1] + 1
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

    def test_csv_has_a_line_a_run(self):
        self.write(grid('[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"'))
        self.bench()
        lines = self.run_program("bench", "grid.toml", "--export", "csv").stdout.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual({line.count(",") for line in lines}, {19})

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
        self.assertIn("there are: quick, table1, table2",
                      self.run_program("bench", "nope", code=2).stderr)

    def test_the_configurations_that_come_with_it_are_read(self):
        folder = pathlib.Path(PROGRAM).parent.parent / "configs"
        self.assertEqual(sorted(p.stem for p in folder.iterdir()), ["quick", "table1", "table2"])


class StopTest(BenchTest):
    def test_killed_twenty_times_it_ends_as_if_undisturbed(self):
        self.write(grid(counting(20, epochs=40, pause=15)))
        self.bench("--jobs", "3", "--store", "whole.sqlite")
        chance = random.Random(1)
        kills = 0
        for _ in range(200):
            process = self.start("--jobs", "3")
            try:
                process.wait(timeout=0.15 + 0.25 * chance.random())
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                kills += 1
                time.sleep(0.02)
                self.assertEqual(self.worker_processes(), [], "workers outlived their maker")
            if kills == 20:
                break
        self.bench("--jobs", "3")
        self.assertEqual(kills, 20)
        self.assertEqual(self.results(), self.results("whole.sqlite"))
        self.assertEqual(list(self.folder.glob("grid.work/runs/*")), [])

    def test_ctrl_c_keeps_what_was_done(self):
        self.write(grid(counting(3, epochs=200, pause=20)))
        process = self.start("--jobs", "2")
        self.wait_until_busy()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 1)
        said = process.stderr.read()
        self.assertRegex(said, r"interrupted: 0 runs done and kept in grid.sqlite; the same command")
        self.assertEqual(self.worker_processes(), [])
        self.assertIn("0 running, 3 waiting", self.run_program("bench", "grid.toml", "--status").stdout)
        self.assertTrue(list(self.folder.glob("grid.work/runs/*.checkpoint")))

    def test_two_processes_do_every_run_once(self):
        self.write(grid(counting(40, epochs=3, pause=5)))
        log = self.folder / "log"
        first = self.start("--jobs", "2", log=log)
        second = self.start("--jobs", "2", log=log)
        self.assertEqual((first.wait(timeout=120), second.wait(timeout=120)), (0, 0),
                         first.stderr.read() + second.stderr.read())
        self.assertEqual(sorted(map(int, log.read_text().split())), list(range(1, 41)))
        self.bench("--store", "alone.sqlite")
        self.assertEqual(self.results(), self.results("alone.sqlite"))

    def test_workers_that_fail_are_recorded_and_the_others_go_on(self):
        bad = "\n".join(f'[[run]]\nmethods = ["counting"]\nname = "{name}"\nfolds = "0"\n'
                        f"options = {{ {option} }}"
                        for name, option in [("throws", "stop_at = 3"), ("dies", "die_at = 3"),
                                             ("hogs", "hog = true"), ("works", "step = 7")])
        self.write(grid(bad + counting(4)))
        done = self.run_program("bench", "grid.toml", "--no-report", "--jobs", "2", code=1)
        self.assertIn("3 failed; the same command tries again", done.stderr)
        self.assertIn("5 runs done now", done.stdout)
        status = self.run_program("bench", "grid.toml", "--status").stdout
        self.assertIn("stopped as it was told", status)
        self.assertIn("signal 9 (Killed); was memory short?", status)
        self.assertIn("out of memory", status)
        again = json.loads(self.bench("--json", code=1).stdout)
        self.assertEqual((again["done"], again["earlier"], len(again["failures"])), (0, 5, 3))


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
        self.refused("found a store of version 99, expected version 1 at most")
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


@unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
class MpiTest(BenchTest):
    def mpirun(self, *options):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        done = subprocess.run(["mpirun", "-np", "3", "--oversubscribe", *options], cwd=self.folder,
                              env=environment, text=True, capture_output=True, timeout=120)
        return done

    def test_ranks_and_one_process_fill_equal_stores(self):
        bad = '[[run]]\nmethods = ["counting"]\nname = "dies"\nfolds = "0"\noptions = { die_at = 3 }'
        self.write(grid('[[run]]\nmethods = ["svm-labels", "svm-wl"]\nfolds = "0-2"'
                        + counting(5) + bad))
        self.bench(code=1)
        done = self.mpirun(PROGRAM, "bench", "grid.toml", "--no-report", "--quiet", "--store",
                           "ranks.sqlite")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("11 runs done now", done.stdout)
        self.assertEqual(self.results("ranks.sqlite"), self.results())

    def test_ranks_with_folders_of_their_own_share_a_store(self):
        self.write(grid(counting(5)))
        self.bench()
        for name in ("a", "b", "c"):
            (self.folder / name).mkdir()
        word = [PROGRAM, "bench", str(self.folder / "grid.toml"), "--no-report", "--quiet",
                "--store", str(self.folder / "ranks.sqlite")]
        done = self.mpirun("-wdir", "a", *word, ":", "-np", "1", "-wdir", "b", *word)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.results("ranks.sqlite"), self.results())


if __name__ == "__main__":
    unittest.main()
