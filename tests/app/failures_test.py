#!/usr/bin/env python3
"""A failing disk, a folder that cannot be written, Ctrl-C, SIGKILL: nothing half done is left."""
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, mounting_command


def hidden(folder):
    return [name for name in os.listdir(folder) if name.startswith(".")]


class FailingDisk(ProgramTest):
    def test_file_size_limit(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        self.assert_refused("generate", "triangles", "-o", "data", "--count", 4000, code=1,
                            says="cannot write", preexec_fn=limit)

    def test_old_data_survives_a_failing_write(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        self.run_program("generate", "triangles", "-o", "data", "--count", 100, "--quiet")
        before = (self.folder / "data" / "all.tsv").read_bytes()
        self.assert_refused("generate", "triangles", "-o", "data", "--count", 4000, "--force",
                            code=1, says="cannot write", preexec_fn=limit)
        self.assertEqual((self.folder / "data" / "all.tsv").read_bytes(), before)

    def test_full_disk(self):
        script = """
mkdir disk && mount -t tmpfs -o size=64k tmpfs disk || exit 9
"$BERMUDA_PROGRAM" generate triangles -o disk/data --count 4000 --quiet
echo "code $?"
ls -A disk
"""
        done = subprocess.run([*mounting_command(self), "bash", "-c", script], cwd=self.folder,
                              text=True, capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (0, "code 1\n"), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("No space left", done.stderr)


class NotWritable(ProgramTest):
    def test_folder(self):
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(0o555)
        os.chmod(self.folder, 0o755)

        def become_nobody():
            os.setgid(65534)
            os.setuid(65534)
        # Root may write anywhere, unless the container took that away.
        options = {"preexec_fn": become_nobody} if os.access(locked, os.W_OK) else {}
        try:
            subprocess.run([PROGRAM, "--version"], capture_output=True, check=True, **options)
        except (subprocess.SubprocessError, OSError) as error:
            self.skipTest(f"root may write anywhere and cannot become another user here: {error}")
        self.assert_refused("generate", "triangles", "-o", locked / "data", "--count", 100,
                            says="not writable", **options)


class Interrupted(ProgramTest):
    def start(self):
        process = subprocess.Popen([PROGRAM, "generate", "triangles", "-o", "data", "--count",
                                    "2000000"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        return process

    def test_ctrl_c_stops_cleanly(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(message, "bermuda: interrupted\n")
        self.assertEqual(os.listdir(self.folder), [])

    def test_kill_leaves_the_old_data(self):
        self.run_program("generate", "triangles", "-o", "data", "--count", 100, "--quiet")
        before = (self.folder / "data" / "all.tsv").read_bytes()
        # Kill at moments spread over the whole run, writing included.
        for delay in (0.0, 0.02, 0.05, 0.08, 0.11, 0.14, 0.17, 0.2, 0.25, 0.3):
            process = subprocess.Popen([PROGRAM, "generate", "triangles", "-o", "data", "--count",
                                        "50000", "--force", "--quiet", "--seed", "5"],
                                       cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
            if (self.folder / "data" / "all.tsv").read_bytes() != before:
                self.assertEqual(self.run_json("verify", "data")["graphs"], 50000)
                before = (self.folder / "data" / "all.tsv").read_bytes()
            self.assertEqual(self.run_json("info", "data")["classes"], ["0", "1"])
        self.assertTrue(pathlib.Path(self.folder / "data").is_dir())


if __name__ == "__main__":
    unittest.main()
