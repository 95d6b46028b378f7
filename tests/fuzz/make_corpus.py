#!/usr/bin/env python3
"""make_corpus.py FAULTS OUT: seed inputs for the fuzzers from the broken files of the tests.

A file that is broken in one place is right in all others, which makes it a good seed. Folders are
packed into one input as fuzz.hpp unpacks them; TU folders also become zip archives.
"""
import pathlib
import sys
import zipfile

GRAPHS = ["?", "@", "A_", "Bw", "DQc", ":Fa@x^", ":O{?G`n", "O??GG?I????A?????G???", ":~~??C???"]


def pack(folder: pathlib.Path) -> bytes:
    return b"".join(
        b"=== " + file.name.encode() + b"\n" + file.read_bytes() for file in sorted(folder.iterdir())
    )


def main() -> None:
    faults, out = map(pathlib.Path, sys.argv[1:])
    for parser in ("graph6", "native", "spcl", "tu", "jsonl", "archive"):
        (out / parser).mkdir(parents=True, exist_ok=True)
    for number, graph in enumerate(GRAPHS):
        (out / "graph6" / str(number)).write_text(graph)
    for folder in sorted(path for path in faults.iterdir() if path.is_dir()):
        parser = folder.name.split("-")[0]
        if parser == "jsonl":
            (out / parser / folder.name).write_bytes((folder / "data.jsonl").read_bytes())
        elif parser in ("native", "spcl", "tu"):
            (out / parser / folder.name).write_bytes(pack(folder))
        if parser == "tu":
            method = zipfile.ZIP_STORED if len(folder.name) % 2 else zipfile.ZIP_DEFLATED
            with zipfile.ZipFile(out / "archive" / folder.name, "w", method) as archive:
                for file in sorted(folder.iterdir()):
                    archive.write(file, "DS/" + file.name)


if __name__ == "__main__":
    main()
