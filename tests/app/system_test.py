#!/usr/bin/env python3
"""The program against the system around it: streams, signals, files that are none, odd names."""
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest

EXAMPLES = pathlib.Path(os.environ["BERMUDA_EXAMPLE_PLUGINS"])
PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])
FULL = "/dev/full"
NO_SPACE = "bermuda: cannot write standard output: No space left on device\n"


class SystemTest(ProgramTest):
    def shell(self, script, **options):
        """A line of bash where $B is the program."""
        return subprocess.run(["bash", "-c", script], cwd=self.folder, text=True, timeout=120,
                              capture_output=True, env={**os.environ, "B": PROGRAM}, **options)

    def make_small(self, name="data", count=200):
        self.run_program("generate", "triangles", "-o", name, "--count", count, "--quiet")


class StandardError(SystemTest):
    """Nobody listens: progress and notes are dropped, the work is not."""
    DEAF = ("2>&-", f"2>{FULL}", "2> >(exec 2>&-; exit)")

    def test_work_goes_on(self):
        self.make_small()
        for number, deaf in enumerate(self.DEAF):
            with self.subTest(deaf):
                # A process substitution has ended by the time that something is printed.
                done = self.shell(f'exec {deaf}; sleep 0.2; "$B" generate triangles -o d{number} '
                                  "--count 3000")
                self.assertEqual(done.returncode, 0, done)
                self.assertIn("3000 graphs", done.stdout)
                self.run_program("verify", f"d{number}")
                done = self.shell(f'exec {deaf}; sleep 0.2; "$B" train svm-labels data -o r{number}')
                self.assertEqual(done.returncode, 0, done)
                self.run_program("predict", f"r{number}", "data", "--quiet")
                done = self.shell(f'exec {deaf}; sleep 0.2; "$B" audit data --json')
                self.assertEqual(done.returncode, 0, done)
                self.assertIn("probes", json.loads(done.stdout))

    def test_errors_keep_their_code(self):
        for deaf in self.DEAF:
            with self.subTest(deaf):
                self.assertEqual(self.shell(f'exec {deaf}; sleep 0.2; "$B" info nowhere').returncode, 2)
                self.assertEqual(self.shell(f'exec {deaf}; sleep 0.2; "$B"').returncode, 2)


class StandardOutput(SystemTest):
    """An answer that is lost is noticed."""

    def setUp(self):
        super().setUp()
        if not os.path.exists(FULL):
            self.skipTest(f"there is no {FULL} here")

    def test_full(self):
        self.make_small()
        self.run_program("train", "svm-labels", "data", "-o", "run", "--quiet")
        (self.folder / "grid.toml").write_text(
            'title = "Test"\n[data.d]\npath = "data"\naudit = false\n'
            '[[run]]\nmethods = ["svm-labels"]\nfolds = "0"\n')
        self.run_program("bench", "grid.toml", "--quiet", "--no-report", "--jobs", 1)
        for command in ("info data", "info data --json", "audit data --json --quiet",
                        "verify data --quiet", "help", "help train svm-wl", "--help", "--version",
                        "tasks", "methods", "methods svm-wl --json", "completion bash", "man",
                        "complete -- ''", "predict run data --quiet",
                        "bench --store grid.sqlite --status",
                        "bench --store grid.sqlite --export csv",
                        "bench --store grid.sqlite --export json",
                        "report grid.sqlite --format markdown"):
            with self.subTest(command):
                done = self.shell(f'"$B" {command} > {FULL}')
                self.assertEqual((done.returncode, done.stderr), (1, NO_SPACE))

    def test_work_is_kept(self):
        done = self.shell(f'"$B" generate triangles -o data --count 100 --quiet > {FULL}')
        self.assertEqual((done.returncode, done.stderr), (1, NO_SPACE))
        self.run_program("verify", "data")

    def test_a_failure_of_the_work_goes_first(self):
        done = self.shell(f'"$B" info nowhere > {FULL}')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_reader_who_has_had_enough(self):
        for command in ("help", "man bench", "methods svm-wl --json"):
            done = self.shell(f'"$B" {command} | (exec <&-; sleep 0.1); echo ${{PIPESTATUS[0]}}')
            self.assertEqual(done.stderr, "")
            self.assertIn(done.stdout, ("141\n", "0\n"))
        self.assertEqual(self.shell('"$B" help | head -1').stderr, "")

    def test_closed(self):
        """No file of ours takes the place of a stream that was closed."""
        self.make_small("plain")
        for number, closed in enumerate((">&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-")):
            with self.subTest(closed):
                name = f"data{number}"
                done = self.shell(f'"$B" generate triangles -o {name} --count 200 {closed}')
                self.assertEqual(done.returncode, 0 if closed == "<&-" else 1, done)
                for file in ("all.tsv", "manifest.json"):
                    self.assertEqual((self.folder / name / file).read_bytes(),
                                     (self.folder / "plain" / file).read_bytes())
        done = self.shell('"$B" info plain >&-')
        self.assertEqual(done.stderr,
                         "bermuda: cannot write standard output: Bad file descriptor\n")


class Signals(SystemTest):
    """The first asks to stop, the second ends the program."""

    def start(self, pause):
        if not (self.folder / "data").exists():
            self.make_small()
        process = subprocess.Popen(
            [PROGRAM, "train", "counting", "data", "-o", "run", "--force", "--max-epochs", "1000",
             "--pause", str(pause)], cwd=self.folder, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "BERMUDA_PLUGINS": str(PLUGINS / "counting")})
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        time.sleep(1.0)
        self.assertIsNone(process.poll())
        return process

    def test_second_ends_at_once(self):
        for first, second in ((signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGINT),
                              (signal.SIGINT, signal.SIGTERM)):
            with self.subTest(f"{first.name} {second.name}"):
                process = self.start(pause=10000)  # an epoch in which nobody looks
                process.send_signal(first)
                time.sleep(0.5)
                self.assertIsNone(process.poll())
                process.send_signal(second)
                self.assertEqual(process.wait(timeout=5), -second)

    def test_twice_in_one_moment_counts_once(self):
        """As timeout(1) does it."""
        process = self.start(pause=300)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), 1)
        self.assertIn("interrupted", process.stderr.read())


class NoRegularFile(SystemTest):
    """What never ends is not read."""

    def refused(self, *arguments, says):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=20)
        self.assertEqual(done.returncode, 2, f"{arguments} {done}")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def pipe_instead_of(self, file):
        path = self.folder / file
        if path.exists():
            path.unlink()
        os.mkfifo(path)

    def test_data(self):
        for name in ("pipe", "pipe.jsonl", "pipe.txt", "pipe.zip"):
            os.mkfifo(self.folder / name)
            for command in ("info", "verify", "audit"):
                self.refused(command, name, says=f"{name}: found a named pipe, expected a regular file")
        self.refused("convert", "pipe.txt", "-o", "x", "--to", "tu", "--from", "dgcnn",
                     says="a named pipe")
        self.refused("info", "/dev/zero", says="/dev/zero: found a device")
        (self.folder / "zero.jsonl").symlink_to("/dev/zero")
        self.refused("filter", "zero.jsonl", "-o", "x", says="found a device")
        with socket.socket(socket.AF_UNIX) as plug:
            here = os.getcwd()
            os.chdir(self.folder)  # names of sockets are short
            try:
                plug.bind("plug.jsonl")
            finally:
                os.chdir(here)
            self.refused("info", "plug.jsonl", says="found a socket")

    def test_files_of_a_data_set(self):
        self.make_small("a")
        self.make_small("b")
        self.pipe_instead_of("a/all.tsv")
        self.refused("info", "a", says="all.tsv: found a named pipe")
        self.pipe_instead_of("b/manifest.json")
        self.refused("info", "b", "--json", says="b: found no data set")
        self.refused("convert", "b", "-o", "x", "--from", "native", "--to", "jsonl",
                     says="manifest.json: found a named pipe")

    def test_runs_and_models(self):
        self.make_small()
        self.run_program("train", "svm-labels", "data", "-o", "run", "--quiet")
        self.pipe_instead_of("run/model.bermuda")
        self.refused("predict", "run", "data", says="model.bermuda: found a named pipe")
        self.refused("explain", "run/model.bermuda", "data", says="found a named pipe")
        self.pipe_instead_of("run/run.json")
        self.refused("train", "svm-labels", "data", "-o", "run", "--resume",
                     says="run.json: found a named pipe")

    def test_grids_stores_and_exports(self):
        os.mkfifo(self.folder / "pipe.toml")
        self.refused("bench", "./pipe.toml", says="pipe.toml: found a named pipe")
        os.mkfifo(self.folder / "store.sqlite")
        self.refused("report", "store.sqlite", says="store.sqlite: found a named pipe")
        self.refused("bench", "quick", "--store", "store.sqlite", says="found a named pipe")
        self.refused("bench", "--store", "/dev/zero", "--status", says="found a device")

    def test_plugins(self):
        folder = self.folder / "plugins"
        folder.mkdir()
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        os.environ["BERMUDA_PLUGINS"] = str(folder)
        (folder / "mine.methods.json").write_text('{"methods": [{"name": "mine", "summary": "x"}]}')
        os.mkfifo(folder / "mine.so")
        self.refused("methods", "mine", says="mine.so: found a named pipe")
        self.pipe_instead_of("plugins/mine.methods.json")
        self.refused("methods", says="mine.methods.json: found a named pipe")


class Numbers(SystemTest):
    def test_without_sign(self):
        generate = ("generate", "triangles", "-o", "x")
        dataset = ("dataset", "triangles", "-o", "x")
        for words, option, value in (
                (generate, "--count", "-2"), (generate, "--count", " -2"),
                (generate, "--count", "18446744073709551614"), (generate, "--count", "2000000000"),
                (generate, "--count", "0"), (generate, "--count", "1e3"),
                (generate, "--count", ""), (dataset, "--candidates", "-2"),
                (dataset, "--candidates", "\t-2"), (dataset, "--candidates", "99999999999999999"),
                (generate, "--seed", "-1"), (generate, "--seed", " -1"),
                (generate, "--seed", "18446744073709551616"), (generate, "--seed", "0x10"),
                (generate, "--threads", "-1"), (generate, "--threads", "4294967297"),
                (dataset, "--train", "-2"), (dataset, "--train", " -2"),
                (generate, "--max-nodes", "-1")):
            with self.subTest(f"{option} {value!r}"):
                self.assert_refused(*words, f"{option}={value}", says=f"{option}: found")
        self.run_program("generate", "triangles", "-o", "x", "--quiet", "--count", "2", "--seed",
                         "18446744073709551615")

    def test_in_a_grid(self):
        for line in ("candidates = -2", "candidates = 9223372036854775807", "candidates = 2.5",
                     "seed = -1"):
            with self.subTest(line):
                (self.folder / "grid.toml").write_text(
                    f'title = "Test"\n[data.d]\ntask = "triangles"\n{line}\n'
                    '[[run]]\nmethods = ["svm-labels"]\nfolds = "0"\n')
                done = self.run_program("bench", "grid.toml", "--quiet", code=2)
                self.assertIn("grid.toml:4: found", done.stderr)


class Names(SystemTest):
    """What stands in names does not reach the terminal."""
    SEQUENCES = ("\x1b", "\x9b", "\u202e", "\u2066", "\x07", "\x08", "\x7f")

    def assert_harmless(self, text, *, shown):
        for sequence in self.SEQUENCES:
            self.assertNotIn(sequence, text)
        self.assertIn(shown, text)

    def test_data(self):
        name = "a\u202eb"
        rows = [{"id": f"g{i}\u202e", "class": name if i % 2 else "1", "nodes": 3,
                 "edges": [[0, 1], [1, 2]][:1 + i % 2]} for i in range(40)]
        (self.folder / "odd.jsonl").write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        self.assert_harmless(self.run_program("info", "odd.jsonl").stdout, shown="a\\u202eb")
        self.assert_harmless(self.run_program("draw", "odd.jsonl", "-o", "x.svg").stdout,
                             shown="\\u202e")
        trained = self.run_program("train", "svm-labels", "odd.jsonl", "-o", "run", "--quiet").stdout
        self.assert_harmless(trained, shown="a\\u202eb")
        # Data stays data.
        self.assertIn(name, self.run_json("info", "odd.jsonl")["classes"])

    def test_messages(self):
        for name in ("no\x1b[2Jwhere", "no\u202ewhere", "a\x07", "a\nb"):
            done = self.run_program("info", name, code=2)
            self.assert_harmless(done.stderr, shown="file or folder")
            self.assertEqual(done.stderr.count("\n"), 1)
        done = subprocess.run([PROGRAM, "info", b"no\x9b\xffwhere"], cwd=self.folder,
                              capture_output=True)
        self.assertIn(rb"no\x9b\xffwhere", done.stderr)

    def test_control_characters_in_data(self):
        (self.folder / "odd.jsonl").write_text(
            json.dumps({"id": "g", "class": "a\u009b31m", "nodes": 1, "edges": []}) + "\n")
        done = self.run_program("info", "odd.jsonl", code=2)
        self.assert_harmless(done.stderr, shown="a\\u009b31m")

    def test_plugins(self):
        folder = self.folder / "plugins"
        folder.mkdir()
        (folder / "mine.methods.json").write_text(json.dumps(
            {"methods": [{"name": "mine", "summary": "\x1b]0;owned\x07\u202e"}]}))
        environment = {**os.environ, "BERMUDA_PLUGINS": str(folder)}
        for command in (["methods"], ["train", "--help"], ["help", "train"], ["man", "train"]):
            done = self.run_program(*command, env=environment)
            self.assert_harmless(done.stdout, shown="\\x1b]0;owned\\x07\\u202e" if command[0] != "man"
                                 else "owned")
        listed = json.loads(self.run_program("methods", "--json", env=environment).stdout)["methods"]
        self.assertIn("\x1b]0;owned\x07\u202e", [entry["summary"] for entry in listed])


class Trust(SystemTest):
    """Code comes from places where strangers cannot put it."""

    def setUp(self):
        super().setUp()
        self.place = self.folder / "plugins"
        self.place.mkdir(mode=0o755)
        for end in (".so", ".methods.json"):
            shutil.copy(EXAMPLES / f"degree_profile{end}", self.place)
            os.chmod(self.place / f"degree_profile{end}", 0o644)
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        os.environ["BERMUDA_PLUGINS"] = str(self.place)

    def refused(self, says):
        message = self.assert_refused("methods", "degree-profile", says=says)
        self.assertIn("no code is loaded from it", message)
        self.run_program("methods")  # a list runs nothing
        self.run_program("methods", "svm-wl")

    def test_writable_by_everybody(self):
        for name in ("", "degree_profile.so", "degree_profile.methods.json"):
            path = self.place / name
            mode = path.stat().st_mode
            path.chmod(0o777)
            self.refused(says=f"'chmod o-w {path}' allows it")
            path.chmod(mode)
        self.place.chmod(0o1777)
        self.refused(says="everybody may write there")
        self.place.chmod(0o755)
        self.folder.chmod(0o777)
        self.refused(says=f"{self.folder}: everybody may write there")

    def test_writable_by_the_group(self):
        self.place.chmod(0o775)
        (self.place / "degree_profile.so").chmod(0o664)
        self.run_program("methods", "degree-profile")

    def test_of_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives files away")
        if os.stat(PROGRAM).st_uid == 65534:
            self.skipTest("the program itself belongs to nobody")
        os.chown(self.place / "degree_profile.so", 65534, 65534)
        self.refused(says="degree_profile.so: belongs to another user (number 65534)")


class LittleMemory(SystemTest):
    def test_neural(self):
        """OpenBLAS waits for ever for memory that does not come."""
        limit = 800_000 * 1024

        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        tried = subprocess.run([PROGRAM, "--version"], capture_output=True, preexec_fn=limited)
        if tried.returncode != 0:
            self.skipTest("this build does not start in 800 MB (AddressSanitizer?)")
        listed = [entry["name"] for entry in self.run_json("methods")["methods"]]
        if "gin" not in listed or subprocess.run([PROGRAM, "methods", "gin"],
                                                 capture_output=True).returncode != 0:
            self.skipTest("the neural methods are not built")
        self.make_small()
        for megabytes in (500, 650, 750, 800, 850, 900, 1000):
            limit = megabytes * 1_000_000
            done = subprocess.run([PROGRAM, "train", "gin", "data", "-o", f"run{megabytes}", "--quiet",
                                   "--max-epochs", "1"], cwd=self.folder, text=True,
                                  capture_output=True, preexec_fn=limited, timeout=60)
            with self.subTest(megabytes=megabytes):
                self.assertIn(done.returncode, (0, 1, 2), done)
                if done.returncode != 0:
                    self.assertIn("bermuda: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
