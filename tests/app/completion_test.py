#!/usr/bin/env python3
"""Completion in a real bash, and the manual pages: both come from the program's own commands."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, is_sanitized

EXAMPLES = os.environ["BERMUDA_EXAMPLE_PLUGINS"]

# Prints what TAB would offer; compopt only works while bash itself completes.
HARNESS = """
eval "$("$BERMUDA_PROGRAM" completion bash)"
compopt() { echo "compopt $2"; }
COMP_WORDS=("$BERMUDA_PROGRAM" "$@")
COMP_CWORD=$#
_bermuda bermuda
for reply in "${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done
"""


class Completion(ProgramTest):
    def offered(self, *words, **variables):
        done = subprocess.run(["bash", "--norc", "-c", HARNESS, "bash", *words], cwd=self.folder,
                              text=True, capture_output=True, timeout=60,
                              env=dict(os.environ, **variables))
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_script_is_registered(self):
        script = self.run_program("completion", "bash").stdout
        done = subprocess.run(["bash", "--norc", "-c", script + "complete -p bermuda"],
                              capture_output=True, text=True)
        self.assertEqual(done.stdout, "complete -F _bermuda bermuda\n")

    def test_commands(self):
        self.assertEqual(self.offered("aud"), ["audit"])
        self.assertEqual(self.offered("comp"), ["completion"])
        everything = self.offered("")
        listed = re.findall(r"^  ([a-z]+) ", self.run_program("--help").stdout.split("Commands:")[1],
                            re.MULTILINE)
        self.assertEqual(everything, [name for name in listed if name != "bermuda"])
        self.assertEqual(self.offered("nonsense", ""), [])
        self.assertEqual(self.offered("--ver"), ["--version"])

    def test_tasks(self):
        tasks = [task["name"] for task in self.run_json("tasks")["tasks"]]
        self.assertEqual(self.offered("generate", ""), tasks)
        self.assertEqual(self.offered("dataset", "cl"), ["clique-distance", "clique-k"])
        self.assertIn("clique-distance", self.offered("verify", "D1", "--task", "cl"))

    def test_methods(self):
        self.assertEqual(self.offered("train", "svm-w"), ["svm-wl"])
        self.assertEqual(self.offered("methods", "svm-wl", "svm-w"), ["svm-wl"])
        self.assertEqual(self.offered("bench", "quick", "--only", "svm-wl,svm-l"),
                         ["svm-wl,svm-labels"])
        self.assertNotIn("degree-profile", self.offered("train", ""))
        self.assertEqual(self.offered("train", "deg", BERMUDA_PLUGINS=EXAMPLES), ["degree-profile"])
        self.assertEqual(self.offered("help", "train", "deg", BERMUDA_PLUGINS=EXAMPLES),
                         ["degree-profile"])

    def test_options(self):
        self.assertEqual(self.offered("audit", "D1", "--gr"), ["--graphlets"])
        self.assertIn("--output", self.offered("generate", "triangles", "-"))
        self.assertEqual(self.offered("generate", "triangles", "--min-n"), ["--min-nodes"])
        self.assertEqual(self.offered("train", "svm-wl", "--max-r"), ["--max-rounds"])
        self.assertEqual(self.offered("audit", "D1", "--json", "--js"), [])  # is there already
        self.assertEqual(self.offered("bench", "quick", "--data", "x", "--dat"), ["--data"])
        self.assertIn("--json", self.offered("tasks", ""))

    def test_values(self):
        self.assertEqual(self.offered("generate", "triangles", "--families", "r"),
                         ["radius", "random"])
        self.assertEqual(self.offered("generate", "triangles", "--families", "knn,ra"),
                         ["knn,radius", "knn,random"])
        self.assertEqual(self.offered("convert", "D1", "--to", "js"), ["jsonl"])
        self.assertEqual(self.offered("convert", "D1", "--to=js"), ["--to=jsonl"])
        self.assertEqual(self.offered("convert", "D1", "--to", "=", "js"), ["jsonl"])  # bash splits
        self.assertIn("jsonl", self.offered("convert", "D1", "--to", "="))
        self.assertEqual(self.offered("completion", ""), ["bash"])
        self.assertEqual(self.offered("audit", "D1", "--folds", ""), [])

    def test_files(self):
        (self.folder / "table of mine.toml").write_text("")
        self.assertEqual(self.offered("audit", ""), ["compopt default"])
        self.assertEqual(self.offered("audit", "D1", "--json", "-o"), [])
        self.assertEqual(self.offered("draw", "D1", "-o", ""), ["compopt default"])
        self.assertEqual(self.offered("predict", "run", "D"), ["compopt default"])
        self.assertEqual(self.offered("bench", "ta"),
                         ["compopt filenames", "table1", "table2", "table of mine.toml"])
        self.assertEqual(self.offered("bench", "my"), ["compopt default"])

    def test_a_plugin_is_loaded_only_when_nothing_else_fits(self):
        # A sidecar without its library: whatever loads it fails.
        (self.folder / "plugins").mkdir()
        sidecar = self.folder / "plugins" / "mine.methods.json"
        sidecar.write_text(json.dumps({"methods": [{"name": "own+mine", "summary": "x"}]}))
        mine = {"BERMUDA_PLUGINS": str(sidecar.parent)}
        self.assertEqual(self.offered("train", "own+", **mine), ["own+mine"])
        self.assertEqual(self.offered("train", "own+mine", "--fo", **mine), ["--fold", "--folding", "--force"])
        self.assertEqual(self.offered("train", "own+mine", "D1", "-o", "", **mine),
                         ["compopt default"])
        self.assertEqual(self.offered("train", "own+mine", "--max-r", **mine), [])
        self.assertEqual(self.offered("train", "degree-profile", "--max-d", BERMUDA_PLUGINS=EXAMPLES),
                         ["--max-degree"])

    def test_broken_plugins_say_nothing(self):
        nowhere = str(self.folder / "nowhere")
        self.assertEqual(self.offered("train", "sv", BERMUDA_PLUGINS=nowhere), [])
        self.assertEqual(self.offered("aud", BERMUDA_PLUGINS=nowhere), ["audit"])

    def test_is_quick(self):
        best = 1.0
        for _ in range(10):
            start = time.monotonic()
            self.run_program("complete", "--", "train", "svm-wl", "--ma")
            best = min(best, time.monotonic() - start)
        self.assertLess(best, 0.5 if is_sanitized() else 0.1)

    def test_typed_into_a_terminal(self):
        (self.folder / "a file.jsonl").write_text('{"nodes": 1, "edges": [], "class": "x"}\n')
        program, terminal = pty.fork()
        if program == 0:
            os.chdir(self.folder)
            os.environ.update(PATH=f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}",
                              TERM="dumb", PS1="> ", INPUTRC="/dev/null")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        try:
            for line in ('eval "$(bermuda completion bash)"\n', "bermuda tas\t--js\t\n",
                         "bermuda info a\t--js\t\n", "exit\n"):
                os.write(terminal, line.encode())
            text = b""
            end = time.monotonic() + 60
            while time.monotonic() < end and select.select([terminal], [], [], 10)[0]:
                try:
                    part = os.read(terminal, 65536)
                except OSError:  # bash has ended
                    break
                if not part:
                    break
                text += part
        finally:
            os.close(terminal)
            os.waitpid(program, 0)
        shown = text.decode(errors="replace")
        self.assertIn('"tasks": [', shown)
        self.assertIn("a\\ file.jsonl", shown)
        self.assertIn('"graphs": 1', shown)


class ManPages(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program("man", "-o", "man")
        self.pages = {path.name: path.read_text() for path in (self.folder / "man").iterdir()}

    def test_one_per_command(self):
        listed = re.findall(r"^  ([a-z]+) ", self.run_program("--help").stdout.split("Commands:")[1],
                            re.MULTILINE)
        commands = [name for name in listed if name != "bermuda"]
        self.assertEqual(set(self.pages), {"bermuda.1"} | {f"bermuda-{c}.1" for c in commands})
        self.assertEqual(self.run_program("man").stdout, self.pages["bermuda.1"])
        self.assertEqual(self.run_program("man", "train").stdout, self.pages["bermuda-train.1"])

    def test_sections(self):
        for name, page in self.pages.items():
            with self.subTest(name):
                self.assertTrue(page.isascii())
                for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES",
                                "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"):
                    self.assertEqual(page.count(f".SH {section}\n"), 1, section)

    def test_what_help_says(self):
        generate = self.pages["bermuda-generate.1"]
        self.assertIn("\\-\\-min\\-nodes", generate)
        self.assertIn(".SS Task clique\\-distance", generate)
        self.assertEqual(generate.count("\\fB\\-\\-count\\fR"), 1)
        train = self.pages["bermuda-train.1"]
        self.assertIn("svm\\-wl", train)
        self.assertIn("\\-\\-max\\-rounds", train)
        self.assertIn("\\-\\-fold", train)
        self.assertIn("\\fBbermuda train\\fR METHOD [OPTIONS] DATA\n", train)
        self.assertNotIn("worker", self.pages["bermuda.1"])

    def test_groff_has_nothing_to_say(self):
        if shutil.which("groff") is None:
            self.skipTest("no groff here")
        for name in self.pages:
            with self.subTest(name):
                done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-P-cbou",
                                       self.folder / "man" / name],
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("EXIT STATUS", done.stdout)


if __name__ == "__main__":
    unittest.main()
