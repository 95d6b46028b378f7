#!/usr/bin/env python3
"""The program under mpirun writes what one process writes, says it once, and fails as a whole."""
import filecmp
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from mpirun import ENVIRONMENT, RANKS, mpirun
from pinned import CHECKSUMS, checksum
from program import PROGRAM, SMALL, ProgramTest

TIMEOUT = 120


class MpiTest(ProgramTest):
    def run_ranks(self, *arguments, code=0, **options):
        done = mpirun(PROGRAM, *arguments, cwd=self.folder, timeout=TIMEOUT, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def assert_same(self, one, other):
        names = sorted(os.listdir(self.folder / one))
        self.assertEqual(sorted(os.listdir(self.folder / other)), names)
        for name in names:
            self.assertTrue(filecmp.cmp(self.folder / one / name, self.folder / other / name, False),
                            name)

    def assert_one_message(self, done, says):
        """One line of ours; mpirun has its own to say about a job that fails."""
        ours = [line for line in done.stderr.splitlines() if line.startswith("bermuda: ")]
        self.assertEqual(len(ours), 1, done.stderr)
        self.assertIn(says, ours[0])
        self.assertNotIn("rank", ours[0])
        self.assertEqual(done.stdout, "")


class SameBytes(MpiTest):
    def compare(self, *arguments, threads=("1",)):
        alone = self.run_program(*arguments, "-o", "alone").stdout
        for number in threads:
            spread = self.run_ranks(*arguments, "-o", "spread", "--force", "--threads", number)
            self.assert_same("alone", "spread")
            self.assertEqual(spread.stdout, alone.replace("to alone", "to spread"))
        return spread

    def test_generate(self):
        for task in ("triangles", "clique-distance"):
            with self.subTest(task):
                done = self.compare("generate", task, "--count", 30002, "--seed", 3, "--force",
                                    threads=("1", "3"))
                self.assertEqual(done.stderr.count("generate: 30002 in"), 1, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_generate_fewer_than_portions(self):
        self.compare("generate", "triangles", "--count", 2)

    def test_generate_without(self):
        self.run_program("generate", "triangles", "--count", 400, "-o", "known")
        done = self.compare("generate", "triangles", "--count", 3000, "--seed", 2, "--without",
                            "known")
        self.assertEqual(done.stderr.count("are in known and left out"), 1)

    def test_dataset(self):
        self.compare("dataset", "clique-distance", *SMALL, threads=("1", "2"))

    def test_pinned(self):
        for task, expected in CHECKSUMS.items():
            self.run_ranks("dataset", task, "--seed", 1, "-o", task, ranks=3)
            self.assertEqual(checksum(self.folder / task), expected)

    def test_filter(self):
        self.run_program("generate", "triangles", "--count", 4000, "-o", "candidates")
        done = self.compare("filter", "candidates", *SMALL[2:])
        self.assertEqual(done.stderr.count("filter rounds: 10 in"), 2, done.stderr)

    def test_more_ranks_than_filter_rounds(self):
        self.run_program("generate", "triangles", "--count", 1000, "-o", "candidates")
        options = ["--train", 100, "--valid", 20, "--test", 20, "--folds", 3, "--train-folds", 2]
        self.run_program("filter", "candidates", "-o", "alone", *options)
        self.run_ranks("filter", "candidates", "-o", "spread", *options, ranks=5)
        self.assert_same("alone", "spread")

    def test_ranks_in_other_folders(self):
        """Only rank 0 needs to find the files."""
        self.run_program("generate", "triangles", "--count", 4000, "-o", "candidates")
        self.run_program("filter", "candidates", "-o", "alone", *SMALL[2:])
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        command = ["filter", "candidates", "-o", "spread", *SMALL[2:]]
        mpirun_words = ["mpirun", "--oversubscribe", "-np", "1", "--wdir", self.folder, PROGRAM,
                        *command, ":", "-np", "2", "--wdir", elsewhere, PROGRAM, *command]
        done = subprocess.run(mpirun_words, env=ENVIRONMENT, cwd=self.folder, timeout=TIMEOUT,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same("alone", "spread")
        self.assertEqual(os.listdir(elsewhere), [])


class RankZeroAlone(MpiTest):
    def test_other_commands_run_once(self):
        self.run_program("generate", "triangles", "--count", 100, "-o", "data")
        for arguments in (["info", "data"], ["verify", "data"], ["tasks"], ["--version"],
                          ["generate", "triangles", "--help"]):
            alone = self.run_program(*arguments)
            spread = self.run_ranks(*arguments)
            self.assertEqual(spread.stdout, alone.stdout)
        self.run_ranks("convert", "data", "-o", "there.jsonl", "--to", "jsonl", "--quiet")

    def test_help_loads_no_mpi(self):
        watched = {**ENVIRONMENT, "LD_DEBUG": "libs"}
        alone = self.run_program("--help", env=watched).stderr
        self.assertIn("libbermuda_core", alone)
        self.assertNotIn("libmpi", alone)
        self.assertIn("libmpi", self.run_ranks("generate", "triangles", "--count", 10, "-o", "data",
                                               env=watched).stderr)

    def test_the_library_is_no_plugin_of_methods(self):
        self.assertTrue((pathlib.Path(PROGRAM).parents[1] / "plugins" / "bermuda_mpi.so").exists())
        self.assertNotIn("bermuda_mpi", self.run_program("methods").stdout)


class Failures(MpiTest):
    def test_output_exists(self):
        (self.folder / "data").mkdir()
        for arguments in (["generate", "triangles", "--count", 100], ["dataset", "triangles"],
                          ["filter", "data"]):
            begin = time.monotonic()
            done = self.run_ranks(*arguments, "-o", "data", code=2)
            self.assert_one_message(done, "exists already")
            self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_what_is_wrong_on_all_ranks_is_told_once(self):
        for arguments, says in ((["--count", 101], "expected a positive even number"),
                                (["--conut", 100], "did you mean --count?"),
                                (["--count", 100, "--min-nodes", 30], "min-nodes")):
            done = self.run_ranks("generate", "triangles", *arguments, "-o", "data", code=2)
            self.assert_one_message(done, says)
        self.assertEqual(os.listdir(self.folder), [])

    def test_bad_input(self):
        done = self.run_ranks("filter", "missing", "-o", "data", code=2)
        self.assert_one_message(done, "missing: no such file or folder")

    def test_without_the_library(self):
        copy = self.folder / "app" / "bermuda"
        copy.parent.mkdir()
        shutil.copy(PROGRAM, copy)
        done = mpirun(copy, "generate", "triangles", "--count", 100, "-o", self.folder / "data",
                      timeout=TIMEOUT)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assert_one_message(done, "there is no bermuda_mpi.so")

    def end_by(self, stop, **environment):
        """Starts long work; stop(process of mpirun) must end all of it, and no data set appears.

        mpirun may kill rank 0 before it can take away the hidden folder that it writes into.
        """
        process = subprocess.Popen(
            ["mpirun", "-np", str(RANKS), "--oversubscribe", PROGRAM, "generate", "triangles",
             "-o", "data", "--count", "20000000", "--threads", "1", "--quiet"],
            cwd=self.folder, env={**ENVIRONMENT, **environment}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        try:
            self.rank_process(process.pid, RANKS - 1)
            for _ in range(200):  # the team is complete, and at work
                if os.listdir(self.folder):
                    break
                time.sleep(0.05)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            stop(process)
            _, told = process.communicate(timeout=30)
        finally:
            process.kill()
        self.assertNotEqual(process.returncode, 0)
        left = os.listdir(self.folder)
        self.assertEqual([name for name in left if not name.startswith(".data.writing-")], [])
        return told

    def test_a_rank_that_dies_ends_all(self):
        self.end_by(lambda mpi: os.kill(self.rank_process(mpi.pid, 1), signal.SIGKILL))

    def test_a_rank_that_hangs_ends_all(self):
        told = self.end_by(lambda mpi: os.kill(self.rank_process(mpi.pid, 1), signal.SIGSTOP),
                           BERMUDA_MPI_PATIENCE="2")
        self.assertIn("bermuda: nothing heard of rank 1 for 2 s", told)

    def test_patience_that_is_no_number(self):
        done = self.run_ranks("generate", "triangles", "--count", 100, "-o", "data", code=2,
                              env={**ENVIRONMENT, "BERMUDA_MPI_PATIENCE": "soon"})
        self.assertIn("BERMUDA_MPI_PATIENCE='soon': expected seconds, or 0 to wait for ever", done.stderr)

    def test_ctrl_c(self):
        self.end_by(lambda mpi: mpi.send_signal(signal.SIGINT))

    def rank_process(self, launcher, rank):
        """The process of a rank, once it is there and at work."""
        wanted = f"OMPI_COMM_WORLD_RANK={rank}".encode()
        for _ in range(200):
            for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
                try:
                    parent = (path.parent / "stat").read_text().rsplit(")", 1)[1].split()[1]
                    if int(parent) == launcher and wanted in path.read_bytes().split(b"\0"):
                        return int(path.parent.name)
                except OSError:
                    continue
            time.sleep(0.05)
        self.fail("no such rank")


if __name__ == "__main__":
    unittest.main()
