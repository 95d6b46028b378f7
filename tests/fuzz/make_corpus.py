#!/usr/bin/env python3
"""make_corpus.py FAULTS OUT: seed inputs for the fuzzers from the broken files of the tests.

A file that is broken in one place is right in all others, which makes it a good seed. Folders are
packed into one input as fuzz.hpp unpacks them; TU folders also become zip archives.
"""
import pathlib
import sys
import zipfile

GRAPHS = ["?", "@", "A_", "Bw", "DQc", ":Fa@x^", ":O{?G`n", "O??GG?I????A?????G???", ":~~??C???"]

# Whole data sets, for the round trips behind the parsers.
WHOLE = {
    "spcl": "=== test_sp.txt\na\t0\t1\t1.0\na\t1\t0\t1.0\na\t1\t3\t1\na\t3\t1\t1\n"
    "=== test_cl.txt\na\t1.0\n",
    "tu": "=== DS_A.txt\n1, 2\n2, 1\n2,3\r\n3,2\r\n4, 5\n5, 4\n=== DS_graph_indicator.txt\n1\n1\n1\n2\n2\n"
    "=== DS_graph_labels.txt\n1\n-1\n=== DS_node_labels.txt\n0\n1\n0\n2\n2\n"
    "=== DS_edge_labels.txt\n5\n5\n6\n6\n5\n5\n=== DS_node_attributes.txt\n0.5, 1\n1, 2\n0, 0\n1, 1\n2, 2\n"
    "=== DS_graph_ids.txt\nx\ttrain\t2\tknn3\t0,1;0-1\ny\ttest\t-\t-\t-\n",
    "jsonl": '{"id":"a","split":"test","class":"yes","nodes":3,"edges":[[0,1],[2,1]],"node_labels":[0,1,-2],'
    '"edge_labels":[5,6],"attributes":[[0.1],[1e300],[-2]],"witness":{"nodes":[0,1],"edges":[[1,0]]},'
    '"hits":0,"origin":"knn3"}\n',
    "dgcnn": "3\n3 -1\n4 1 1 0.5\n0 2 2 0 1e3\r\n-2 1 1 -7\n0 1\n1 1\n5\t0 2\n\n",
}


def pack(folder: pathlib.Path) -> bytes:
    return b"".join(
        b"=== " + file.name.encode() + b"\n" + file.read_bytes() for file in sorted(folder.iterdir())
    )


def main() -> None:
    faults, out = map(pathlib.Path, sys.argv[1:])
    for parser in ("graph6", "native", "spcl", "tu", "jsonl", "dgcnn", "archive"):
        (out / parser).mkdir(parents=True, exist_ok=True)
    for number, graph in enumerate(GRAPHS):
        (out / "graph6" / str(number)).write_text(graph)
    for parser, text in WHOLE.items():
        (out / parser / "whole").write_text(text, newline="")
    for folder in sorted(path for path in faults.iterdir() if path.is_dir()):
        parser = folder.name.split("-")[0]
        if parser in ("jsonl", "dgcnn"):
            (out / parser / folder.name).write_bytes(next(folder.iterdir()).read_bytes())
        elif parser in ("native", "spcl", "tu"):
            (out / parser / folder.name).write_bytes(pack(folder))
        if parser == "tu":
            method = zipfile.ZIP_STORED if len(folder.name) % 2 else zipfile.ZIP_DEFLATED
            with zipfile.ZipFile(out / "archive" / folder.name, "w", method) as archive:
                for file in sorted(folder.iterdir()):
                    archive.write(file, "DS/" + file.name)


if __name__ == "__main__":
    main()
