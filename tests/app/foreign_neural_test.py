#!/usr/bin/env python3
"""Models and checkpoints of networks that somebody else has written, with checksums that are right."""
import os
import signal
import struct
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest
from sealed import Sealed, array, read_array

SMALL_NETWORK = ["--width", "4", "--layers", "1", "--batch-size", "64"]


class ForeignNetworks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_dataset("data")

    def train(self, run, *options):
        return ["train", "gin", "data", "-o", run, *SMALL_NETWORK, *options]

    def refused(self, *arguments, says, file):
        self.assertIn(f"{file}: found ", self.assert_refused(*arguments, says=says))

    def test_models(self):
        self.run_program(*self.train("run", "--max-epochs", "2"), "--quiet")
        file = Sealed(self.folder / "run" / "model.bermuda")
        classes, seed = struct.unpack_from("<iQ", file.body)
        labels, at = read_array(file.body, 12, "i")
        indices, = struct.unpack_from("<i", file.body, at)
        values, at = read_array(file.body, at + 4, "f")
        buffers, at = read_array(file.body, at, "f")
        self.assertEqual((classes, labels, indices, at), (2, [], 0, len(file.body)))

        def body(classes=2, labels=(), indices=0, values=values, buffers=buffers):
            return (struct.pack("<iQ", classes, seed) + array(labels, "i") + struct.pack("<i", indices) +
                    array(values, "f") + array(buffers, "f"))
        self.assertEqual(body(), file.body)
        nan = float("nan")
        for changed, says in ((body(values=[nan] + values[1:]), "weights that are no finite numbers"),
                              (body(buffers=[float("inf")] + buffers[1:]), "running statistics that are no"),
                              (body(buffers=[-1.0] * len(buffers)), "a running variance below zero"),
                              (body(classes=3), "weights that do not fit the network"),
                              (body(classes=0), "impossible number of classes"),
                              (body(labels=[2, 1]), "weights that do not fit the network"),
                              (body(labels=[1, 1]), "weights that do not fit the network"),
                              (body(indices=9), "weights that do not fit the network"),
                              (body(values=values[1:]), "weights that do not fit the network"),
                              (body() + b"x", "bytes after the end")):
            file.write(body=changed)
            with self.subTest(says):
                self.refused("predict", "run", "data", says=says, file="run/model.bermuda")
        self.refused(*self.train("other", "--from", "run"), says=says, file="run/model.bermuda")
        file.write({**file.header, "classes": ["0", "1", "2"]})
        self.refused("predict", "run", "data", says="a model of 2 classes with the names of 3",
                     file="run/model.bermuda")

    def interrupt(self):
        process = subprocess.Popen([PROGRAM, *self.train("run", "--max-epochs", "100000", "--patience", "100000"),
                                    "--quiet"], cwd=self.folder, stderr=subprocess.DEVNULL)
        for _ in range(3000):
            if (self.folder / "run" / "checkpoint.bermuda").exists():
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 1)
        return Sealed(self.folder / "run" / "checkpoint.bermuda")

    def test_checkpoints(self):
        file = self.interrupt()
        size, = struct.unpack_from("<Q", file.body)
        state = file.body[8:]
        self.assertEqual(size, len(state))
        values, after_values = read_array(state, 8, "f")
        _, after_buffers = read_array(state, after_values, "f")
        _, after_first = read_array(state, after_buffers, "f")
        nan = struct.pack("<f", float("nan"))

        def at(place, piece):
            return state[:place] + piece + state[place + len(piece):]
        for changed, says in ((at(16, nan), "weights that are no finite numbers"),
                              (at(after_buffers + 8, nan), "moments that are no finite numbers"),
                              (at(after_first + 8, struct.pack("<f", -1)), "a mean square below zero"),
                              (at(0, struct.pack("<q", 2 ** 62)), "steps in "),
                              (at(0, struct.pack("<q", -1)), "-1 steps in "),
                              (state[:8] + array(values[1:], "f") + state[after_values:], "a checkpoint with "),
                              (state[:-1], "the data ends early"), (state[:100], "the data ends early"),
                              (state + b"x", "bytes after the end of the checkpoint")):
            file.write(body=struct.pack("<Q", len(changed)) + changed)
            with self.subTest(says):
                self.refused(*self.train("run", "--max-epochs", "100000", "--patience", "100000", "--resume"),
                             says=says, file="run/checkpoint.bermuda")
                self.assertIn("checkpoint.bermuda", os.listdir(self.folder / "run"))
        file.restore()
        self.run_program(*self.train("run", "--max-epochs", "2", "--patience", "100000", "--resume"), "--quiet")


if __name__ == "__main__":
    unittest.main()
