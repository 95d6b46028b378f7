#!/usr/bin/env python3
"""train --tensorboard: event files, read by the specification and not by what wrote them.

TensorBoard itself is no Debian package. Framing and checksums are read here after
tensorflow/core/lib/io/record_writer.h; messages by protobuf, from the fields of event.proto and
summary.proto that matter.
"""
import os
import pathlib
import signal
import struct
import sys
import unittest

from program import ProgramTest

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError:
    # Debian's packages are for Debian's Python, which need not be the one that runs the tests.
    debian = "/usr/bin/python3"
    if __name__ == "__main__" and os.path.exists(debian) and os.path.realpath(sys.executable) != os.path.realpath(debian):
        os.execv(debian, [debian, "-B", *sys.argv])
    descriptor_pb2 = None

PLUGINS = pathlib.Path(os.environ["BERMUDA_TEST_PLUGINS"])


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12])[0] == masked(data[:8]), "checksum of a length"
        record = data[12:12 + length]
        assert len(record) == length, "a whole record"
        assert struct.unpack("<I", data[12 + length:16 + length])[0] == masked(record), "checksum of a record"
        yield record
        data = data[16 + length:]


def event_class():
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="t", syntax="proto3")

    def message(name, *fields):
        made = file.message_type.add(name=name)
        for number, label, kind, repeated, kind_name in fields:
            one = made.field.add(name=label, number=number, type=kind, type_name=kind_name,
                                 label=field.LABEL_REPEATED if repeated else field.LABEL_OPTIONAL)
            if not kind_name:
                one.ClearField("type_name")
    message("Value", (1, "tag", field.TYPE_STRING, False, ""), (2, "simple_value", field.TYPE_FLOAT, False, ""))
    message("Summary", (1, "value", field.TYPE_MESSAGE, True, ".t.Value"))
    message("SessionLog", (1, "status", field.TYPE_INT32, False, ""))
    message("Event", (1, "wall_time", field.TYPE_DOUBLE, False, ""), (2, "step", field.TYPE_INT64, False, ""),
            (3, "file_version", field.TYPE_STRING, False, ""),
            (5, "summary", field.TYPE_MESSAGE, False, ".t.Summary"),
            (7, "session_log", field.TYPE_MESSAGE, False, ".t.SessionLog"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindMessageTypeByName("t.Event")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(found)
    return message_factory.MessageFactory(pool).GetPrototype(found)


def curve(folder):
    """tag -> step -> value, as TensorBoard puts the files of a run together."""
    event_of = event_class()
    scalars = {}
    for file in sorted(folder.iterdir()):
        events = []
        for record in records(file.read_bytes()):
            event = event_of()
            event.ParseFromString(record)
            events.append(event)
        assert events[0].file_version == "brain.Event:2"
        assert all(abs(event.wall_time - file.stat().st_mtime) < 3600 for event in events)
        for event in events[1:]:
            if event.session_log.status == 1:
                for steps in scalars.values():
                    for step in [step for step in steps if step >= event.step]:
                        del steps[step]
            for value in event.summary.value:
                steps = scalars.setdefault(value.tag, {})
                assert event.step not in steps, f"{value.tag} twice at {event.step}"
                steps[event.step] = value.simple_value
    return scalars


@unittest.skipIf(descriptor_pb2 is None, "no google.protobuf (Debian: python3-protobuf)")
class TensorBoard(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["BERMUDA_PLUGINS"] = str(PLUGINS / "counting")
        self.addCleanup(os.environ.pop, "BERMUDA_PLUGINS", None)
        self.run_program("generate", "triangles", "-o", "data", "--count", 200, "--quiet")

    def epochs(self, run):
        head, *rows = (self.folder / run / "epochs.tsv").read_text().splitlines()
        return [dict(zip(head.split("\t"), map(float, row.split("\t")))) for row in rows]

    def check(self, run):
        scalars = curve(self.folder / "logs" / run)
        rows = self.epochs(run)
        names = {"loss/train": "train_loss", "loss/validation": "validation_loss", "accuracy/train": "train_accuracy",
                 "accuracy/validation": "validation_accuracy", "learning_rate": "learning_rate"}
        for tag, column in names.items():
            self.assertEqual(list(scalars[tag]), [row["epoch"] for row in rows])
            for row in rows:
                self.assertAlmostEqual(scalars[tag][row["epoch"]], row[column], places=4)
        self.assertEqual(len(scalars["accuracy/test"]), 1)

    def test_the_curve_of_a_run(self):
        command = ("train", "counting", "data", "-o", "run", "--max-epochs", 7, "--tensorboard", "logs", "--quiet")
        self.run_program(*command)
        self.check("run")
        self.run_program(*command, "--force")
        self.check("run")
        self.assertEqual(len(os.listdir(self.folder / "logs" / "run")), 1)
        self.run_program("train", "svm-wl", "data", "-o", "svm", "--tensorboard", "logs", "--quiet")
        self.assertEqual(set(curve(self.folder / "logs" / "svm")),
                         {"accuracy/test", "macro_f1/test", "accuracy/validation"})

    def test_other_runs_and_others_files_stay(self):
        command = ("train", "svm-labels", "data", "--tensorboard", "logs", "--quiet")
        self.run_program(*command, "-o", "run")
        (self.folder / "run").rename(self.folder / "moved")
        self.assertIn("event files of another run", self.run_program(*command, "-o", "run", code=2).stderr)
        (self.folder / "logs" / "run" / "events.out.tfevents.5.host").write_text("mine")
        self.assertIn("no event file of ours", self.run_program(*command, "-o", "run", "--force", code=2).stderr)

    def test_a_killed_run_goes_on(self):
        command = ("train", "counting", "data", "-o", "run", "--max-epochs", 9, "--tensorboard", "logs", "--quiet")
        self.run_program(*command, "--die-at", 5, code=-signal.SIGKILL)
        before = curve(self.folder / "logs" / "run")
        self.assertGreaterEqual(len(before["loss/train"]), 4, "written while it trains")
        self.run_program(*command, "--resume")
        self.check("run")


if __name__ == "__main__":
    unittest.main()
