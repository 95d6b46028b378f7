"""Runs the program for the command-line tests."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["BERMUDA_PROGRAM"]
TEST_DATA = pathlib.Path(os.environ["BERMUDA_TEST_DATA"])
SMALL = ["--candidates", "4000", "--train", "400", "--valid", "60", "--test", "60"]


def shared_data():
    """The released splits and TU data sets, or None."""
    named = os.environ.get("BERMUDA_SHARED_DATA")
    folder = pathlib.Path(named) if named else TEST_DATA.parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


def is_sanitized():
    """Whether AddressSanitizer is in the program, which then takes memory and time for itself."""
    return b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


def mounting_command(test):
    """What a command that mounts must be started with; skips the test where that is not allowed."""
    # An ordinary user is root in a name space of its own, where the system has such.
    words = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    try:
        tried = subprocess.run([*words, "mount", "-t", "tmpfs", "tmpfs", test.folder], text=True,
                               capture_output=True, timeout=60)
        refusal = tried.stderr.strip() if tried.returncode != 0 else ""
    except FileNotFoundError:
        refusal = "there is no unshare"
    if refusal:
        test.skipTest(f"a small disk cannot be mounted here: {refusal}")
    return words


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bermuda-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_program(self, *arguments, code=0, **options):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=300, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def run_json(self, *arguments, code=0):
        return json.loads(self.run_program(*arguments, "--json", code=code).stdout)

    def assert_refused(self, *arguments, says, code=2, **options):
        """Exit code, one line on standard error that says why, nothing else anywhere."""
        before = sorted(os.listdir(self.folder))
        done = self.run_program(*arguments, "--quiet", code=code, **options)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "something was left behind")
        return done.stderr

    def make_dataset(self, name, task="triangles", *options):
        self.run_program("dataset", task, "-o", name, "--quiet", *SMALL, *options)
        return self.folder / name
