#!/usr/bin/env python3
"""Bad input: exit code 2, one line that names file, line and cause, nothing left behind."""
import pathlib
import unittest

from program import TEST_DATA, ProgramTest


# What verify finds and reports, where other commands refuse.
REPORTED_BY_VERIFY = {"native-graph-count", "native-class-counts", "native-mean-nodes",
                      "native-checksum"}


# Nothing is wrong with these but that graphs have no class: some commands get along without.
WITHOUT_CLASS = {"edgelist-class-unknown", "edgelist-no-class", "edgelist-no-classes", "edgelist-one-file",
                 "graph6-class-unknown", "graph6-no-class", "graphml-no-classes", "jsonl-no-class",
                 "native-class-unknown", "pairs-no-class", "spcl-graph-without-class", "spcl-no-classes", "tu-no-classes"}


class BrokenFiles(ProgramTest):
    """Every fault of tests/data/faults, through the commands that read data."""

    def test_each(self):
        rows = (TEST_DATA / "faults" / "index.tsv").read_text().splitlines()
        rows = [row.split("\t") for row in rows if row and not row.startswith("#")]
        self.assertGreaterEqual(len(rows), 30)
        for name, path, line, fragment, *_ in rows:
            data = TEST_DATA / "faults" / path
            with self.subTest(name):
                commands = [["info"], ["verify"], ["filter", "-o", "out"],
                            ["convert", "-o", "out", "--to", "jsonl"]]
                if name in WITHOUT_CLASS:
                    self.assertGreater(self.run_json("info", data)["graphs"], 0)
                    commands = [["audit"], ["verify"], ["filter", "-o", "out"], ["folds"],
                                ["train", "svm-wl", "-o", "out"]]
                for command in commands:
                    if command[0] == "verify" and name in REPORTED_BY_VERIFY:
                        self.run_program("verify", data, code=1)
                        continue
                    if command[0] == "train":
                        self.assert_refused("train", command[1], data, *command[2:], says=fragment)
                        continue
                    message = self.assert_refused(command[0], data, *command[1:], says="")
                    if command[0] in ("info", "audit"):
                        self.assertIn(fragment, message)
                        if int(line) > 0:
                            self.assertIn(f":{line}: ", message)


class BadUsage(ProgramTest):
    def test_table(self):
        mutag = ("DS_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n5, 6\n6, 5\n")
        (self.folder / "three").mkdir()
        (self.folder / "three" / mutag[0]).write_text(mutag[1])
        (self.folder / "three" / "DS_graph_indicator.txt").write_text("1\n1\n2\n2\n3\n3\n")
        (self.folder / "three" / "DS_graph_labels.txt").write_text("1\n2\n3\n")
        self.run_program("generate", "triangles", "-o", "all", "--count", 200, "--quiet")
        (self.folder / "file").write_text("x")
        table = [
            (["nonsense"], "nonsense"),
            (["generate", "squares", "-o", "x"], "squares"),
            (["generate", "triangles"], "--output"),
            (["generate", "triangles", "-o", "x", "--count", "7"], "even number"),
            (["generate", "triangles", "-o", "x", "--count", "many"], "--count"),
            (["generate", "triangles", "-o", "x", "--min-nodes", "2"], "--min-nodes"),
            (["generate", "triangles", "-o", "x", "--min-nodes", "21"], "--max-nodes 20"),
            (["generate", "triangles", "-o", "x", "--families", "knn,cubes"], "cubes"),
            (["generate", "triangles", "-o", "x", "--threads", "0"], "--threads"),
            (["generate", "triangles", "-o", "all"], "--force"),
            (["generate", "triangles", "-o", "missing/x"], "no such folder"),
            (["generate", "triangles", "-o", "file/x"], "no such folder"),
            (["generate", "triangles", "-o", "x", "--min-nodes", "3", "--max-nodes", "3"],
             "0 triangles"),
            (["generate", "clique-distance", "-o", "x", "--ba-m", "3"], "--ba-m 3"),
            (["filter", "three", "-o", "x"], "3 classes"),
            (["filter", "all", "-o", "x"], "200 graphs"),
            (["filter", "all", "-o", "x", "--train", "101", "--valid", "10", "--test", "10"], "even"),
            (["filter", "all", "-o", "x", "--train", "190", "--valid", "4", "--test", "4",
              "--easy-share", "0"], "do not suffice"),
            (["filter", "all", "-o", "x", "--train-folds", "10"], "--train-folds 10"),
            (["filter", "nowhere", "-o", "x"], "nowhere"),
            (["info", "nowhere"], "nowhere"),
            (["info", "file"], "file"),
            (["verify", "nowhere"], "nowhere"),
            (["audit", "nowhere"], "nowhere"),
            (["convert", "all", "-o", "x", "--to", "xml"], "xml"),
            (["convert", "all", "-o", "x"], "--to"),
            (["draw", "all", "-o", "x.gif"], ".svg"),
            (["draw", "all", "-o", "x.svg", "--graph", "TR9"], "TR9"),
            (["draw", "all", "-o", "x.svg", "--split", "train"], "train"),
            (["draw", "all", "-o", "x.svg", "--class", "7"], "7"),
            (["draw", "all", "-o", "all"], "--force"),
        ]
        for arguments, says in table:
            with self.subTest(" ".join(arguments)):
                self.assert_refused(*arguments, says=says)
        self.assertFalse(pathlib.Path(self.folder / "x").exists())


if __name__ == "__main__":
    unittest.main()
