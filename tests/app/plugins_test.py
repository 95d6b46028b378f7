#!/usr/bin/env python3
"""Methods in plug-ins: listed without loading, loaded when named, refused in one line when broken."""
import json
import os
import pathlib
import shutil
import unittest

from program import ProgramTest

EXAMPLES = pathlib.Path(os.environ["BERMUDA_EXAMPLE_PLUGINS"])
PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])
KERNELS = ["svm-wl", "svm-graphlet", "svm-graphlet-exact", "svm-labels"]


class PluginTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        self.use(EXAMPLES)

    def use(self, *folders):
        os.environ["BERMUDA_PLUGINS"] = ":".join(map(str, folders))

    def use_sidecar(self, text, library=None):
        """A folder with the plug-in 'mine' of this sidecar, with or without a library."""
        folder = self.folder / "plugins"
        folder.mkdir(exist_ok=True)
        (folder / "mine.methods.json").write_text(text)
        if library is not None:
            shutil.copy(library, folder / "mine.so")
        self.use(folder)

    def use_method(self, name, library=None):
        self.use_sidecar(json.dumps({"methods": [{"name": name, "summary": "mine"}]}), library)


class Working(PluginTest):
    def test_methods_lists_it(self):
        lines = self.run_program("methods").stdout.splitlines()
        line = next(line for line in lines if line.startswith("degree-profile "))
        self.assertIn("Nearest mean of degree histograms", line)
        entries = {entry["name"]: entry for entry in self.run_json("methods")["methods"]}
        self.assertNotIn("parameters", entries["degree-profile"])
        self.assertEqual(sorted(entries["svm-wl"]), ["name", "summary"])
        self.assertLessEqual(set(KERNELS), set(entries))

    def test_methods_explains_it(self):
        text = self.run_program("methods", "degree-profile", "svm-wl").stdout
        self.assertIn("--max-degree", text)
        self.assertIn("--max-rounds", text)
        entries = self.run_json("methods", "degree-profile")["methods"]
        self.assertEqual(len(entries), 1)
        self.assertEqual(entries[0]["parameters"][0]["name"], "max-degree")

    def test_train_and_predict(self):
        self.make_dataset("data", "triangles", "--seed", 3)
        trained = self.run_json("train", "degree-profile", "data", "-o", "run", "--max-degree", 6)
        self.assertEqual(trained["options"], {"max_degree": 6})
        self.assertEqual(sorted(os.listdir(self.folder / "run")), ["model.bermuda", "run.json"])
        said = self.run_json("predict", "run", "data", "--split", "test")
        self.assertEqual(said["accuracy"], trained["test_accuracy"])
        self.assertEqual(said["method"], "degree-profile")
        # The model alone does not help where the plug-in is not.
        self.use()
        self.assert_refused("predict", "run", "data", says="no method named 'degree-profile'")

    def test_options_are_checked(self):
        self.make_dataset("data")
        self.assert_refused("train", "degree-profile", "data", "-o", "run", "--max-degree", 0,
                            says="--max-degree: found '0'")

    def test_same_folder_twice_is_once(self):
        self.use(EXAMPLES, EXAMPLES, str(EXAMPLES) + "/", "")
        self.run_program("methods")


class NotLoaded(PluginTest):
    """A library that cannot be loaded hurts nobody who does not ask for it."""

    def setUp(self):
        super().setUp()
        self.use_method("mine", __file__)

    def test_lists_and_help(self):
        self.assertIn("mine", self.run_program("methods").stdout)
        self.assertIn("mine", self.run_program("train", "--help").stdout)
        self.assert_refused("methods", "mine", says="mine.so: found a library that cannot be loaded")
        self.assert_refused("train", "mine", "--help", says="cannot be loaded")

    def test_kernel_methods(self):
        self.make_dataset("data")
        self.run_program("train", "svm-labels", "data", "-o", "run", "--quiet")
        self.run_program("predict", "run", "data", "--quiet")
        self.run_program("methods", *KERNELS)

    def test_commands_without_methods_do_not_even_read_sidecars(self):
        self.make_dataset("data")
        self.use_sidecar("{")
        self.run_program("info", "data")
        self.run_program("--help")
        self.run_program("tasks")
        self.assert_refused("methods", says="mine.methods.json")


class Broken(PluginTest):
    def test_sidecars(self):
        def methods(*entries):
            return json.dumps({"methods": entries})
        table = [
            ("{\n 'a'", "mine.methods.json:2: found"),
            ("[]", "expected a JSON object"),
            ("{}", "no list of methods"),
            ('{"methods": 3}', "no list of methods"),
            (methods(3), "number"),
            (methods({"summary": "x"}), "without a name"),
            (methods({"name": "x"}), "without a summary"),
            (methods({"name": "", "summary": "x"}), "the name ''"),
            (methods({"name": "-x", "summary": "x"}), "the name '-x'"),
            (methods({"name": "a b", "summary": "x"}), "the name 'a b'"),
            (methods({"name": "x", "summary": "a\nb"}), "one line of text"),
        ]
        for text, says in table:
            with self.subTest(text):
                self.use_sidecar(text)
                message = self.assert_refused("methods", says=says)
                self.assertIn("mine.methods.json", message)

    def test_libraries(self):
        self.use(PLUGINS / "stale", PLUGINS / "bare")
        self.assert_refused("methods", "stale", says="a plug-in for bermuda 0.0.1, expected one for")
        self.assert_refused("methods", "bare", says="without the function bermuda_plugin_version")
        self.use_method("mine")
        self.assert_refused("methods", "mine", says="mine.so: found no such file")
        self.use_method("mine", EXAMPLES / "degree_profile.so")
        self.assert_refused("methods", "mine", says="a library without the method 'mine'")

    def test_names_that_are_taken(self):
        self.use_method("svm-wl")
        self.assert_refused("methods", says="two methods named svm-wl; the other is from bermuda")
        self.use_method("degree-profile")
        self.use(EXAMPLES, self.folder / "plugins")
        message = self.assert_refused("methods", says="two methods named degree-profile")
        self.assertIn("degree_profile.methods.json", message)
        self.assertIn("mine.methods.json", message)

    def test_folders(self):
        self.use(EXAMPLES, self.folder / "nowhere")
        self.assert_refused("methods", says="BERMUDA_PLUGINS: ")
        self.run_program("--help")

    def test_unknown_method(self):
        self.assert_refused("methods", "nonsense", says="no method named 'nonsense'; there are: svm")
        self.assert_refused("train", "nonsense", "data", "-o", "x", says="'nonsense'; there are: svm")


if __name__ == "__main__":
    unittest.main()
