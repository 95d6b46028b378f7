#!/usr/bin/env python3
"""bench: killed and interrupted, workers that fail, several processes, ranks of mpirun."""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from bench_program import BenchTest, counting, grid
from program import PROGRAM


class StopTest(BenchTest):
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

    def claims(self):
        """What the store says of its runs, and the files of the work folder."""
        with contextlib.closing(sqlite3.connect(self.folder / "grid.sqlite")) as database:
            runs = database.execute("SELECT key, state, owner FROM runs ORDER BY key").fetchall()
        return runs, {p: p.read_bytes() for p in self.folder.glob("grid.work/**/*") if p.is_file()}

    def test_status_tells_killed_runs_from_those_under_way(self):
        self.write(grid(counting(2, epochs=400, pause=20)))
        process = self.start("--jobs", "2")
        self.wait_until_busy()
        alive = self.run_program("bench", "grid.toml", "--status").stdout
        self.assertRegex(alive, r"0 done, [12] running")
        self.assertRegex(alive, r"running: counting step=[12] on tri, fold 0 \(by ")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        before = self.claims()
        killed = self.run_program("bench", "grid.toml", "--status").stdout
        self.assertIn("0 done, 0 running, 2 waiting", killed)
        self.assertRegex(killed, r"stopped: counting step=[12] on tri, fold 0 \(its process, .*, is gone; ")
        self.assertEqual(json.loads(self.run_program("bench", "grid.toml", "--status", "--json").stdout)
                         ["grids"][0]["running"], 0)
        self.assertEqual(self.claims(), before, "--status only reads")

    def test_progress_tells_rows_apart_that_differ_by_an_option(self):
        self.write(grid(counting(2, epochs=30, pause=20)))
        done = self.run_program("bench", "grid.toml", "--no-report")
        for step in (1, 2):
            self.assertRegex(done.stderr, rf"counting step={step} on tri, fold 0: [\d.]+ % of 40 test graphs")

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


@unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
class MpiTest(BenchTest):
    def mpirun(self, *options):
        # Open MPI's leaks are not ours: tests/mpi/mpirun.py.
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           ASAN_OPTIONS="detect_leaks=0")
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
