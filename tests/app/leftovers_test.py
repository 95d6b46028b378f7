#!/usr/bin/env python3
"""What stands where output goes: only ours is overwritten, and killed programs leave nothing for long."""
import os
import pathlib
import random
import signal
import socket
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest

PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])
GENERATE = ("generate", "triangles", "--count", 100, "--quiet")


def listing(folder):
    """Every name below, hidden ones too, with what it is."""
    return sorted((str(path.relative_to(folder)), path.is_symlink(), path.is_dir())
                  for path in pathlib.Path(folder).rglob("*"))


class Overwriting(ProgramTest):
    def make_inputs(self):
        self.run_program("generate", "triangles", "-o", "data", "--count", 200, "--quiet")
        self.run_program("train", "svm-labels", "data", "-o", "model", "--quiet")
        (self.folder / "grid.toml").write_text(
            'title = "Test"\n[data.d]\npath = "data"\naudit = false\n'
            '[[run]]\nmethods = ["svm-labels"]\nfolds = "0"\n')
        self.run_program("bench", "grid.toml", "--quiet", "--jobs", 1)

    def test_all_that_is_ours(self):
        """Every command that writes overwrites what it wrote."""
        self.make_inputs()
        convert = ("convert", "data", "--to")
        report = ("report", "grid.sqlite", "--format")
        for command, output in (
                (GENERATE, "folder"), ((*convert, "native"), "native"), ((*convert, "tu"), "tu"),
                ((*convert, "spcl"), "spcl"), ((*convert, "jsonl"), "x.jsonl"),
                ((*convert, "dgcnn"), "x.txt"), (("draw", "data"), "x.svg"),
                (("draw", "data"), "x.png"), (("predict", "model", "data"), "x.tsv"),
                (("train", "svm-labels", "data"), "run"), (("report", "grid.sqlite"), "x.html"),
                (("audit", "data", "--folds", 2), "a.html"), (("audit", "data", "--folds", 2), "a.json"),
                (("expressivity", "data", "--methods", "svm-labels"), "e.json"),
                (("regimes", "model", "--nodes", 8, "--graphs", 4), "m.html"),
                (("regimes", "model", "--nodes", 8, "--graphs", 4), "m.json"),
                (("audit", "data", "--folds", 2), "a.txt"), ((*report, "latex"), "x.tex"), ((*report, "markdown"), "x.md"),
                (("bench", "--store", "grid.sqlite", "--export", "csv"), "x.csv"),
                (("bench", "--store", "grid.sqlite", "--export", "json"), "x.json"),
                (("man",), "pages")):
            with self.subTest(command=command):
                again = [] if command == ("man",) else ["--force"]
                self.run_program(*command, "-o", output)
                before = listing(self.folder)
                self.run_program(*command, "-o", output, *again)
                self.assertEqual(listing(self.folder), before)
                if again:
                    self.assert_refused_output(*command, output=output, force=False,
                                               says="exists already")
        self.run_program("bench", "grid.toml", "--quiet")  # its report is ours too
        self.run_program("info", "x.png", code=2)

    def assert_refused_output(self, *command, output, says, force=True):
        quiet = [] if "--quiet" in command else ["--quiet"]
        before = listing(self.folder)
        done = self.run_program(*command, "-o", output, *(["--force"] if force else []), *quiet,
                                code=2)
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(listing(self.folder), before)

    def test_a_thesis(self):
        # One folder further down, so that not even a broken program reaches what is not the test's.
        (self.folder / "outer").write_text("years")
        self.folder = self.folder / "inner"
        self.folder.mkdir()
        self.run_program(*GENERATE, "-o", "data")
        self.run_program(*GENERATE, "-o", "mixed")
        (self.folder / "mixed" / "thesis.tex").write_text("years")
        (self.folder / "thesis").mkdir()
        (self.folder / "thesis" / "thesis.tex").write_text("years")
        (self.folder / "figures").mkdir()
        (self.folder / "figures" / "run.json").write_text('{"my": "figures"}')
        (self.folder / "nested").mkdir()
        (self.folder / "nested" / "data").mkdir()
        (self.folder / "data.link").symlink_to("data")
        table = [("thesis", "thesis: holds 'thesis.tex'"), ("mixed", "mixed: holds 'thesis.tex'"),
                 ("mixed/", "holds 'thesis.tex'"), ("nested", "holds 'data'"),
                 ("figures", "holds 'run.json', which is something else than its name says"),
                 (".", ".: no name"), ("..", "..: no name"), ("data/..", "no name"),
                 ("data/.", "no name"), (self.folder, "holds"), (self.folder.parent, "holds"),
                 ("data.link", "is a symbolic link"),
                 ("thesis/thesis.tex", "a file of another kind")]
        for output, says in table:
            with self.subTest(output):
                self.assert_refused_output(*GENERATE, output=output, says=says)
                self.assert_refused_output("convert", "data", "--to", "tu", output=output, says=says)
                self.assert_refused_output("train", "svm-labels", "data", output=output, says=says)
        self.assertEqual((self.folder / "thesis" / "thesis.tex").read_text(), "years")

    def test_files_of_others(self):
        self.make_inputs()
        for name in ("x.svg", "x.png", "x.html", "x.tsv", "x.csv", "x.jsonl"):
            (self.folder / name).write_text("years of work\n")
        for command, output in ((("draw", "data"), "x.svg"), (("draw", "data"), "x.png"),
                                (("report", "grid.sqlite"), "x.html"),
                                (("predict", "model", "data"), "x.tsv"),
                                (("bench", "--store", "grid.sqlite", "--export", "csv"), "x.csv"),
                                (("convert", "data", "--to", "jsonl"), "x.jsonl"),
                                (("convert", "data", "--to", "jsonl"), "grid.sqlite"),
                                (("report", "grid.sqlite"), "grid.toml")):
            with self.subTest(output):
                self.assert_refused_output(*command, output=output, says="a file of another kind")
        (self.folder / "x.g6").write_text(">>graph6<<Bw\n")  # nauty begins its files so
        self.assert_refused_output("convert", "data", "--to", "graph6", output="x.g6", says="x.g6: is a graph6 file")
        (self.folder / "grid.html").write_text("a page of my own")
        done = self.run_program("bench", "grid.toml", "--quiet", code=2)
        self.assertIn("grid.html: is a file of another kind", done.stderr)

    def test_no_files(self):
        self.run_program(*GENERATE, "-o", "data")
        os.mkfifo(self.folder / "pipe.svg")
        (self.folder / "null.svg").symlink_to("/dev/null")
        with socket.socket(socket.AF_UNIX) as plug:
            here = os.getcwd()
            os.chdir(self.folder)  # names of sockets are short
            try:
                plug.bind("plug.svg")
            finally:
                os.chdir(here)
            for output, says in (("pipe.svg", "a named pipe"), ("null.svg", "a symbolic link"),
                                 ("plug.svg", "a socket")):
                self.assert_refused_output("draw", "data", output=output, says=says)
                self.assert_refused_output(*GENERATE, output=output, says=says)


class Planted(ProgramTest):
    def test_links_are_not_followed(self):
        """Where somebody else may write, the names that are written to cannot be guessed."""
        victim = self.folder / "victim"
        victim.write_text("precious")
        self.run_program(*GENERATE, "-o", "data")
        # As an earlier version named them; pids come in order.
        process = subprocess.Popen(["true"])
        process.wait()
        for pid in range(process.pid, process.pid + 300):
            for kind in ("writing", "probe"):
                (self.folder / f".x.svg.{kind}-{pid}").symlink_to("victim")
        self.run_program("draw", "data", "-o", "x.svg", "--quiet")
        self.assertEqual(victim.read_text(), "precious")
        self.assertFalse((self.folder / "x.svg").is_symlink())


class Killed(ProgramTest):
    """SIGKILL at any moment; the next start for the same output takes away what is left."""

    def kill_often(self, *command, output, rounds, longest, env=None):
        """Returns how often something was left."""
        random.seed(13)
        left = 0
        for _ in range(rounds):
            process = subprocess.Popen([PROGRAM, *map(str, command), "-o", output, "--force",
                                        "--quiet"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       env=env)
            time.sleep(random.uniform(0, longest))
            process.kill()
            process.wait()
            left += any(name.startswith(".") for name in os.listdir(self.folder))
        return left

    def timed(self, *command, output):
        start = time.monotonic()
        self.run_program(*command, "-o", output, "--force", "--quiet")
        return time.monotonic() - start

    def check(self, *command, output, rounds=12):
        self.run_program(*command, "-o", output, "--quiet")
        expected = listing(self.folder)
        self.kill_often(*command, output=output, rounds=rounds,
                        longest=1.1 * self.timed(*command, output=output))
        self.run_program(*command, "-o", output, "--force", "--quiet")
        self.assertEqual(listing(self.folder), expected)

    def test_generate(self):
        self.check("generate", "triangles", "--count", 30000, output="made")

    def test_what_reads_data(self):
        self.run_program("generate", "triangles", "-o", "data", "--count", 4000, "--quiet")
        for command, output in (
                (("filter", "data", "--train", "400", "--valid", "60", "--test", "60"), "filtered"),
                (("convert", "data", "--to", "tu"), "tu"),
                (("convert", "data", "--to", "jsonl"), "x.jsonl"), (("draw", "data"), "x.svg"),
                (("train", "svm-labels", "data"), "run")):
            with self.subTest(command=command):
                self.check(*command, output=output, rounds=8)

    def test_dataset(self):
        self.check("dataset", "triangles", "--candidates", 4000, "--train", 400, "--valid", 60,
                   "--test", 60, output="made", rounds=6)

    def test_train_with_checkpoints(self):
        self.run_program("generate", "triangles", "-o", "data", "--count", 200, "--quiet")
        environment = {**os.environ, "BERMUDA_PLUGINS": str(PLUGINS / "counting")}
        command = ("train", "counting", "data", "--max-epochs", 400, "--pause", 1)
        self.run_program(*command, "-o", "run", "--quiet", env=environment)
        expected = listing(self.folder)
        self.kill_often(*command, output="run", rounds=8, longest=1.0, env=environment)
        self.run_program(*command, "-o", "run", "--force", "--quiet", env=environment)
        self.assertEqual(listing(self.folder), expected)

    def test_resuming_beside_notes(self):
        """To go on is not to overwrite: what else stands in the folder of a run stays."""
        self.run_program("generate", "triangles", "-o", "data", "--count", 200, "--quiet")
        environment = {**os.environ, "BERMUDA_PLUGINS": str(PLUGINS / "counting")}
        command = ("train", "counting", "data", "-o", "run", "--quiet", "--max-epochs", 5)
        self.run_program(*command, "--die-at", 4, code=-signal.SIGKILL, env=environment)
        (self.folder / "run" / "notes.txt").write_text("mine")
        (self.folder / "run" / ".run.json.writing-0123456789abcdef").write_text("half")
        self.run_program(*command, "--force", code=2, env=environment)
        self.run_program(*command, "--resume", env=environment)
        self.assertEqual(sorted(os.listdir(self.folder / "run")),
                         ["curves.svg", "epochs.tsv", "model.bermuda", "notes.txt", "run.json"])

    def test_an_unfinished_one_is_seen(self):
        """That there is something to take away at all; refusing takes it away, too."""
        process = subprocess.Popen([PROGRAM, "generate", "triangles", "-o", "data", "--count",
                                    "2000000", "--quiet"], cwd=self.folder)
        deadline = time.monotonic() + 60
        while not os.listdir(self.folder) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.3)
        (staging,) = os.listdir(self.folder)
        self.assertRegex(staging, r"^\.data\.writing-[0-9a-f]{16}$")
        # Somebody else who wants the same output leaves it alone while its owner lives,
        self.run_program("generate", "triangles", "-o", "data", "--count", 100, "--quiet")
        self.assertEqual(sorted(os.listdir(self.folder)), [staging, "data"])
        process.send_signal(signal.SIGSTOP)
        self.run_program("generate", "triangles", "-o", "data", "--count", 100, "--quiet", "--force")
        self.assertEqual(sorted(os.listdir(self.folder)), [staging, "data"])
        process.kill()
        process.wait()
        # and takes it away afterwards.
        self.run_program("generate", "triangles", "-o", "data", "--quiet", code=2)
        self.assertEqual(os.listdir(self.folder), ["data"])


if __name__ == "__main__":
    unittest.main()
