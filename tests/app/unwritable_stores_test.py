#!/usr/bin/env python3
"""Stores that may not be written, that vanish, or that nobody wanted."""
import os
import shutil
import sqlite3
import subprocess
import time
import unittest

from bench_program import counting, grid
from foreign_store import ForeignStoreTest
from program import PROGRAM


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
