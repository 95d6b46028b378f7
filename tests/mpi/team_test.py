#!/usr/bin/env python3
"""Ranks that send, receive, gather, broadcast, share out and fail."""
import os
import subprocess
import tempfile
import unittest

from mpirun import ENVIRONMENT, RANKS, mpirun

PROGRAM = os.environ["BERMUDA_TEAM_PROGRAM"]
PLUGINS = os.environ["BERMUDA_PLUGIN_FOLDER"]
SMALL_PIECE = 1000
WHOLE_PIECE = 1 << 30


class Ranks(unittest.TestCase):
    def succeed(self, what, piece=WHOLE_PIECE, **options):
        done = mpirun(PROGRAM, PLUGINS, piece, what, **options)
        self.assertEqual((done.returncode, done.stdout), (0, f"{what} of {RANKS} ranks\n"),
                         done.stderr)

    def test_messages_are_whole_and_in_order(self):
        self.succeed("exchange")

    def test_short_messages_do_not_overtake_long_ones(self):
        """Without the kernel's help a long message takes many rounds of MPI, a short one takes one."""
        in_fragments = {**ENVIRONMENT, "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
        self.succeed("exchange", env=in_fragments)

    def test_messages_in_many_pieces(self):
        self.succeed("exchange", SMALL_PIECE)

    def test_waiting_is_sleep(self):
        self.succeed("wait")

    def test_shared_work_is_done_once_and_in_order(self):
        self.succeed("share")

    def test_one_failure_ends_all(self):
        done = mpirun(PROGRAM, PLUGINS, WHOLE_PIECE, "abort", timeout=30)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count("one rank fails"), 1)
        self.assertEqual(done.stdout, "")

    def test_without_the_library(self):
        with tempfile.TemporaryDirectory() as empty:
            done = mpirun(PROGRAM, empty, WHOLE_PIECE, "exchange", timeout=30)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"there is no bermuda_mpi.so in {empty}: build bermuda with MPI", done.stderr)

    def test_alone(self):
        done = subprocess.run([PROGRAM, "/nowhere", str(WHOLE_PIECE), "exchange"], text=True,
                              capture_output=True, timeout=30)
        self.assertEqual((done.returncode, done.stdout), (0, "exchange of 1 ranks\n"), done.stderr)

    def test_another_mpi(self):
        """Variables of an mpirun that is not the library's: every process would be rank 0."""
        pretended = {**ENVIRONMENT, "PMI_RANK": "0", "PMI_SIZE": "2"}
        done = subprocess.run([PROGRAM, PLUGINS, str(WHOLE_PIECE), "share"], text=True,
                              env=pretended, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("is built for another MPI", done.stderr)


if __name__ == "__main__":
    unittest.main()
