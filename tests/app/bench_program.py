"""Runs grids for the tests of bench."""
import base64
import json
import os
import pathlib
import sqlite3
import zlib

from program import ProgramTest

COUNTING = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"]) / "counting"

DATA = """
[data.tri]
task = "triangles"
candidates = 600
filter = { train = 100, valid = 20, test = 40 }
audit = false
"""


def grid(runs, head="", data=DATA):
    return f'title = "Test"\n{head}\n{data}\n{runs}\n'


def counting(count, epochs=10, pause=0, folds="0"):
    return f"""
[[run]]
methods = ["counting"]
folds = "{folds}"
options = {{ max_epochs = {epochs}, pause = {pause} }}
vary = {{ step = {list(range(1, count + 1))} }}
"""


def unpacked(text):
    """The details of a run, as an exported file has them."""
    return json.loads(zlib.decompress(base64.b64decode(text, validate=True)))


def packed(details):
    return base64.b64encode(zlib.compress(json.dumps(details).encode())).decode()


class BenchTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(COUNTING)
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)

    def write(self, text, name="grid.toml"):
        (self.folder / name).write_text(text)

    def bench(self, *options, name="grid.toml", **keywords):
        return self.run_program("bench", name, "--no-report", "--quiet", *options, **keywords)

    def results(self, store="grid.sqlite"):
        """Everything in the store but timings."""
        exported = json.loads(self.run_program("bench", "--store", store, "--export", "json").stdout)
        for run in exported["runs"]:
            run.pop("timing", None)
            if "details" in run:
                run["details"] = unpacked(run["details"])
                run["details"].pop("epochs", None)  # has seconds; below they come without
        for entry in exported["grids"]:
            entry.pop("command")
        with sqlite3.connect(self.folder / store) as database:
            exported["epochs"] = database.execute(
                "SELECT key, epoch, train_loss, epochs.validation_accuracy FROM epochs "
                "JOIN runs ON run = id ORDER BY key, epoch").fetchall()
        database.close()
        return exported
