#!/usr/bin/env python3
"""Typing errors: one line that names the nearest command, task, method, option or value."""
import os
import unittest

from program import ProgramTest

GRID = """
[data.tri]
task = "triangles"
candidates = 600
filter = { train = 100, valid = 20, test = 40 }
[[run]]
methods = ["svm-wl"]
"""


class TypingTest(ProgramTest):
    def check(self, table):
        for words, says in table:
            with self.subTest(words):
                # Not assert_refused(), which adds an option of its own.
                done = self.run_program(*words.split(), code=2)
                self.assertEqual(done.stdout, "")
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertNotIn("worker", done.stderr)


class Names(TypingTest):
    def test_nearest(self):
        self.check([
            ("audti D1", "bermuda: there is no command 'audti'; did you mean audit? ('bermuda --help'"),
            ("Audit D1", "did you mean audit?"),
            ("generate trinagles -o x", "generate: there is no task 'trinagles'; did you mean triangles?"),
            ("dataset clique-distnace -o x", "did you mean clique-distance?"),
            ("train svm-lw D1", "train: there is no method 'svm-lw'; did you mean svm-wl? "
                                "('bermuda train --help' lists all)"),
            ("methods svm-lw", "no method named 'svm-lw'; did you mean svm-wl?"),
            ("help trian", "there is no command 'trian'; did you mean train?"),
            ("help train svm-lw", "did you mean svm-wl?"),
            ("man trian", "did you mean train?"),
            ("bench quikc", "'quikc': no such file, and no such configuration; did you mean quick?"),
        ])

    def test_all_when_none_is_near(self):
        self.check([
            ("nonsense", "there is no command 'nonsense'; there are: dataset, generate, "),
            ("generate squares", "there are: triangles, clique-distance"),
            ("train nonsense", "there are: svm"),
            ("bench nonsense", "there are: controls, quick, regimes, table1, table2"),
        ])

    def test_hidden_commands_are_not_suggested(self):
        self.check([("wroker", "there are: dataset"), ("complet", "did you mean completion?")])
        for hidden in ("worker", "  complete ", "  man "):
            self.assertNotIn(hidden, self.run_program("--help").stdout)

    def test_names_in_files(self):
        table = [
            ('task = "triangles"', 'task = "trinagles"', "did you mean triangles?"),
            ('methods = ["svm-wl"]', 'mehtods = ["svm-wl"]', "did you mean methods?"),
            ('methods = ["svm-wl"]', 'methods = ["svm-lw"]', "did you mean svm-wl?"),
            ('methods = ["svm-wl"]', 'methods = ["svm-wl"]\noptions = { max_round = 3 }',
             "no parameter named 'max_round'; did you mean max_rounds?"),
            ('methods = ["svm-wl"]', 'methods = ["svm-wl"]\ndata = ["tir"]', "did you mean tri?"),
        ]
        for old, new, says in table:
            with self.subTest(new):
                (self.folder / "grid.toml").write_text(GRID.replace(old, new))
                self.assertIn(says, self.run_program("bench", "grid.toml", code=2).stderr)
        (self.folder / "grid.toml").write_text(GRID)
        self.check([("bench grid.toml --only svm-lw", "fits 'svm-lw'; did you mean svm-wl?")])

    def test_splits(self):
        self.make_dataset("data")
        self.check([("draw data -o x.svg --split tets", "no split named 'tets'; did you mean test?"),
                    ("draw data -o x.svg --split east", "there are: train, valid, test")])


class Options(TypingTest):
    def test_nearest(self):
        self.check([
            ("audit D1 --fold 3", "bermuda: audit: there is no option '--fold'; did you mean --folds?\n"),
            ("audit D1 --fold=3", "there is no option '--fold'; did you mean --folds?"),
            ("train svm-wl D1 --max-round 3", "train svm-wl: there is no option '--max-round'; "
                                              "did you mean --max-rounds?"),
            ("train svm-wl D1 -max-rounds 3 -o x", "did you mean --max-rounds?"),
            # What is mistyped is told, not what is missing because of it.
            ("generate triangles --ouput x", "there is no option '--ouput'; did you mean --output?"),
            ("--versoin", "there is no option '--versoin'; did you mean --version?"),
        ])

    def test_none_is_near(self):
        self.check([
            ("audit D1 --sausage", "there is no option '--sausage' ('bermuda audit --help' lists them)"),
            ("audit D1 -x", "there is no option '-x'"),
            ("train --sausage", "train: found '--sausage', expected a method"),
        ])

    def test_in_the_wrong_place(self):
        self.check([("train --fold 3 svm-wl D1 -o x", "train: found '--fold', expected a method first"),
                    ("--json audit D1", "bermuda: found '--json', expected a command first")])


class Values(TypingTest):
    def test_choices(self):
        self.check([
            ("generate triangles -o x --families rnadom",
             "--families: found 'rnadom', expected one of knn, radius, random; did you mean random?"),
            ("generate triangles -o x --families knn,cubes", "found 'cubes', expected one of"),
            ("convert D1 -o x --to jsnol", "--to: found 'jsnol', expected one of "),
            ("convert D1 -o x --to jsnol", "; did you mean jsonl?"),
            ("completion zsh", "SHELL: found 'zsh', expected one of bash"),
        ])

    def test_numbers(self):
        self.check([
            ("audit D1 --folds 1", "--folds: found '1', expected a whole number in 2..100"),
            ("audit D1 --folds x", "--folds: found 'x', expected a whole number in 2..100"),
            ("generate triangles -o x --count many", "--count: found 'many', expected a whole number"),
            ("generate triangles -o x --seed -1", "--seed: found '-1', expected a whole number"),
        ])

    def test_missing(self):
        self.check([
            ("audit", "audit: DATA is missing ('bermuda audit --help' explains)"),
            ("generate triangles", "generate triangles: --output PATH is missing"),
            ("generate", "generate: a task is missing; there are: triangles, clique-distance"),
            ("train", "train: a method is missing; there are: svm"),
            ("audit D1 --folds", "--folds: found nothing, expected VALUE"),
            ("generate triangles -o --force", "--output: found the option --force, expected PATH"),
            ("completion", "completion: SHELL is missing"),
        ])

    def test_too_many(self):
        self.check([
            ("audit D1 D2", "audit: found 'D2', expected nothing more"),
            ("audit D1 --folds 3 --folds 4", "--folds: given 2 times, expected once"),
            ("train svm-wl D1 -o x --max-rounds 2 --max-rounds 3", "--max-rounds: given 2 times"),
            ("tasks triangles", "tasks: found 'triangles', expected nothing more"),
        ])


class Help(ProgramTest):
    def test_help_is_that_of_the_command(self):
        for words in ([], ["audit"], ["train"], ["train", "svm-wl"], ["generate", "triangles"]):
            with self.subTest(words):
                asked = self.run_program(*words, "--help").stdout
                self.assertEqual(self.run_program("help", *words).stdout, asked)
                self.assertIn(f"Usage: {' '.join(['bermuda', *words])} ", asked)

    def test_nothing_at_all(self):
        done = self.run_program(code=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, self.run_program("--help").stdout)

    def test_words_for_people(self):
        top = self.run_program("--help").stdout
        self.assertIn("Commands:", top)
        self.assertNotIn("ubcommand", top)
        self.assertIn("TASK", self.run_program("generate", "--help").stdout)
        convert = self.run_program("convert", "--help").stdout
        self.assertRegex(convert, r"--to [a-z|]*native")
        self.assertIn("(default 10; 2..100)", self.run_program("audit", "--help").stdout)

    def test_broken_plugins_do_not_matter(self):
        environment = dict(os.environ, BERMUDA_PLUGINS=str(self.folder / "nowhere"))
        for words in (["--help"], ["help"], ["help", "audit"], ["--version"]):
            self.run_program(*words, env=environment)


if __name__ == "__main__":
    unittest.main()
