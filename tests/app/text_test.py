#!/usr/bin/env python3
"""Text from outside: refused at the door where it is no text, and itself again in whatever is written."""
import csv
import html.parser
import io
import json
import os
import string
import unittest
import xml.etree.ElementTree

from bench_program import COUNTING
from program import ProgramTest

# Each means something in some format that names are written in.
HOSTILE = ["a|b", "a\\|b", "\\\\", "`code`", "``", "<b>bold</b>", "&lt;", "</script><script>alert(1)</script>",
           "<!--", "]]>", "*stars*", "_under_", "__x__", "~~gone~~", "[link](http://x)", "![x](y)", "$x^2$",
           "# head", "- list", "1. one", "> quoted", "---", "=SUM(A1)", "\"quoted\"", "a,b", "'", "''", "--",
           "\\input{/etc/passwd}", "{", "}", "^", "~", "%", "#", "&", "_", "[2cm]", "*", "\\", "50 % & more",
           "?`", "Größe ± 1", "\\\\[3cm]", "{{}}", "a\\", "|", "||", "@style@", "\U0001f600", "&#124;"]
PUNCTUATION = set(string.punctuation)


def toml(text):
    return json.dumps(text, ensure_ascii=False)


def markdown_row(line):
    """The cells of a row, as GitHub's parser cuts them: at bars without a backslash."""
    cells, cell, place = [], "", 0
    while place < len(line):
        if line[place] == "\\" and place + 1 < len(line) and line[place + 1] in PUNCTUATION:
            cell += line[place:place + 2]
            place += 2
        elif line[place] == "|":
            cells.append(cell.strip())
            cell = ""
            place += 1
        else:
            cell += line[place]
            place += 1
    return [markdown_text(cell.replace("\\|", "|")) for cell in cells[1:]]


def markdown_text(source):
    """What is shown; fails where something would be more than text."""
    if len(source) > 2 and source[0] == source[-1] == "`" and "`" not in source[1:-1]:
        return source[1:-1]
    text, place = "", 0
    while place < len(source):
        char, after = source[place], source[place + 1:place + 2]
        if char == "\\" and after in PUNCTUATION and after:
            text += after
            place += 2
            continue
        before = source[place - 1:place]
        markup = (char in "`*[]~$" or (char == "<" and (after.isalnum() or after in "/!?") and after)
                  or (char == "&" and (after.isalnum() or after == "#"))
                  or (char == "_" and not (before.isalnum() and after.isalnum())))
        assert not markup, f"{char!r} in {source!r}"
        text += char
        place += 1
    return text


def latex_text(source):
    words = {"\\textbackslash{}": "\\", "\\textasciitilde{}": "~", "\\textasciicircum{}": "^",
             "\\textless{}": "<", "\\textgreater{}": ">", "\\textbar{}": "|", "{}": "",
             **{f"\\{char}": char for char in "_%&#${}"}}
    text = ""
    while source:
        word = next((word for word in words if source.startswith(word)), None)
        if word is None:
            assert source[0] not in "\\{}_%&#$~^<>|", f"{source!r} is more than text"
            assert source[:2] not in ("--", "''", "``", "?`", "!`"), f"{source!r} becomes one sign"
        text += source[0] if word is None else words[word]
        source = source[1 if word is None else len(word):]
    return text


class Page(html.parser.HTMLParser):
    """What a browser would find: elements, and the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "script" and self.cdata_elem == "script":
            self.scripts[-1] += data


class Names(ProgramTest):
    """Every hostile name, as row, column and title of a grid."""

    def setUp(self):
        super().setUp()
        rows = "".join(f'[[run]]\nmethods = ["svm-labels"]\nname = {toml(name)}\nfolds = "0"\n'
                       for name in HOSTILE)
        self.column = "tri|<i>&amp;\\{}~^_$#%`*"
        self.title = "# <script>|*a* \\input{x} `b` & ~^_$%"
        (self.folder / "grid.toml").write_text(
            f'title = {toml(self.title)}\n[data.{toml(self.column)}]\ntask = "triangles"\n'
            f'candidates = 600\nfilter = {{ train = 100, valid = 20, test = 40 }}\naudit = false\n{rows}',
            encoding="utf-8")
        self.run_program("bench", "grid.toml", "--quiet", "--jobs", "2", encoding="utf-8")

    def exported(self, form):
        return self.run_program("bench", "--store", "grid.sqlite", "--export", form, encoding="utf-8").stdout

    def table(self, form):
        return self.run_program("report", "grid.sqlite", "--format", form, encoding="utf-8").stdout

    def test_each_format_gives_them_back(self):
        with self.subTest("csv"):
            rows = list(csv.DictReader(io.StringIO(self.exported("csv"), newline="")))
            self.assertEqual([row["row"] for row in rows], HOSTILE)
            self.assertEqual({row["data"] for row in rows}, {self.column})
            self.assertEqual({None in row for row in rows}, {False})
        with self.subTest("json"):
            grid = json.loads(self.exported("json"))["grids"][0]
            self.assertEqual([entry[0] for entry in grid["entries"]], HOSTILE)
            self.assertEqual(grid["title"], self.title)
        with self.subTest("html"):
            page = Page((self.folder / "grid.html").read_text(encoding="utf-8"))
            self.assertEqual(page.tags.count("script"), 2)
            self.assertNotIn("b", page.tags)
            model = json.loads(page.scripts[0])
            table = model["tables"][0]
            self.assertEqual([row["method"] for row in table["rows"]], HOSTILE)
            self.assertEqual((table["title"], table["columns"]), (self.title, [self.column]))
        with self.subTest("markdown"):
            lines = self.table("markdown").splitlines()
            start = next(i for i, line in enumerate(lines) if line.startswith("| method"))
            self.assertEqual(markdown_row(lines[start]), ["method", self.column])
            self.assertEqual([markdown_row(line)[0] for line in lines[start + 2:start + 2 + len(HOSTILE)]],
                             HOSTILE)
            caption = lines[start + 3 + len(HOSTILE)]
            self.assertTrue(caption.startswith("\\#"), caption)
            self.assertIn(self.title, markdown_text(caption))
        with self.subTest("latex"):
            text = self.table("latex")
            body = text.split("\\hline\n")
            cells = [line.removesuffix(" \\\\").split(" & ") for line in body[2].splitlines()]
            self.assertEqual([latex_text(" & ".join(cell[:-1])) for cell in cells], HOSTILE)
            self.assertEqual(latex_text(body[1].splitlines()[0].removesuffix(" \\\\").split(" & ")[1]),
                             self.column)
            caption = text.split("\\caption{")[1]
            self.assertTrue(latex_text(caption.split(": test")[0]).startswith(self.title))


class Pictures(ProgramTest):
    def svg_texts(self, name):
        return {element.text for element in xml.etree.ElementTree.parse(self.folder / name).iter()}

    def write_graphs(self, name, ids, count=1):
        with open(self.folder / name, "w", encoding="utf-8") as file:
            for number, identifier in enumerate(ids * count):
                file.write(json.dumps({"id": identifier if count == 1 else f"{identifier}{number}",
                                       "class": number % 2, "nodes": 2, "edges": [[0, 1]]}) + "\n")

    def test_titles_of_drawings(self):
        self.write_graphs("graphs.jsonl", HOSTILE)
        for name in HOSTILE[:12]:
            with self.subTest(name):
                self.run_program("draw", "graphs.jsonl", f"--graph={name}", "--title", "-o", "x.svg", "--force",
                                 "--quiet", encoding="utf-8")
                self.assertTrue(any(name in (text or "").replace("\xa0", " ")
                                    for text in self.svg_texts("x.svg")), self.svg_texts("x.svg"))

    def test_titles_of_curves(self):
        name = "<b>&amp;]]>|\"'"
        self.write_graphs(f"{name}.jsonl", ["g"], count=60)
        self.run_program("train", "counting", f"{name}.jsonl", "-o", "run", "--max-epochs", "2", "--quiet",
                         encoding="utf-8", env={**os.environ, "BERMUDA_PLUGINS": str(COUNTING)})
        curves = [path.name for path in (self.folder / "run").glob("*.svg")]
        self.assertEqual(len(curves), 1)
        self.assertTrue(any(name in (text or "") for text in self.svg_texts(f"run/{curves[0]}")))

    def test_ids_in_tables(self):
        """An id stands in a line of a table as it is; what would break the line was refused."""
        self.write_graphs("graphs.jsonl", HOSTILE)
        self.run_program("convert", "graphs.jsonl", "-o", "native", "--to", "native", "--quiet",
                         encoding="utf-8")
        lines = (self.folder / "native" / "all.tsv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines[1:]], HOSTILE)
        self.run_program("convert", "native", "-o", "again.jsonl", "--to", "jsonl", "--quiet",
                         encoding="utf-8")
        again = (self.folder / "again.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual([json.loads(line)["id"] for line in again], HOSTILE)


class Door(ProgramTest):
    """What is not UTF-8, or would break lines, is refused before anything is computed."""

    def write_spcl(self, folder, first_id=b"g0"):
        os.mkdir(folder)
        ids = [first_id] + [b"g%d" % number for number in range(1, 60)]
        with open(os.path.join(folder, b"test_cl.txt"), "wb") as file:
            file.write(b"".join(b"%s\t%d\n" % (name, i % 2) for i, name in enumerate(ids)))
        with open(os.path.join(folder, b"test_sp.txt"), "wb") as file:
            file.write(b"".join(b"%s\t0\t1\t1.0\n%s\t1\t0\t1.0\n" % (name, name) for name in ids))

    def path(self, name):
        return os.path.join(os.fsencode(self.folder), name)

    def refuse(self, *arguments, says):
        """As assert_refused(), with arguments that are bytes."""
        before = sorted(os.listdir(os.fsencode(self.folder)))
        done = self.run_program(*[os.fsdecode(word) for word in arguments], "--quiet", code=2,
                                env={**os.environ, "BERMUDA_PLUGINS": str(COUNTING)})
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(sorted(os.listdir(os.fsencode(self.folder))), before)

    def test_no_training_is_lost_on_an_id(self):
        for name, byte in ((b"a\xff", "byte 0xff, number 2 of 'a\\xff'"), (b"a\x01", "byte 0x01, number 2"),
                           (b"\xc3", "byte 0xc3, number 1"), (b"a\xc2\x85", "byte 0xc2, number 2")):
            with self.subTest(name):
                folder = self.path(b"data" + name.hex().encode())
                self.write_spcl(folder, name)
                for command in (["train", "counting", folder, "-o", "run"], ["info", folder],
                                ["convert", folder, "-o", "out", "--to", "native"]):
                    self.refuse(*command, says=f"test_cl.txt:1: found {byte}")

    def test_names_of_folders_and_files(self):
        for name, byte in ((b"data\xff", "byte 0xff, number"), (b"line\nend", "byte 0x0a, number")):
            with self.subTest(name):
                self.write_spcl(self.path(name))
                with open(self.path(name + b".jsonl"), "wb") as file:
                    file.write(b'{"class":0,"nodes":2,"edges":[[0,1]]}\n')
                with open(self.path(name + b".txt"), "wb") as file:
                    file.write(b"1\n2 0\n0 1 1\n0 1 0\n")
                for path in (name, name + b".jsonl", name + b".txt"):
                    for command in (["info", path], ["audit", path], ["train", "counting", path, "-o", "run"]):
                        self.refuse(*command, says=byte)

    def test_a_data_set_may_not_take_such_a_name_from_where_it_stands(self):
        self.write_spcl(self.path(b"data\xff"))
        folder, self.folder = self.folder, os.fsdecode(self.path(b"data\xff"))
        try:
            self.refuse("info", ".", says="byte 0xff, number 5 of 'data\\xff', expected a data set's name")
        finally:
            self.folder = folder

    def test_a_tu_file_name(self):
        os.mkdir(self.path(b"tu"))
        for suffix, text in ((b"A", b"1, 2\n2, 1\n"), (b"graph_indicator", b"1\n1\n"),
                             (b"graph_labels", b"1\n")):
            with open(self.path(b"tu/D\xff_" + suffix + b".txt"), "wb") as file:
                file.write(text)
        self.refuse("info", "tu", says="tu: found byte 0xff, number 2 of 'D\\xff', expected a data set's name")

    def test_a_store_whose_jobs_could_not_be_told(self):
        with open(self.path(b"grid.toml"), "w") as file:
            file.write('title = "T"\n[data.t]\ntask = "triangles"\n[[run]]\nmethods = ["svm-labels"]\n')
        self.refuse("bench", "grid.toml", "--store", b"s\xff.sqlite", says="byte 0xff, number")


if __name__ == "__main__":
    unittest.main()
