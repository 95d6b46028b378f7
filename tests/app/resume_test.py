#!/usr/bin/env python3
"""Runs with epochs: the run folder, and --resume after Ctrl-C, SIGKILL and failures."""
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest
import xml.etree.ElementTree

from program import PROGRAM, ProgramTest

COUNTING = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"]) / "counting"
FINISHED = ["curves.svg", "epochs.tsv", "model.bermuda", "run.json"]
UNFINISHED = ["checkpoint.bermuda", "curves.svg", "epochs.tsv"]


class ResumeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(COUNTING)
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        self.make_dataset("data")

    def train(self, run, *options, **keywords):
        return self.run_program("train", "counting", "data", "-o", run, *options, **keywords)

    def refused(self, run, *options, says, **keywords):
        before = self.files(run)
        message = self.assert_refused("train", "counting", "data", "-o", run, *options, says=says,
                                      **keywords)
        self.assertEqual(self.files(run), before)
        return message

    def start(self, run, *options):
        process = subprocess.Popen([PROGRAM, "train", "counting", "data", "-o", run, *options],
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        return process

    def wait_for_checkpoint(self, run):
        for _ in range(500):
            if (self.folder / run / "checkpoint.bermuda").exists():
                return
            time.sleep(0.02)
        self.fail("no checkpoint appeared")

    def interrupt(self, run, *options):
        """A run that was stopped at its fifth epoch."""
        self.train(run, "--stop-at", 6, *options, code=1)
        self.assertEqual(self.names(run), UNFINISHED)

    def names(self, run):
        return sorted(os.listdir(self.folder / run))

    def files(self, run):
        folder = self.folder / run
        if not folder.exists():
            return {}
        return {name: (folder / name).read_bytes() for name in self.names(run)}

    def epochs(self, run):
        rows = (self.folder / run / "epochs.tsv").read_text().splitlines()
        return [int(row.split("\t")[0]) for row in rows[1:]]

    def assert_same_run(self, run, other):
        """Bit for bit the same model and epochs. The model's header has the options: set alike."""
        for name in ("model.bermuda", "epochs.tsv", "curves.svg"):
            self.assertEqual(self.files(run)[name], self.files(other)[name], name)


class Folder(ResumeTest):
    def test_a_finished_run(self):
        done = self.train("run", "--max-epochs", 40)
        self.assertRegex(done.stdout, r"\n40 epochs, best 40, sum \d+, \d+\.\d s\n")
        self.assertIn("train: epoch 40\n", done.stderr)
        self.assertRegex(done.stderr, r"train: 40 in \d")
        self.assertEqual(self.names("run"), FINISHED)
        table = (self.folder / "run" / "epochs.tsv").read_text().splitlines()
        self.assertEqual(table[0].split("\t"), [
            "epoch", "learning_rate", "train_loss", "train_accuracy", "validation_loss",
            "validation_accuracy", "seconds"])
        self.assertEqual(table[1].split("\t")[:2], ["1", "0.01"])
        self.assertEqual(self.epochs("run"), list(range(1, 41)))
        picture = xml.etree.ElementTree.parse(self.folder / "run" / "curves.svg").getroot()
        self.assertTrue(picture.tag.endswith("svg"))
        self.assertIn("counting on triangles, fold 0", "".join(picture.itertext()))
        self.assertEqual(self.run_json("predict", "run", "data")["method"], "counting")

    def test_json_has_no_curve(self):
        told = self.run_json("train", "counting", "data", "-o", "run", "--max-epochs", 3)
        self.assertEqual((told["epochs"], told["best_epoch"]), (3, 3))
        self.assertNotIn("curve", told)
        self.assertNotIn("curve", (self.folder / "run" / "run.json").read_text())

    def test_kernel_runs_appear_whole_and_have_no_epochs(self):
        done = self.run_program("train", "svm-labels", "data", "-o", "run")
        self.assertNotIn("epoch", done.stdout)
        self.assertEqual(self.names("run"), ["model.bermuda", "run.json"])

    def test_force_replaces_a_run_as_a_whole(self):
        self.train("run", "--max-epochs", 5)
        self.interrupt("run", "--force")
        self.train("run", "--max-epochs", 2, "--force")
        self.assertEqual(self.names("run"), FINISHED)
        self.assertEqual(self.epochs("run"), [1, 2])

    def test_a_bad_option_makes_no_folder(self):
        self.refused("run", "--step", 0, says="--step")
        self.refused("run", "--resume", says="no checkpoint there to resume from")
        self.refused("run", "--resume", "--force", says="--resume excludes --force")


class Progress(ResumeTest):
    def test_a_run_that_stops_early_is_complete(self):
        done = self.train("run", "--enough", 7)
        self.assertRegex(done.stdout, r"\n7 epochs, best 7, ")
        self.assertRegex(done.stderr, r"^train: epoch 7\ntrain: 7 in \d+\.\d s\n$")

    def test_a_failure_keeps_the_last_status_only(self):
        done = self.train("run", "--stop-at", 4, code=1)
        self.assertEqual(done.stderr, "train: epoch 3\nbermuda: stopped as it was told\n")

    def test_quiet_is_quiet(self):
        self.assertEqual(self.train("run", "--quiet").stderr, "")

    def test_a_terminal_shows_bar_and_status_in_one_line(self):
        shown, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 55, 0, 0))
        process = subprocess.Popen([PROGRAM, "train", "counting", "data", "-o", "run", "--pause",
                                    "20"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=terminal)
        os.close(terminal)
        text = b""
        try:
            while chunk := os.read(shown, 4096):
                text += chunk
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(shown)
        self.assertEqual(process.wait(timeout=20), 0)
        lines = text.decode().replace("\x1b[K", "").replace("\r\n", "\r").split("\r")
        self.assertTrue(any(re.match(r"train \[#+\.+\] .* s left  epo", line) for line in lines),
                        lines)
        self.assertLess(max(map(len, lines)), 55)
        self.assertIn("train: epoch 30", lines)


class Resume(ResumeTest):
    def test_after_a_failure(self):
        self.train("whole", "--step", 7, "--seed", 3)
        self.interrupt("run", "--step", 7, "--seed", 3)
        self.assertEqual(self.epochs("run"), [1, 2, 3, 4, 5])
        done = self.train("run", "--step", 7, "--seed", 3, "--resume")
        self.assertIn("resuming after epoch 5\n", done.stderr)
        self.assertEqual(self.names("run"), FINISHED)
        self.assert_same_run("run", "whole")

    def test_after_ctrl_c(self):
        self.train("whole", "--max-epochs", 100, "--pause", 10, "--quiet")
        process = self.start("run", "--max-epochs", "100", "--pause", "10", "--quiet")
        self.wait_for_checkpoint("run")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        message = process.stderr.read()
        self.assertEqual(process.wait(timeout=20), 1)
        found = re.fullmatch(r"bermuda: interrupted after (\d+) epochs, kept in run: .*--resume.*\n",
                             message)
        self.assertTrue(found, message)
        self.assertEqual(self.names("run"), UNFINISHED)
        self.assertEqual(self.epochs("run"), list(range(1, int(found[1]) + 1)))  # all are kept
        self.train("run", "--max-epochs", 100, "--pause", 10, "--resume")
        self.assert_same_run("run", "whole")

    def test_after_many_kills(self):
        self.train("whole", "--max-epochs", 60, "--pause", 40, "--quiet")
        kills = 0
        process = self.start("run", "--max-epochs", "60", "--pause", "40", "--quiet")
        for delay in (0.0, 0.11, 0.47, 0.53, 0.61, 0.3, 0.7, 0.9):
            self.wait_for_checkpoint("run")
            time.sleep(delay)
            process.kill()
            process.wait()
            kills += 1
            if "run.json" in self.names("run"):
                break
            process = self.start("run", "--max-epochs", "60", "--pause", "40", "--quiet", "--resume")
        self.assertGreater(kills, 3)
        self.assertIn(process.wait(timeout=60), (0, -signal.SIGKILL))
        self.train("run", "--max-epochs", 60, "--pause", 40, "--resume")
        self.assertEqual(self.names("run"), FINISHED)  # nothing half-written is left either
        self.assert_same_run("run", "whole")

    def test_twice_is_told_what_is_stored(self):
        first = self.train("run", "--max-epochs", 5)
        before = self.files("run")
        again = self.train("run", "--max-epochs", 9, "--resume")
        self.assertIn("finished already", again.stderr)
        self.assertEqual(again.stdout, first.stdout.replace("written to run\n", ""))
        self.assertEqual(self.files("run"), before)
        self.assertEqual(self.run_json("train", "counting", "data", "-o", "run", "--resume")["epochs"],
                         5)
        self.refused("run", "--resume", "--step", 2, says="--step: run has 1, now 2")

    def test_options_that_only_stop_may_change(self):
        self.train("whole", "--max-epochs", 12)
        self.interrupt("run", "--max-epochs", 30)
        self.train("run", "--max-epochs", 12, "--resume")
        self.assert_same_run("run", "whole")

    def test_completed_epochs_are_not_made_again_and_their_seconds_count(self):
        self.interrupt("run", "--pause", 60)
        done = self.run_json("train", "counting", "data", "-o", "run", "--resume", "--max-epochs", 6,
                             "--stop-at", 3)  # it would fail there if it came along again
        self.assertGreater(done["seconds"], 0.3)

    def test_unfinished_runs_are_not_used_by_mistake(self):
        self.interrupt("run")
        self.refused("run", says="--resume goes on with it")
        self.assert_refused("predict", "run", "data", says="the run is unfinished")

    def test_what_differs_is_said(self):
        self.interrupt("run", "--step", 3)
        self.refused("run", "--resume", says="--step: checkpoint has 3, now 1")
        self.refused("run", "--resume", "--step", 3, "--seed", 8, says="--seed: checkpoint has 1, now 8")
        self.refused("run", "--resume", "--step", 3, "--fold", 2, says="--fold: checkpoint has 0, now 2")
        self.assert_refused("train", "svm-wl", "data", "-o", "run", "--resume",
                            says="method: checkpoint has counting, now svm-wl")
        self.make_dataset("cliques", "clique-distance")
        self.assert_refused("train", "counting", "cliques", "-o", "run", "--resume", "--step", 3,
                            says="data: checkpoint has triangles, now clique-distance")
        self.make_dataset("data", "triangles", "--force", "--seed", 9)
        self.refused("run", "--resume", "--step", 3, says="data: checkpoint is of other graphs")

    def test_damaged_checkpoints(self):
        self.interrupt("run")
        path = self.folder / "run" / "checkpoint.bermuda"
        good = path.read_bytes()
        damaged = bytearray(good)
        damaged[len(good) // 2] ^= 1
        for bytes_, says in ((bytes(damaged), "checksum"), (good[:-1], "checksum"),
                             (good[:30], "a cut file"), (b"", "a checkpoint file of bermuda"),
                             (good.replace(b"checkpoint 1", b"checkpoint 2", 1), "format '2'"),
                             (good.replace(b"checkpoint 1", b"model 1", 1), "a checkpoint file")):
            path.write_bytes(bytes_)
            self.refused("run", "--resume", says=says)
        path.write_bytes(good)
        self.train("run", "--resume")

    def test_a_kill_between_model_and_run_file(self):
        self.train("run")
        model = (self.folder / "run" / "model.bermuda").read_bytes()
        self.interrupt("other")
        (self.folder / "other" / "model.bermuda").write_bytes(model)
        (self.folder / "other" / ".run.json.writing-1").write_text("{")
        self.train("other", "--resume")
        self.assert_same_run("other", "run")
        self.assertEqual(self.names("other"), FINISHED)


if __name__ == "__main__":
    unittest.main()
