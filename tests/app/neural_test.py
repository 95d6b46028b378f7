#!/usr/bin/env python3
"""Neural methods as a user meets them: train, predict, stop at any moment and go on, fail in one line."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest

FINISHED = ["curves.svg", "epochs.tsv", "model.bermuda", "run.json"]
UNFINISHED = ["checkpoint.bermuda", "curves.svg", "epochs.tsv"]
SMALL_NETWORK = ["--layers", "2", "--width", "16"]


class NeuralTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_dataset("data")

    def make_labelled(self, count):
        """A TU folder of paths of four nodes; a path that has a 9 among its 7s is of class 1."""
        edges, labels = [], []
        for graph in range(count):
            for node in range(4 * graph + 1, 4 * graph + 4):
                edges += [f"{node}, {node + 1}", f"{node + 1}, {node}"]
            labels += ["7", "9" if graph % 2 else "7", "7", "7"]
        folder = self.folder / "labelled"
        folder.mkdir()
        for name, rows in (("A", edges), ("node_labels", labels),
                           ("graph_indicator", [str(i // 4 + 1) for i in range(4 * count)]),
                           ("graph_labels", [str(i % 2) for i in range(count)])):
            (folder / f"labelled_{name}.txt").write_text("".join(row + "\n" for row in rows))

    def names(self, run):
        return sorted(os.listdir(self.folder / run))

    def epochs(self, run):
        """The rows of epochs.tsv without the seconds, which no two runs share."""
        rows = (self.folder / run / "epochs.tsv").read_text().splitlines()
        return [row.split("\t")[:-1] for row in rows[1:]]

    def model(self, run):
        return (self.folder / run / "model.bermuda").read_bytes()


class Train(NeuralTest):
    def test_train_and_predict(self):
        told = self.run_json("train", "gcn+d", "data", "-o", "run", *SMALL_NETWORK, "--max-epochs", 8)
        self.assertEqual(told["epochs"], 8)
        self.assertIn(told["best_epoch"], range(1, 9))
        self.assertGreater(told["seconds"], 0)
        for key in ("validation_accuracy", "test_accuracy"):
            self.assertGreaterEqual(told[key], 0)
            self.assertLessEqual(told[key], 1)
        self.assertEqual(told["chosen"]["batch_size"], 128)
        self.assertEqual(self.names("run"), FINISHED)
        self.assertEqual(len(self.epochs("run")), 8)
        again = self.run_json("predict", "run", "data", "--split", "test")
        self.assertEqual(again["accuracy"], told["test_accuracy"])
        self.make_dataset("other", "clique-distance", "--seed", 5)
        said = self.run_json("predict", "run", "other")
        self.assertEqual(said["count"], 520)
        self.assertEqual(said["method"], "gcn+d")
        for key in ("accuracy", "macro_f1"):
            self.assertGreater(said[key], 0)
            self.assertLessEqual(said[key], 1)

    def test_node_labels_choose_the_recipe_of_the_benchmarks(self):
        self.make_labelled(60)
        told = self.run_json("train", "gin", "labelled", "-o", "run", *SMALL_NETWORK, "--max-epochs", 30)
        chosen = told["chosen"]
        self.assertEqual((chosen["batch_size"], chosen["learning_rate"], chosen["patience"]),
                         (20, 0.007, 25))
        self.assertEqual(told["test_accuracy"], 1)
        self.assertEqual(self.run_json("predict", "run", "labelled")["accuracy"], 1)

    def test_a_minute_that_is_over_leaves_a_model(self):
        told = self.run_json("train", "gin", "data", "-o", "run", *SMALL_NETWORK, "--max-minutes", 1e-7)
        self.assertEqual((told["epochs"], told["chosen"]["stopped_by"]), (1, "max-minutes"))
        self.assertEqual(self.names("run"), FINISHED)
        said = self.run_json("predict", "run", "data", "--split", "test")
        self.assertEqual(said["accuracy"], told["test_accuracy"])
        told = self.run_json("train", "gin", "data", "-o", "more", *SMALL_NETWORK, "--max-minutes", 1e-3)
        self.assertEqual(told["chosen"]["stopped_by"], "max-minutes")


class Transformers(NeuralTest):
    SMALL = ["--layers", "2", "--hidden", "16", "--epochs", "3", "--trial-epochs", "1"]

    def test_train_predict_and_explain(self):
        told = self.run_json("train", "tf+am", "data", "-o", "run", *self.SMALL)
        self.assertEqual((told["epochs"], told["chosen"]["stopped_by"]), (3, "schedule"))
        self.assertEqual(told["chosen"]["start"], "both")
        said = self.run_json("predict", "run", "data", "--split", "test")
        self.assertEqual(said["accuracy"], told["test_accuracy"])
        self.assertEqual(said["relabelling_rounds"], 1)
        self.run_json("predict", "run", "data", "--eval-shuffles", 3)
        for extra in ([], ["--layers", "2"]):
            shares = self.run_json("explain", "run", "data", "--split", "test", *extra)
            self.assertIn("attention", shares["how"])
        self.assert_refused("explain", "run", "data", "--layers", "3", says="expected one of 1..2")
        id_of_one = (self.folder / "data" / "test.tsv").read_text().splitlines()[1].split("\t")[0]
        self.run_program("explain", "run", "data", "--graph", id_of_one, "-o", "one.svg")
        self.assertIn("<svg", (self.folder / "one.svg").read_text())

    def test_methods_without_attention_explain_by_gradients(self):
        self.run_program("train", "gin+d", "data", "-o", "run", *SMALL_NETWORK, "--max-epochs", 1)
        self.assertEqual(self.run_json("explain", "run", "data", "--split", "test")["how"],
                         "gradient x input")
        self.assert_refused("explain", "run", "data", "--layers", "1", says="no layers with attention")

    def test_the_trial_takes_the_start_with_the_lower_loss(self):
        losses = {}
        for start in ("distinct", "alike"):
            told = self.run_json("train", "tf", "data", "-o", start, *self.SMALL, "--start", start,
                                 "--max-epochs", 1)
            losses[start] = told["chosen"]["validation_loss"]
        told = self.run_json("train", "tf", "data", "-o", "run", *self.SMALL, "--start", "auto",
                             "--max-epochs", 1)
        self.assertEqual(told["chosen"]["start"], min(losses, key=losses.get))
        self.assertEqual(self.epochs("run"), self.epochs(told["chosen"]["start"]))

    def test_bad_shapes_are_refused(self):
        self.assert_refused("train", "tf", "data", "-o", "run", "--heads", "5",
                            says="--heads: found 5, expected a divisor of --width 32")


class GoingOn(NeuralTest):
    def test_from_begins_where_another_run_ended(self):
        options = [*SMALL_NETWORK, "--max-epochs", 3]
        self.run_program("train", "gin", "data", "-o", "first", *options)
        fresh = self.run_json("train", "gin", "data", "-o", "fresh", *options)
        more = self.run_json("train", "gin", "data", "-o", "more", *options, "--from", "first")
        self.assertNotEqual(self.model("fresh"), self.model("more"))
        self.assertEqual(fresh["epochs"], more["epochs"])
        self.assertLess(float(self.epochs("more")[0][2]), float(self.epochs("fresh")[0][2]))

    def test_from_is_refused_where_it_does_not_fit(self):
        self.run_program("train", "gin", "data", "-o", "first", *SMALL_NETWORK, "--max-epochs", 1)
        refused = [(["gcn"], "expected one of gcn"), (["gin"], "has other options")]
        for words, says in refused:
            self.assert_refused("train", *words, "data", "-o", "run", "--from", "first", says=says)
        self.assert_refused("train", "gin", "data", "-o", "run", "--from", "none", says="no model")
        self.run_program("train", "svm-wl", "data", "-o", "run", "--from", "first", code=2)


class Loading(NeuralTest):
    def loads_torch(self, *arguments):
        environment = {**os.environ, "LD_DEBUG": "files"}
        done = self.run_program(*arguments, env=environment)
        self.assertIn("libbermuda_method", done.stderr)  # the loader does talk
        return "libtorch" in done.stderr

    def test_only_what_needs_libtorch_loads_it(self):
        for words in (["--help"], ["methods"], ["train", "--help"], ["info", "data"], ["tasks"],
                      ["methods", "svm-wl"], ["train", "svm-labels", "data", "-o", "run", "--quiet"],
                      ["predict", "run", "data", "--quiet"]):
            with self.subTest(words):
                self.assertFalse(self.loads_torch(*words))
        self.assertTrue(self.loads_torch("train", "gcn", "--help"))

    def test_help_shows_the_options(self):
        text = self.run_program("train", "gcn", "--help").stdout
        for option in ("--layers", "--width", "--learning-rate", "--max-epochs", "--max-minutes"):
            self.assertIn(option, text)
        self.assertIn("--heads", self.run_program("train", "gat", "--help").stdout)


class OwnNetwork(NeuralTest):
    """examples/own_network."""

    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = os.environ["BERMUDA_EXAMPLE_PLUGINS"]
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)

    def test_it_is_a_method_like_any_other(self):
        self.assertIn("\ndeep-sets ", self.run_program("methods").stdout)
        text = self.run_program("train", "deep-sets", "--help").stdout
        for option in ("--layers", "--width", "--max-epochs"):
            self.assertIn(option, text)
        told = self.run_json("train", "deep-sets", "data", "-o", "run", "--width", 8, "--max-epochs", 5)
        self.assertEqual((told["epochs"], told["options"]["width"]), (5, 8))
        self.assertEqual(self.names("run"), FINISHED)
        said = self.run_json("predict", "run", "data", "--split", "test")
        self.assertEqual((said["method"], said["accuracy"]), ("deep-sets", told["test_accuracy"]))

    def test_it_is_blind_to_edges_but_for_degrees(self):
        # Spiders with legs of 1, 2, 2 and of 1, 1, 3 nodes: the same degrees, other neighbours.
        spiders = {"even": [[0, 1], [0, 2], [2, 3], [0, 4], [4, 5]],
                   "long": [[0, 1], [0, 2], [0, 3], [3, 4], [4, 5]]}
        rows = [json.dumps({"nodes": 6, "edges": edges, "class": name})
                for _ in range(100) for name, edges in spiders.items()]
        (self.folder / "spiders.jsonl").write_text("".join(row + "\n" for row in rows))
        for method, accuracy in (("deep-sets", 0.5), ("gin", 1)):
            told = self.run_json("train", method, "spiders.jsonl", "-o", method, "--max-epochs", 20,
                                 "--width", 16, "--learning-rate", 0.01, "--batch-size", 20)
            self.assertEqual(told["test_accuracy"], accuracy, method)


class Failures(NeuralTest):
    def test_a_loss_that_explodes_at_once(self):
        self.assert_refused("train", "gin+d", "data", "-o", "run", *SMALL_NETWORK, "--learning-rate",
                            1000, code=1, says="--learning-rate")

    def test_a_loss_that_explodes_later_leaves_its_checkpoint(self):
        # One step per epoch: the first is measured before it, so the second epoch is the bad one.
        options = [*SMALL_NETWORK, "--learning-rate", "200", "--batch-size", "1000"]
        train = ["train", "gin+d", "data", "-o", "run", *options]
        done = self.run_program(*train, "--quiet", code=1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("--learning-rate", done.stderr)
        self.assertEqual(self.names("run"), UNFINISHED)
        kept = len(self.epochs("run"))
        self.assertGreater(kept, 0)
        self.assert_refused(*train, "--resume", code=1, says=f"in epoch {kept + 1}")
        self.run_program(*train, "--resume", "--max-epochs", kept)
        self.assertEqual(self.names("run"), FINISHED)
        self.run_program("predict", "run", "data")

    def test_damaged_checkpoints(self):
        train = ["train", "gin+d", "data", "-o", "run", *SMALL_NETWORK, "--learning-rate", 200,
                 "--batch-size", 1000]
        self.run_program(*train, code=1)
        path = self.folder / "run" / "checkpoint.bermuda"
        good = path.read_bytes()
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 4
        for damaged in (bytes(flipped), good[:len(good) // 2], good[:-1], b""):
            path.write_bytes(damaged)
            self.assert_refused(*train, "--resume", says="checkpoint.bermuda")
            self.assertEqual(path.read_bytes(), damaged)


class Resume(NeuralTest):
    """How fast the machine is does not matter: runs are stopped when something new was kept, and how
    many epochs are made in all is settled after that, for --max-epochs only says when to stop. The
    loss falls slowly and for long: the best epoch is a late one, whose model shows all before it."""
    TRAIN = ["train", "gcn+d", "labelled", *SMALL_NETWORK, "--learning-rate", "1e-4", "--quiet"]
    # epochs.tsv is written after the checkpoint, so what a kill in between leaves of it is older: by as many epochs as
    # are made in half a second, more than 60 on fast machines.
    MORE = 600

    def setUp(self):
        super().setUp()
        self.make_labelled(600)

    def start(self, run, *options):
        process = subprocess.Popen([PROGRAM, *self.TRAIN, "-o", run, "--max-epochs", "1000000",
                                    *options], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def stamp(self, run):
        try:
            found = os.stat(self.folder / run / "checkpoint.bermuda")
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    def wait_for_change(self, run, process, before):
        end = time.monotonic() + 60
        while self.stamp(run) == before:
            if process.poll() is not None or time.monotonic() > end:
                self.fail(f"no new checkpoint: {process.poll()}")
            time.sleep(0.001)

    def assert_goes_on_as_if_nothing_happened(self, run):
        kept = len(self.epochs(run))
        self.run_program(*self.TRAIN, "-o", run, "--max-epochs", kept + self.MORE, "--resume")
        self.run_program(*self.TRAIN, "-o", "whole", "--max-epochs", kept + self.MORE)
        self.assertEqual(self.names(run), FINISHED)  # nothing half-written is left either
        self.assertEqual(self.epochs(run), self.epochs("whole"))
        self.assertEqual(self.model(run), self.model("whole"))
        self.assertEqual(len(self.epochs(run)), kept + self.MORE)
        losses = [float(row[4]) for row in self.epochs(run)]
        self.assertGreaterEqual(losses.index(min(losses)), kept, "the model is older than the stops")

    def test_after_twenty_kills(self):
        chance = random.Random(20)
        process, before = self.start("run"), None
        for kill in range(20):
            self.wait_for_change("run", process, before)
            # At once, between two checkpoints, or about when the next is due (half a second).
            time.sleep(chance.choice([0, 0, chance.uniform(0, 0.1), chance.uniform(0.49, 0.56)]))
            process.kill()
            self.assertEqual(process.wait(timeout=20), -signal.SIGKILL)
            before = self.stamp("run")
            if kill < 19:
                process = self.start("run", "--resume")
        self.assert_goes_on_as_if_nothing_happened("run")

    def test_after_ctrl_c(self):
        process = self.start("run")
        self.wait_for_change("run", process, None)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        message = process.stderr.read()
        self.assertEqual(process.wait(timeout=20), 1)
        self.assertRegex(message, r"^bermuda: interrupted after \d+ epochs, kept in run: .*--resume.*\n$")
        self.assertEqual(self.names("run"), UNFINISHED)
        self.assertIn(f"after {len(self.epochs('run'))} epochs", message)
        self.assert_goes_on_as_if_nothing_happened("run")


if __name__ == "__main__":
    unittest.main()
