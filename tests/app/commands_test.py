#!/usr/bin/env python3
"""What each command does when all is well."""
import filecmp
import json
import os
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, is_sanitized, shared_data

COMMANDS = ["dataset", "generate", "pairs", "filter", "info", "verify", "audit", "convert", "draw", "fetch", "tasks",
            "methods", "folds", "train", "predict", "score", "explain", "bench", "report", "help", "completion"]


class Help(ProgramTest):
    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            text = self.run_program(command, "--help").stdout
            self.assertIn(f"bermuda {command}", text)
            self.assertIn("Examples:", text)
        for command in ("dataset", "generate", "pairs"):
            for task in ("triangles", "clique-distance"):
                text = self.run_program(command, task, "--help").stdout
                self.assertIn("--min-nodes", text)
                self.assertIn("-o,--output", text)

    def test_help_is_quick_and_loads_no_torch(self):
        best = 1.0
        for _ in range(10):
            start = time.monotonic()
            self.run_program("--help")
            best = min(best, time.monotonic() - start)
        self.assertLess(best, 0.5 if is_sanitized() else 0.05)
        libraries = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout
        self.assertIn("libc.so", libraries)
        self.assertNotIn("torch", libraries)

    def test_version(self):
        self.assertRegex(self.run_program("--version").stdout, r"^bermuda \d+\.\d+\.\d+\n$")

    def test_tasks_lists_what_generate_takes(self):
        names = [task["name"] for task in self.run_json("tasks")["tasks"]]
        self.assertEqual(names, ["triangles", "clique-distance", "cycle-k", "clique-k", "connected",
                                 "bridge", "bipartite", "planar", "diameter", "isomorphic-pair", "csl"])
        for command in ("generate", "dataset"):
            text = self.run_program(command, "--help").stdout
            for name in names:
                self.assertIn(f"bermuda {command} {name} -o", text)
        self.assertIn("--node-order", self.run_program("tasks").stdout)


class DataSets(ProgramTest):
    def test_dataset_is_balanced_verified_and_the_same_for_any_thread_count(self):
        for task in ("triangles", "clique-distance"):
            one = self.make_dataset(f"{task}-1", task, "--threads", "1")
            two = self.make_dataset(f"{task}-2", task, "--threads", "2")
            other = self.make_dataset(f"{task}-3", task, "--seed", "2")
            names = ["manifest.json", "test.tsv", "train.tsv", "valid.tsv"]
            self.assertEqual(sorted(os.listdir(one)), names)
            same, different, errors = filecmp.cmpfiles(one, two, names, shallow=False)
            self.assertEqual((sorted(same), different, errors), (names, [], []))
            self.assertFalse(filecmp.cmp(one / "train.tsv", other / "train.tsv", shallow=False))
            self.assertEqual(self.run_json("verify", one)["problems"], [])
            info = self.run_json("info", one)
            self.assertEqual(info["graphs"], 520)
            for split, count in (("train", 400), ("valid", 60), ("test", 60)):
                self.assertEqual(info["splits"][split]["graphs"], count)
                self.assertEqual(info["splits"][split]["classes"], {"0": count / 2, "1": count / 2})
                self.assertGreater(info["splits"][split]["mean_nodes"], 5)
                self.assertGreater(info["splits"][split]["mean_edges"], 5)

    def test_a_task_of_few_graphs_lets_isomorphs_stand_in_several_splits(self):
        self.run_program("generate", "csl", "-o", "all", "--count", 2000, "--quiet")
        data = self.make_dataset("data", "csl")
        self.run_program("filter", "all", "-o", "filtered", "--train", 400, "--valid", 60, "--test", 60,
                         "--quiet")
        for folder in (data, "filtered"):
            provenance = self.run_json("info", folder)["provenance"]
            self.assertIn("few graphs", provenance["few_graphs"])
            self.assertIs(provenance["filter"]["allow_isomorphs"], True)
            report = self.run_json("verify", folder)
            self.assertEqual(report["problems"], [])
            self.assertGreater(report["isomorphs_across"], 100)

    def test_generate_then_filter_equals_dataset(self):
        self.run_program("generate", "triangles", "-o", "all", "--count", 4000, "--quiet")
        self.run_program("filter", "all", "-o", "filtered", "--train", 400, "--valid", 60, "--test",
                         60, "--quiet")
        whole = self.make_dataset("whole")
        for name in ("train.tsv", "valid.tsv", "test.tsv", "manifest.json"):
            self.assertTrue(filecmp.cmp(self.folder / "filtered" / name, whole / name, False), name)

    def test_generate_leaves_out_what_another_data_set_has(self):
        self.run_program("generate", "triangles", "-o", "first", "--count", 300, "--quiet")
        told = self.run_json("generate", "triangles", "-o", "more", "--count", 300, "--seed", 2,
                             "--max-nodes", 7, "--without", "first")
        left = told["graphs"]
        self.assertLess(left, 300)
        self.assertGreater(left, 0)
        told = self.run_json("generate", "triangles", "-o", "again", "--count", 300, "--seed", 2,
                             "--max-nodes", 7, "--without", "more")
        self.assertEqual(told["graphs"], 300 - left)
        self.assert_refused("generate", "triangles", "-o", "none", "--count", 300,
                            "--without", "first", says="all 300 graphs are in first")

    def test_force_replaces_the_old_one(self):
        first = self.make_dataset("data")
        before = (first / "train.tsv").read_bytes()
        self.make_dataset("data", "triangles", "--seed", "2", "--force")
        self.assertNotEqual((first / "train.tsv").read_bytes(), before)
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_json_prints_one_object_and_nothing_else(self):
        done = self.run_program("dataset", "triangles", "-o", "data", "--json", "--candidates", 2000,
                                "--train", 100, "--valid", 20, "--test", 20)
        self.assertEqual(json.loads(done.stdout)["graphs"], 140)
        self.assertIn("generate: 2000", done.stderr)

    def test_verify_offers_what_the_definitions_of_tasks_have(self):
        tasks = [task["name"] for task in self.run_json("tasks")["tasks"]]
        text = self.run_program("verify", "--help").stdout
        self.assertIn("|".join(tasks), text)
        self.assertRegex(text, r"--clique-size VALUE\s+clique-distance: k, .*\(3\.\.50\)")
        self.assertRegex(text, r"--threshold VALUE\s+clique-distance: .*\(1\.\.1000\)")
        self.run_program("generate", "clique-distance", "-o", "data", "--count", 40, "--threshold",
                         3, "--quiet")
        self.run_program("verify", "data")
        self.run_program("verify", "data", "--task", "clique-distance", "--threshold", 3)
        self.run_program("verify", "data", "--threshold", 4, code=1)
        self.run_program("verify", "data", "--task", "triangles", code=1)
        self.assert_refused("verify", "data", "--clique-size", 2, says="--clique-size")
        # Two tasks have a k of their own.
        self.assertRegex(text, r"--k VALUE\s+cycle-k: .*\(4\.\.8\);\s+clique-k: .*\(3\.\.5\)")
        self.run_program("generate", "cycle-k", "--k", 6, "-o", "six", "--count", 40, "--quiet")
        self.run_program("verify", "six")
        self.run_program("verify", "six", "--k", 5, code=1)
        self.assert_refused("generate", "cycle-k", "--k", 9, "-o", "x", says="--k")
        self.assert_refused("verify", "data", "--task", "squares", says="--task")

    def test_verify_finds_a_changed_file(self):
        data = self.make_dataset("data")
        text = (data / "test.tsv").read_text().splitlines(keepends=True)
        fields = text[1].split("\t")
        fields[1] = "1" if fields[1] == "0" else "0"
        text[1] = "\t".join(fields)
        (data / "test.tsv").write_text("".join(text))
        kinds = {problem["kind"] for problem in self.run_json("verify", data, code=1)["problems"]}
        self.assertTrue({"class", "checksum", "balance"} <= kinds, kinds)
        self.run_program("info", data, code=2)


class Formats(ProgramTest):
    def test_round_trips_lose_nothing(self):
        data = self.make_dataset("data", "clique-distance")
        for middle in ("tu", "jsonl"):
            there = f"there.{middle}"
            self.run_program("convert", data, "-o", there, "--to", middle)
            self.run_program("convert", there, "-o", f"back-{middle}", "--to", "native")
            for split in ("train.tsv", "valid.tsv", "test.tsv"):
                self.assertTrue(filecmp.cmp(data / split, self.folder / f"back-{middle}" / split,
                                            False), (middle, split))

    def test_spcl_round_trip_keeps_the_graphs(self):
        data = self.make_dataset("data")
        lost = self.run_json("convert", data, "-o", "spcl", "--to", "spcl")["lost"]
        self.assertIn("witnesses of 260 graphs", lost)
        self.run_program("convert", "spcl", "-o", "back", "--to", "native")

        def graphs(path):
            lines = path.read_text().splitlines()[1:]
            return [tuple(line.split("\t")[:3]) for line in lines]
        for split in ("train.tsv", "valid.tsv", "test.tsv"):
            self.assertEqual(graphs(data / split), graphs(self.folder / "back" / split))

    def test_draw(self):
        data = self.make_dataset("data")
        drawn = self.run_json("draw", data, "--class", "1", "-o", "one.svg")
        text = (self.folder / "one.svg").read_text()
        self.assertIn("<svg", text)
        self.run_program("draw", data, "--graph", drawn["id"], "-o", "one.png", "--title")
        self.assertTrue((self.folder / "one.png").read_bytes().startswith(b"\x89PNG"))

    def test_audit(self):
        data = self.make_dataset("data")
        report = self.run_json("audit", data, "--folds", "5")
        accuracy = {probe["name"]: probe["accuracy"] for probe in report["probes"]}
        self.assertGreater(accuracy["graphlets-3"], 0.95)
        self.assertLess(accuracy["size"], 0.65)
        self.assertTrue(report["summary"])
        low = self.run_json("audit", data, "--wl-rounds", "1", "--graphlets", "3", "--seed", "2")
        self.assertEqual([probe["name"] for probe in low["probes"]],
                         ["size", "degrees", "degree-pairs", "wl-1", "graphlets-3", "node-index"])
        self.assertEqual((low["folds"], low["seed"]), (10, 2))
        self.assert_refused("audit", data, "--graphlets", "6",
                            says="--graphlets: found '6', expected a whole number in 3..5")

    def test_audit_fails_where_a_shortcut_beats_the_limit(self):
        rows = [{"id": f"g{i}", "class": str(i % 2), "nodes": 5 + i // 2 % 7 + 8 * (i % 2), "edges": []}
                for i in range(80)]
        (self.folder / "sizes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        quick = ("audit", "sizes.jsonl", "--folds", 2, "--wl-rounds", 1, "--graphlets", 3)
        found = json.loads(self.run_program(*quick, "--json", "--max-shortcut", 60, code=1).stdout)
        self.assertEqual(found["shortcut"], {"probe": "size", "accuracy": 1.0, "limit": 0.6, "exceeded": True})
        text = self.run_program(*quick, "--max-shortcut", 60, code=1).stdout
        self.assertIn("Audit of sizes", text)
        self.assertTrue(text.endswith("Shortcut: size needs no topology and gets 100.0 %, 40.0 points above the "
                                      "limit of 60 %\n"), text)
        self.assertFalse(self.run_json(*quick, "--max-shortcut", 100)["shortcut"]["exceeded"])
        self.assertNotIn("shortcut", self.run_json(*quick))
        self.assert_refused(*quick, "--max-shortcut", "101", says="--max-shortcut: found '101', expected")

    def test_audit_writes_a_clean_copy(self):
        star, path = [[0, 1], [0, 2], [0, 3]], [[0, 1], [1, 2], [2, 3]]
        rows = [("a", "0", 4, star), ("b", "0", 4, [[3, 0], [3, 1], [3, 2]]), ("c", "1", 4, path),
                ("d", "0", 5, path), ("e", "1", 5, path), ("f", "1", 6, path)]
        (self.folder / "twins.jsonl").write_text("".join(
            json.dumps({"id": name, "class": label, "nodes": nodes, "edges": edges}) + "\n"
            for name, label, nodes, edges in rows))
        command = ("audit", "twins.jsonl", "--folds", 2, "--write-clean", "clean")
        done = self.run_json(*command)["clean"]
        self.assertEqual(done, {"output": "clean", "graphs": 3, "repeats_dropped": 1, "conflicting_dropped": 2})
        manifest = json.loads((self.folder / "clean" / "manifest.json").read_text())
        self.assertEqual(manifest["cleaned"]["repeats_dropped"], 1)
        self.assertEqual(manifest["cleaned"]["conflicting_dropped"], 2)
        self.run_program("convert", "clean", "--to", "jsonl", "-o", "clean.jsonl")
        kept = [json.loads(line)["id"] for line in (self.folder / "clean.jsonl").read_text().splitlines()]
        self.assertEqual(kept, ["a", "c", "f"])
        self.assert_refused(*command, says="exists already")
        text = self.run_program(*command, "--force").stdout
        self.assertIn("clean: 3 of 6 graphs; dropped 1 that repeat another and 2 that have a twin of another", text)

    def test_audit_as_a_file(self):
        data = self.make_dataset("data")
        for ending in ("html", "json", "txt"):
            said = self.run_program("audit", data, "--folds", 2, "-o", f"a.{ending}").stdout
        text = (self.folder / "a.txt").read_text()
        self.assertEqual(text, said)
        report = json.loads((self.folder / "a.json").read_text())
        self.assertEqual(report["bermuda_audit"], 1)
        self.assertEqual(report["telling"][0]["probe"], "graphlets-3")
        self.assertIn("triangle", [feature["words"] for feature in report["telling"][0]["features"]])
        page = (self.folder / "a.html").read_text()
        self.assertIn("<title>Bermuda audit</title>", page)
        self.assertIn(report["summary"].replace("<", ""), page)
        self.assertNotIn("src=", page)
        self.assert_refused("audit", data, "-o", "a.pdf", says=".html, .json or .txt")
        (self.folder / "clean").mkdir()
        for output, clean in (("same.json", "same.json"), ("same.json", "./same.json/"),
                              ("clean/a.json", "clean"), (self.folder / "same.json", "clean/../same.json")):
            # Before anything is read: there is no such data set.
            self.assert_refused("audit", "absent", "-o", output, "--write-clean", clean,
                                says="expected another place than --write-clean")
        self.assert_refused("audit", "absent", "-o", "a.b.json", "--write-clean", "a.b", says="absent")


class SharedData(ProgramTest):
    def setUp(self):
        super().setUp()
        self.shared = shared_data()
        if self.shared is None:
            self.skipTest("no shared data: set BERMUDA_SHARED_DATA to its folder")

    def test_released_splits_keep_their_classes(self):
        for task in ("triangles", "clique"):
            name = "triangles" if task == "triangles" else "clique-distance"
            report = self.run_json("verify", self.shared / "released" / task, "--task", name)
            self.assertEqual(report["classes_checked"], 1000)
            self.assertEqual(report["problems"], [])

    def test_info_of_tu_data(self):
        mutag = self.run_json("info", self.shared / "TU" / "MUTAG")
        self.assertEqual(mutag["graphs"], 188)
        self.assertEqual(mutag["classes"], ["-1", "1"])
        self.assertEqual(mutag["splits"]["all"]["classes"], {"-1": 63, "1": 125})
        self.assertEqual(self.run_json("info", self.shared / "TU" / "NCI1")["graphs"], 4110)


if __name__ == "__main__":
    unittest.main()
