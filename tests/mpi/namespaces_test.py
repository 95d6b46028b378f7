#!/usr/bin/env python3
"""mpirun over three machines, which are network namespaces: the same store and data as one process; one
machine cut off or one rank killed in the middle: a clear end, nothing lost, the next start goes on."""
import filecmp
import os
import signal
import sqlite3
import subprocess
import time
import unittest

import machines
from bench_program import COUNTING, BenchTest, counting, grid
from mpirun import ENVIRONMENT
from program import PROGRAM, SMALL

COUNT = 3
# How soon mpirun notices a machine that does not answer: docs/mpi.md.
WATCHFUL = ["--mca", "oob_tcp_keepalive_time", 2, "--mca", "oob_tcp_keepalive_intvl", 1, "--mca",
            "oob_tcp_keepalive_probes", 3]
# On a machine that has other work to do a second may be short for rank 0 to say what is kept.
GRACE = ["--mca", "odls_base_sigkill_timeout", 3]
PATIENCE = 3  # seconds, of the ranks with each other
BOUND = 25    # seconds from the fault to the end
RUNS = 6      # that are disturbed
REFUSAL = ""


class NamespacesTest(BenchTest):
    def setUp(self):
        if REFUSAL:
            self.skipTest(f"network namespaces are not allowed here: {REFUSAL}")
        super().setUp()
        self.machines = machines.Machines(self.folder, COUNT)
        self.addCleanup(self.machines.remove)
        self.environment = {**ENVIRONMENT, "BERMUDA_PLUGINS": str(COUNTING)}
        del self.environment["OMPI_MCA_plm"]  # other machines are asked for

    def start(self, *arguments, options=()):
        # Files, not pipes: daemons on machines that were cut off would hold pipes open.
        with open(self.folder / "said", "w") as said, open(self.folder / "told", "w") as told:
            process = subprocess.Popen(self.machines.mpirun([PROGRAM, *arguments], options),
                                       env=self.environment, stdout=said, stderr=told)
        self.addCleanup(process.wait)
        self.addCleanup(machines.end_all)
        return process

    def finish(self, process, code=0, timeout=120):
        process.wait(timeout)
        said, told = ((self.folder / name).read_text() for name in ("said", "told"))
        if code is not None:
            self.assertEqual(process.returncode, code, said + told)
        return said, told

    def start_bench(self, options=(), store="ranks.sqlite"):
        return self.start("bench", self.folder / "grid.toml", "--no-report", "--quiet", "--store",
                          self.folder / store, options=options)

    def assert_same_data(self, one, other):
        names = sorted(os.listdir(one))
        self.assertEqual(sorted(os.listdir(other)), names)
        for name in names:
            self.assertTrue(filecmp.cmp(one / name, other / name, False), name)

    def assert_nobody_left(self, within=BOUND):
        """Cut off or not, every rank and every worker ends."""
        until = time.monotonic() + within
        while machines.processes(PROGRAM):
            self.assertLess(time.monotonic(), until, machines.processes(PROGRAM).keys())
            time.sleep(0.1)


class SameAsOneProcess(NamespacesTest):
    def test_they_are_three_machines(self):
        tells = ["sh", "-c", 'echo "$(hostname) $PWD $(hostname -I)"']
        process = subprocess.run(self.machines.mpirun(tells), env=self.environment, text=True,
                                 capture_output=True, timeout=60)
        self.assertEqual(process.returncode, 0, process.stderr)
        told = [line.split()[:3] for line in sorted(process.stdout.splitlines())]
        self.assertEqual(told, [[f"machine{number}", str(self.machines.folders[number]),
                                 machines.address(number)] for number in range(COUNT)])

    def test_filtered_data(self):
        self.run_program("dataset", "triangles", "-o", "alone", "--quiet", *SMALL)
        process = self.start("dataset", "triangles", "-o", "spread", "--quiet", *SMALL)
        self.finish(process)
        self.assert_same_data(self.folder / "alone", self.machines.folders[0] / "spread")
        for folder in self.machines.folders[1:]:
            self.assertEqual([name for name in os.listdir(folder) if "ompi" not in name], [])

    def test_store(self):
        self.write(grid('[[run]]\nmethods = ["svm-labels", "svm-wl"]\nfolds = "0-1"' + counting(6)))
        self.bench()
        said, _ = self.finish(self.start_bench())
        self.assertIn("10 runs done now", said)
        self.assertEqual(self.results("ranks.sqlite"), self.results())


class Faults(NamespacesTest):
    whole = None  # what one process does, undisturbed

    def setUp(self):
        super().setUp()
        # Long enough that a run whose checkpoint was seen is still under way when somebody is killed.
        self.write(grid(counting(RUNS, epochs=20, pause=100)))
        if Faults.whole is None:
            self.bench("--store", "whole.sqlite", "--jobs", RUNS)
            Faults.whole = self.results("whole.sqlite")

    def done_runs(self):
        if not (self.folder / "ranks.sqlite").exists():
            return 0
        database = sqlite3.connect(self.folder / "ranks.sqlite")
        try:
            return database.execute("SELECT count(*) FROM runs WHERE state = 'done'").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # still being made
        finally:
            database.close()

    def in_the_middle(self, options=()):
        """A bench that has done some runs and is busy with others."""
        process = self.start_bench([*GRACE, *options])
        until = time.monotonic() + 60
        while self.done_runs() < 2 or not list(self.folder.glob("ranks.work/runs/*.checkpoint")):
            self.assertIsNone(process.poll(), "it ended early")
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        return process

    def process_of(self, rank):
        return next(pid for pid, told in machines.processes(PROGRAM).items()
                    if told.get("OMPI_COMM_WORLD_RANK") == str(rank))

    def assert_says_what_is_kept(self, told):
        self.assertRegex(told, r"bermuda: interrupted: \d runs done and kept in .*ranks.sqlite; the same")

    def assert_goes_on(self):
        """What was done is there and not done again, what was begun goes on; then all is as if nothing
        had happened."""
        done = self.done_runs()
        self.assertGreaterEqual(done, 2)
        self.assertLess(done, RUNS)
        self.assertTrue(list(self.folder.glob("ranks.work/runs/*.checkpoint")))
        said, _ = self.finish(self.start_bench())
        self.assertIn(f"{RUNS - done} runs done now, {done} earlier", said)
        self.assertEqual(self.results("ranks.sqlite"), self.whole)
        self.assertEqual(list(self.folder.glob("ranks.work/runs/*")), [])

    def test_a_machine_cut_off_is_noticed_by_mpirun(self):
        process = self.in_the_middle(WATCHFUL)
        self.machines.unplug(2)
        _, told = self.finish(process, code=None, timeout=BOUND)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("lost communication with a remote daemon", told)
        self.assertIn("machine2", told)
        self.assert_says_what_is_kept(told)
        self.assert_nobody_left()
        self.machines.plug(2)
        self.assert_goes_on()

    def test_a_machine_cut_off_is_noticed_by_the_ranks(self):
        """Whatever mpirun's settings are, no rank works or waits on."""
        self.environment["BERMUDA_MPI_PATIENCE"] = str(PATIENCE)
        process = self.in_the_middle(["-x", "BERMUDA_MPI_PATIENCE"])
        self.machines.unplug(2)
        self.assert_nobody_left()
        process.kill()  # mpirun itself would wait for its daemon on the machine for some minutes
        _, told = self.finish(process, code=None)
        self.assertIn(f"bermuda: nothing heard of rank 2 for {PATIENCE} s: its process, its machine or "
                      "the network to it is gone", told)
        self.machines.plug(2)
        self.assert_goes_on()

    def test_a_short_cut_harms_nobody(self):
        process = self.in_the_middle()
        self.machines.unplug(2)
        time.sleep(1)
        self.machines.plug(2)
        self.finish(process)
        self.assertEqual(self.results("ranks.sqlite"), self.whole)

    def test_a_rank_killed(self):
        process = self.in_the_middle()
        os.kill(self.process_of(1), signal.SIGKILL)
        _, told = self.finish(process, code=None, timeout=BOUND)
        self.assertNotEqual(process.returncode, 0)
        self.assert_says_what_is_kept(told)
        self.assertRegex(told, r"process rank 1 .*on node machine1 exited on signal 9")
        self.assert_nobody_left()
        self.assert_goes_on()

    def test_the_rank_in_charge_killed(self):
        process = self.in_the_middle()
        os.kill(self.process_of(0), signal.SIGKILL)
        self.finish(process, code=None, timeout=BOUND)
        self.assertNotEqual(process.returncode, 0)
        self.assert_nobody_left()
        self.assert_goes_on()

    def test_cut_off_while_data_are_made(self):
        arguments = ["dataset", "triangles", "-o", "spread", "--quiet", "--threads", 1]
        process = self.start(*arguments, "--candidates", 3000000, options=WATCHFUL)
        until = time.monotonic() + 60
        while not (len(machines.processes(PROGRAM)) == COUNT):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        time.sleep(1)
        self.machines.unplug(1)
        self.finish(process, code=None, timeout=BOUND)
        self.assertNotEqual(process.returncode, 0)
        self.assert_nobody_left()
        self.assertFalse((self.machines.folders[0] / "spread").exists())
        self.machines.plug(1)
        self.finish(self.start(*arguments, *SMALL))
        self.run_program("dataset", "triangles", "-o", "alone", "--quiet", *SMALL)
        self.assert_same_data(self.folder / "alone", self.machines.folders[0] / "spread")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        machines.enter()
        machines.make_switch()
    except machines.Refused as refused:
        REFUSAL = str(refused)
    unittest.main()
