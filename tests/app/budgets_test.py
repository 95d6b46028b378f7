#!/usr/bin/env python3
"""Small files cost little: what they may ask for is bounded, and the message says by what."""
import json
import resource
import time
import unittest
import zipfile

from program import ProgramTest, is_sanitized, shared_data

MOST = 1000 if is_sanitized() else 500  # megabytes


def peak_of_children():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


class Budgets(ProgramTest):
    def write_isolated(self, name, graphs, nodes):
        with open(self.folder / name, "w") as file:
            for number in range(graphs):
                file.write('{"class":%d,"nodes":%d,"edges":[]}\n' % (number % 2, nodes))

    def test_nodes_that_come_from_no_bytes(self):
        self.write_isolated("bomb.jsonl", 20, 1000000)
        self.assertLess((self.folder / "bomb.jsonl").stat().st_size, 900)
        for command in (["info"], ["verify"], ["audit"], ["draw", "-o", "x.svg"],
                        ["filter", "-o", "x"], ["convert", "-o", "x", "--to", "native"],
                        ["train", "svm-wl", "-o", "x"]):
            words = [*command[:2], "bomb.jsonl", *command[2:]] if command[0] == "train" else [
                command[0], "bomb.jsonl", *command[1:]]
            self.assert_refused(*words, says="bomb.jsonl:1: found graph '1' of 1000000 nodes, "
                                             "expected at most 100000 (--max-nodes allows more)")
            self.assert_refused(*words, "--max-nodes", 1000000,
                                says="bomb.jsonl:11: found 11000000 nodes in all up to graph '11', "
                                     "expected at most 10000780 in 780 bytes")

    def write_graphml(self, name, keys, nodes):
        with open(self.folder / name, "w") as file:
            file.write("<graphml>")
            for number, (key, kind, default) in enumerate(keys):
                file.write(f"<key id='{number}' for='node' attr.name='{key}' attr.type='{kind}'>"
                           f"<default>{default}</default></key>\n")
            file.write("<graph>" + "".join(f"<node id='{i}'/>" for i in range(nodes)) + "</graph></graphml>")

    def test_attributes_that_come_from_no_bytes(self):
        self.write_graphml("bomb.graphml", ((f"k{i}", "int", 1) for i in range(8000)), 90000)
        self.assertLess((self.folder / "bomb.graphml").stat().st_size, 2500000)
        self.assert_refused("info", "bomb.graphml", says="bomb.graphml: found 8000 node attributes of 90000 nodes, "
                                                         "720000000 numbers in all up to here, expected at most ")
        self.assertLess(peak_of_children(), MOST)

    def test_long_defaults_are_read_once(self):
        self.write_graphml("long.graphml", (("label", "string", "x" * 1000000),
                                            ("w", "int", "0" * 1000000 + "7")), 1000)
        self.assertEqual(self.run_json("info", "long.graphml")["graphs"], 1)
        self.assertLess(peak_of_children(), MOST)  # it was a copy per node

    def test_both_sides_of_the_option(self):
        self.write_isolated("two.jsonl", 2, 150000)
        self.assert_refused("info", "two.jsonl", "--max-nodes", 149999, says="150000 nodes")
        self.assertIn("150000", self.run_program("info", "two.jsonl", "--max-nodes", 150000).stdout)
        self.assert_refused("info", "two.jsonl", "--max-nodes", 1048577, says="--max-nodes")
        self.assert_refused("info", "two.jsonl", "--max-nodes", 0, says="--max-nodes")

    def test_memory_of_wl_features(self):
        self.write_isolated("equal.jsonl", 200, 50000)
        self.run_program("train", "svm-wl", "equal.jsonl", "-o", "run", "--quiet", "--max-nodes",
                         1000000)
        self.assertLess(peak_of_children(), MOST)  # it was 240 bytes per node

    def test_symmetric_graphs_are_compared(self):
        with open(self.folder / "stars.jsonl", "w") as file:
            for number in range(4):
                edges = [[0, leaf] for leaf in range(1, 20000)]
                json.dump({"class": number % 2, "nodes": 50000, "edges": edges}, file)
                file.write("\n")
        self.assertEqual(self.run_json("verify", "stars.jsonl")["isomorphs_within"], 3)

    def test_too_many_subgraphs(self):
        with open(self.folder / "stars.jsonl", "w") as file:
            for number in range(20):
                edges = [[0, leaf] for leaf in range(1, 3000)]
                json.dump({"class": number % 2, "nodes": 3000, "edges": edges}, file)
                file.write("\n")
        self.assert_refused("train", "svm-graphlet-exact", "stars.jsonl", "-o", "run",
                            says="up to 3e+12 subgraphs of 5 nodes to visit up to graph")

    def test_archives(self):
        tiny = {"DS_A.txt": "1, 2\n2, 1\n", "DS_graph_indicator.txt": "1\n1\n",
                "DS_graph_labels.txt": "0\n"}
        block = b"\0" * (1 << 20)
        with zipfile.ZipFile(self.folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in tiny.items():
                archive.writestr("DS/" + name, text)
            with archive.open("DS/README.txt", "w") as entry:
                for _ in range(700):
                    entry.write(block)
        self.assertIn("1", self.run_program("info", "a.zip").stdout)
        self.assertLess(peak_of_children(), MOST)
        with zipfile.ZipFile(self.folder / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in tiny.items():
                archive.writestr("DS/" + name, text)
            with archive.open("DS/DS_node_labels.txt", "w") as entry:
                for _ in range(400):
                    entry.write(block)
        self.assert_refused("info", "b.zip", says="bytes unpacked from")
        self.assertLess(peak_of_children(), MOST)


class Labels(ProgramTest):
    def test_few_labels_are_quick_and_silent(self):
        shared = shared_data()
        if shared is None:
            self.skipTest("no shared data")
        start = time.monotonic()
        done = self.run_program("train", "svm-labels", shared / "TU" / "ENZYMES", "-o", "run",
                                "--quiet")
        self.assertLess(time.monotonic() - start, 10)  # it was half a minute; a fraction of a second now
        self.assertEqual(done.stderr, "")
        self.assertNotIn("WARNING", done.stdout)


if __name__ == "__main__":
    unittest.main()
