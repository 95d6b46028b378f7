#!/usr/bin/env python3
"""Programs of anybody's as methods: what they are given, what they may do wrong, and answers that come from
elsewhere."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from bench_program import grid
from program import PROGRAM, ProgramTest, shared_data

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "programs"

# Answers by the number of nodes; what it does wrong is its first argument.
MODEL = '''
import json, os, pathlib, sys, time
wrong, folder = sys.argv[1], pathlib.Path(sys.argv[-1])
run = json.loads((folder / "run.json").read_text())
assert os.environ["BERMUDA_RUN"] == str(folder)
if run["learn"]:
    assert (folder / "train.tsv").exists()
    (folder / "model" / "deep").mkdir()
    (folder / "model" / "deep" / "limit").write_text(str(run["options"].get("limit", 14)))
else:
    assert not (folder / "train.tsv").exists()
limit = int((folder / "model" / "deep" / "limit").read_text())
print("limit is", limit)
if wrong == "fails":
    sys.exit(3)
if wrong == "dies":
    os.kill(os.getpid(), 9)
if wrong == "hangs":
    time.sleep(600)
if wrong == "forgets":
    for file in (folder / "model" / "deep").iterdir():
        file.unlink()
lines = []
for split in ("valid", "test") if run["learn"] else ("test",):
    for line in (folder / (split + ".tsv")).read_text().splitlines()[1:]:
        id, _, graph = line.split("\\t")[:3]
        large = ord(graph[graph[0] == ":"]) - 63 > limit
        lines.append([id, run["classes"][large], str(1 - large), str(int(large))])
if wrong == "few":
    lines = lines[:-3]
if wrong == "doubled":
    lines.append(lines[-1])
if wrong == "unknown":
    lines[-1][0] = "q9999"
if wrong == "class":
    lines[-1][1] = "blue"
if wrong == "nan":
    lines[-1][2] = "nan"
if wrong != "silent":
    (folder / "answers.tsv").write_text("".join("\\t".join(line) + "\\n" for line in lines))
'''


class ProgramsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "model.py").write_text(MODEL)

    def command(self, wrong="good"):
        return f"{sys.executable} model.py {wrong}"

    def row(self, name, command, more=""):
        return f"[[run]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}\nfolds = \"0\"\n{more}\n"

    def bench(self, rows, *words, code=0):
        (self.folder / "g.toml").write_text(grid(rows))
        return self.run_json("bench", "g.toml", "--no-report", "--quiet", *words, code=code)

    def wait_for(self, what):
        until = time.time() + 60
        while time.time() < until:
            found = what()
            if found:
                return found
            time.sleep(0.05)
        self.fail("nothing happened within a minute")


class ARun(ProgramsTest):
    def test_is_given_graphs_and_tells_nothing_of_the_test(self):
        self.make_dataset("data")
        (self.folder / "kept").mkdir()
        told = self.run_json("train", "command", "data", "-o", "run", "--fold", 3, "--command", self.command(),
                             "--settings", '{"limit": 12}', "--time-limit", 60, "--quiet",
                             code=0)
        self.assertTrue(told["chosen"]["validation_answered"])
        os.environ["BERMUDA_KEEP_RUNS"] = str(self.folder / "kept")
        self.addCleanup(os.environ.pop, "BERMUDA_KEEP_RUNS", None)
        again = self.run_json("train", "command", "data", "-o", "run2", "--fold", 3, "--command", self.command(),
                              "--settings", '{"limit": 12}', "--time-limit", 60, "--quiet")
        self.assertEqual(told["test_accuracy"], again["test_accuracy"])
        (folder,) = (self.folder / "kept").glob("*/run")
        run = json.loads((folder / "run.json").read_text())
        self.assertEqual((run["learn"], run["fold"], run["options"], run["time_limit"], run["classes"]),
                         (True, 3, {"limit": 12}, 60, ["0", "1"]))
        self.assertLess(run["seed"], 1 << 31)
        lines = [line.split("\t") for line in (folder / "test.tsv").read_text().splitlines()[1:]]
        self.assertEqual([line[0] for line in lines], [f"q{i}" for i in range(1, 61)])
        self.assertEqual({tuple(line[1:2] + line[3:]) for line in lines}, {("?", "-", "-", "-", "-", "-")})
        source = [line.split("\t") for line in (self.folder / "data/test.tsv").read_text().splitlines()[1:]]
        self.assertNotEqual([line[2] for line in lines], [line[2] for line in source])
        self.assertEqual(sorted(line[2] for line in lines), sorted(line[2] for line in source))
        # The figure is what the graphs say.
        right = sum((ord(graph[graph[0] == ":"]) - 63 > 12) == (label == "1") for _, label, graph, *_ in source)
        self.assertAlmostEqual(told["test_accuracy"], right / 60)
        self.run_program("info", folder)

    def test_is_asked_again_when_that_is_allowed(self):
        self.make_dataset("data")
        self.run_program("train", "command", "data", "-o", "run", "--command", self.command(), "--quiet")
        self.assert_refused("predict", "run", "data", says="--run-command allows that")
        told = self.run_json("predict", "run", "data", "--split", "test", "--run-command", "--relabel", 2)
        record = json.loads((self.folder / "run/run.json").read_text())
        self.assertAlmostEqual(told["accuracy"], record["test_accuracy"])
        self.assertEqual(told["relabelling_sensitivity"], 0)
        self.run_program("train", "command", "data", "-o", "other", "--command", self.command("forgets"), "--quiet")
        self.assert_refused("predict", "other", "data", "--run-command", says="left nothing in its folder model")

    def test_that_is_started_in_odd_ways(self):
        self.make_dataset("data")
        train = ["train", "command", "data", "-o", "run", "--force", "--quiet", "--command"]
        self.run_program(*train, self.command() + "\n")
        done = self.run_program(*train, "exit 255 #", code=1)
        self.assertIn("the program ended with code 255 and printed nothing", done.stderr)
        done = self.run_program(*train, 'rm -r "$BERMUDA_RUN/model"; true', code=1)
        self.assertIn("left no answers.tsv", done.stderr)

    def test_of_graphs_that_are_called_like_questions(self):
        data = self.make_dataset("data")
        self.run_program("convert", "data", "--to", "jsonl", "-o", "named.jsonl", "--quiet")
        lines = (self.folder / "named.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        for number, record in enumerate(records, 1):
            record["id"] = f"q{number}"
        (self.folder / "named.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        self.assertTrue(data.exists())
        told = self.run_json("train", "command", "named.jsonl", "-o", "run", "--command", self.command(), "--quiet")
        self.assertTrue(told["chosen"]["validation_answered"])

    def test_leaves_nothing_in_the_folder_for_temporary_files(self):
        self.make_dataset("data")
        place = self.folder / "tmp"
        place.mkdir()
        environment = {**os.environ, "TMPDIR": str(place)}
        words = ["train", "command", "data", "-o", "run", "--quiet", "--force", "--command"]
        child = subprocess.Popen([PROGRAM, *words, "sleep 600 #"], cwd=self.folder, env=environment)
        self.wait_for(lambda: list(place.glob("*/run/run.json")))
        child.kill()
        child.wait()
        self.assertEqual(len(list(place.iterdir())), 1)
        self.run_program(*words, self.command(), env=environment)
        self.assertEqual(list(place.iterdir()), [])

    def test_without_a_command_or_with_wrong_settings_is_refused(self):
        self.make_dataset("data")
        self.assert_refused("train", "command", "data", "-o", "run", says="expected a shell command")
        self.assert_refused("train", "command", "data", "-o", "run", "--command", "true", "--settings", "[1]",
                            says="settings")

    def test_that_is_stopped_takes_all_its_processes_along(self):
        self.make_dataset("data")
        script = "setsid sleep 600 & echo $! > pid; echo $$ > parent; wait #"
        for how in (signal.SIGINT, signal.SIGKILL):
            child = subprocess.Popen([PROGRAM, "train", "command", "data", "-o", "run", "--command", script],
                                     cwd=self.folder, stderr=subprocess.PIPE, text=True)
            pids = [int(self.wait_for(lambda: (self.folder / name).exists() and (self.folder / name).read_text()))
                    for name in ("pid", "parent")]
            child.send_signal(how)
            child.communicate(timeout=60)
            self.assertNotEqual(child.returncode, 0)
            for pid in pids:
                self.wait_for(lambda: not pathlib.Path(f"/proc/{pid}").exists() or
                              "Z" in pathlib.Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0])
            self.assertFalse((self.folder / "run").exists())
            for name in ("pid", "parent"):
                (self.folder / name).unlink()


class Rows(ProgramsTest):
    FAULTS = {"fails": "ended with code 3; it printed last: limit is 14",
              "dies": "was ended by signal 9 (Killed)", "few": "no answer for 3 of 40 graphs",
              "doubled": "again", "unknown": "graph 'q9999'", "class": "class 'blue'",
              "nan": "'nan' as a score", "silent": "the program left no answers.tsv",
              "hangs": "was stopped after 2 s; it printed last: limit is 14"}

    def test_that_go_wrong_are_recorded_and_nobody_else_suffers(self):
        rows = "".join(self.row(wrong, self.command(wrong), "time_limit = 2" if wrong == "hangs" else "")
                       for wrong in self.FAULTS)
        told = self.bench(rows + self.row("good", self.command()) + '[[run]]\nmethods = ["svm-wl"]\nfolds = "0"\n',
                          code=1)
        self.assertEqual(told["done"], 2)
        reasons = [failure["reason"] for failure in told["failures"]]
        self.assertEqual(len(reasons), len(self.FAULTS))
        for wrong, words in self.FAULTS.items():
            self.assertTrue(any(words in reason for reason in reasons), f"{wrong}: {reasons}")
        again = self.bench(rows + self.row("good", self.command()), "--only", "good")
        self.assertEqual((again["done"], again["earlier"]), (0, 1))

    def test_of_a_changed_program_are_other_runs(self):
        rows = self.row("good", self.command(), "vary = { limit = [10, 14] }")
        self.assertEqual(self.bench(rows)["done"], 2)
        self.assertEqual(self.bench(rows)["done"], 0)
        (self.folder / "model.py").write_text(MODEL + "\n# better\n")
        self.assertEqual(self.bench(rows)["done"], 2)

    def test_that_make_no_sense_are_refused_with_their_line(self):
        for rows, says in ((self.row("", "true"), "a run without a name"),
                           (self.row("a", "true", 'methods = ["svm-wl"]'), "several of methods, command"),
                           (self.row("a", "true", "recorded = true"), "several of methods, command"),
                           (self.row("a", "true", "time_limit = -1"), "time-limit"),
                           (self.row("a", "true", 'files = ["nowhere.py"]'), "nowhere.py"),
                           ('[[run]]\nname = "a"\nrecorded = true\noptions = { a = 1 }', "options of what is done"),
                           (self.row("a", "true", 'files = ["a,b.py"]'), "names without commas"),
                           ('[[run]]\nmethods = ["recorded"]', "recorded = true and a name"),
                           ('[[run]]\nmethods = ["svm-wl"]\ntime_limit = 3', "a command with it")):
            (self.folder / "g.toml").write_text(grid(rows))
            self.run_program("bench", "g.toml", code=2)
            self.assert_refused("bench", "g.toml", says=says)


class Recorded(ProgramsTest):
    ROWS = '[[run]]\nname = "mine"\nrecorded = true\nfolds = "0-1"\n[[run]]\nmethods = ["svm-wl"]\nfolds = "0-1"\n'

    def setUp(self):
        super().setUp()
        self.told = self.bench(self.ROWS)
        (self.data,) = (self.folder / "g.work" / "data").iterdir()
        test = [line.split("\t") for line in (self.data / "test.tsv").read_text().splitlines()[1:]]
        self.answers = "".join(f"{line[0]}\t{line[1]}\n" for line in test)
        (self.folder / "answers.tsv").write_text(self.answers)

    def score(self, *words):
        return ["score", "answers.tsv", self.data, "--store", "g.sqlite", *words]

    def test_answers_become_runs(self):
        self.assertEqual((self.told["done"], self.told["to_record"]), (2, 2))
        told = self.run_json(*self.score("--row", "mine", "--fold", 1, "--seconds", 12))
        self.assertEqual(told["accuracy"], 1)
        table = self.bench(self.ROWS)
        self.assertEqual((table["earlier"], table["to_record"]), (3, 1))
        self.run_program(*self.score("--row", "mine"))
        done = self.run_program("bench", "g.toml")
        self.assertRegex(done.stdout, r"mine +100\.0 ± 0\.0 \*")
        self.assertNotIn("to be recorded", done.stdout)
        self.assertIn("complete", self.run_program("bench", "g.toml", "--status").stdout)
        # They travel.
        self.run_program("bench", "g.toml", "--export", "json", "-o", "all.json")
        (self.folder / "g.sqlite").unlink()
        self.assertEqual(self.bench(self.ROWS, "--import", "all.json", "--no-run")["earlier"], 4)

    def test_what_does_not_fit_is_refused(self):
        self.assert_refused(*self.score("--row", "mime"), says="did you mean mine?")
        self.assert_refused(*self.score("--row", "svm-wl"), says="no row 'svm-wl' to be recorded")
        self.assert_refused(*self.score("--row", "mine", "--fold", 5), says="mine has no fold 5")
        self.assert_refused(*self.score("--row", "mine", "--seed", 2), says="mine has no fold 0 with seed 2")
        for seconds in ("nan", "-1", "inf"):
            self.assert_refused(*self.score("--row", "mine", f"--seconds={seconds}"), says="expected 0 or more")
        (self.folder / "answers.tsv").write_text(self.answers[:-4])
        self.assert_refused(*self.score("--row", "mine"), says="answers.tsv")
        (self.folder / "answers.tsv").write_text(self.answers)
        self.run_program(*self.score("--row", "mine"))
        self.assert_refused(*self.score("--row", "mine"), says="recorded already")


    def test_two_grids_may_have_the_row(self):
        other = grid(self.ROWS.replace('folds = "0-1"', 'folds = "0-1"\nfolding = "stratified"', 1))
        (self.folder / "h.toml").write_text(other)
        self.run_json("bench", "h.toml", "--store", "g.sqlite", "--no-report", "--quiet")
        self.assert_refused(*self.score("--row", "mine"), says="--grid says which")
        for name in ("g", "h"):
            self.run_program(*self.score("--row", "mine", "--grid", name))
            self.assert_refused(*self.score("--row", "mine", "--grid", name), says="recorded already")


class Tables(ProgramsTest):
    """What `score` reads."""

    def setUp(self):
        super().setUp()
        self.data = self.make_dataset("data")
        test = [line.split("\t") for line in (self.data / "test.tsv").read_text().splitlines()[1:]]
        self.test = [(line[0], line[1]) for line in test]

    def score(self, lines):
        (self.folder / "answers.tsv").write_text("".join(f"{line}\n" for line in lines))
        return self.run_json("score", "answers.tsv", "data", "--split", "test")

    def test_columns_that_a_header_names_otherwise_are_no_scores(self):
        told = self.score(["#id\tclass\tconfidence\tnote"] + [f"{id}\t{label}\thigh\tx" for id, label in self.test])
        self.assertEqual(told["accuracy"], 1)

    def test_ids_may_begin_as_remarks_do(self):
        self.run_program("convert", "data", "--to", "jsonl", "-o", "all.jsonl", "--quiet")
        records = [json.loads(line) for line in (self.folder / "all.jsonl").read_text().splitlines()]
        for record in records:
            record["id"] = "#" + record["id"]
        (self.folder / "odd.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        self.run_program("train", "svm-wl", "odd.jsonl", "-o", "run", "--quiet")
        told = self.run_json("predict", "run", "odd.jsonl", "-o", "said.tsv", "--relabel", 0)
        again = self.run_json("score", "said.tsv", "odd.jsonl")
        self.assertEqual(told["accuracy"], again["accuracy"])


class Examples(ProgramsTest):
    def test_in_shell_and_in_python(self):
        self.make_dataset("data")
        told = self.run_json("train", "command", "data", "-o", "run", "--command", f"{EXAMPLES}/majority.sh", "--quiet")
        self.assertAlmostEqual(told["test_accuracy"], 0.5)
        python = next((p for p in (sys.executable, "/usr/bin/python3")
                       if subprocess.run([p, "-c", "import networkx"], capture_output=True).returncode == 0), None)
        if python is None:
            self.skipTest("no networkx here")
        shared = shared_data()
        data = shared / "TU" / "MUTAG" if shared else "data"
        told = self.run_json("train", "command", data, "-o", "run2", "--command", f"{python} {EXAMPLES}/degrees.py",
                             "--quiet")
        if shared:
            self.assertGreater(told["test_accuracy"], 0.8)


if __name__ == "__main__":
    unittest.main()
