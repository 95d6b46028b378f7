#!/usr/bin/env python3
"""make_corpus.py FAULTS OUT: seed inputs for the fuzzers from the broken files of the tests.

A file that is broken in one place is right in all others, which makes it a good seed. Folders are
packed into one input as fuzz.hpp unpacks them; TU folders also become zip archives.
"""
import json
import pathlib
import struct
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
    "graph6_file": "=== a.g6\n>>graph6<<Bw yes\n:Fa@x^\tno\nA_ ?\n@\n",
    "edge_list": "=== a.edges\n# x\n1 2 {}\n2 1\n7\n=== b.edgelist\na b 1.0\nb, c\n=== classes.tsv\nb\t1\ttest\na\t?\n",
    "graphml": "=== a.graphml\n<?xml version='1.0'?><graphml xmlns='u' xmlns:y='v'><key id='l' for='node' "
    "attr.name='label' attr.type='string'><default>C</default></key><key id='e' for='edge' attr.name='label'/>"
    "<key id='x' for='node' attr.name='x' attr.type='double'/><graph><node id='0'><data key='l'>N</data>"
    "<data key='x'>1.5</data></node><node id='1'><y:a/><data key='x'>2</data></node><edge source='0' target='1'>"
    "<data key='e'>3</data></edge></graph></graphml>\n=== classes.tsv\na\tyes\n",
    "pairs": "# x\nbasic\tBw\tB?\ncfi\t:Fa@x^\tA_\n",
    "dgcnn": "3\n3 -1\n4 1 1 0.5\n0 2 2 0 1e3\r\n-2 1 1 -7\n0 1\n1 1\n5\t0 2\n\n",
}

RUN = {
    "method": "svm-labels", "program_version": "0.1.0", "data": "small", "classes": ["0", "1"], "fold": 0,
    "seed": 1, "options": {"costs": [0.1, 10.0], "solver": "auto", "no_class_weights": False, "refit": False},
    "train_graphs": 16, "validation_graphs": 2, "test_graphs": 2, "epochs": 1, "best_epoch": 1, "seconds": 0.1,
    "cpu_seconds": 0.1, "validation_accuracy": 0.5, "test_accuracy": 0.5,
    "test": {"count": 2, "accuracy": 0.5, "macro_f1": 0.3, "positive_f1": 0.6, "confusion": [[0, 1], [0, 1]]},
    "chosen": {"C": 0.1, "features": 2}, "data_checksum": "abc", "initial": "", "validation_ids": ["0", "1"],
    "test_ids": ["2", "3"],
}
EPOCHS = "epoch\tlearning_rate\ttrain_loss\ttrain_accuracy\tvalidation_loss\tvalidation_accuracy\tseconds\n" \
    "1\t0.001\t0.7\t0.5\t0.69\t0.5\t0.010\n"
# One change per line: see fuzz_store.cpp.
STORE = [
    "runs.confusion=[[1,2],[3,4]]\nruns.accuracy=~7", "runs.options@1={\"a\":1,\"a\":2}\nruns.chosen=[]",
    "asked.confusion=[[1]]\nasked.graphs=#-1", "asked.both_right=#9\nruns.asked=[3]", "asked.changed=#1\nasked.name=x",
    "answers.said=#9\nanswers.truth=#-1", "answers.place=#99", "graphs.graph6=Bw\ngraphs.class=#5",
    "graphs.witness={\"nodes\":[0,9],\"edges\":[[0,9]]}\ngraphs.node_labels=[1]", "entries.run=#77\nentries.fold=#12",
    "grids.published={\"tri\":{\"m\":\"x\"}}\ngrids.metric=loss", "grids.config=[[run]]\nruns.state@2=waiting",
    "data_sets.classes=[]\ndata_sets.audit={\"probes\":[{}]}", "runs.test_graphs=#-1\nruns.seconds=!",
    "epochs.epoch=#-3\nepochs.train_loss=~1e999\nruns.finished=x", "runs.state=running\nruns.owner=../x",
    "runs.last_confusion=[[2,0],[0,0]]\nruns.last_accuracy=~7", "answers.said_last=#9", "entries.seed=#3",
    "entries.taken_from=tri\nanswers.said_last=!",
    "runs.folding=by hand",
]


def headed(header: dict, body: bytes) -> bytes:
    """A model or checkpoint without its first line and checksum, which the fuzzers add."""
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def model_seeds(out: pathlib.Path) -> None:
    labels = struct.pack("<QQ6iiiQ3d", 1, 6, 0, 0, 0, 1, 0, 1, 2, 2, 3, 0.5, -1, 0)
    options = {"costs": "0.1,10", "solver": "auto", "no_class_weights": "off", "refit": "off"}
    for method in ("svm-labels", "svm-wl", "svm-graphlet", "svm-graphlet-exact"):
        header = {"method": method, "program_version": "0.1.0", "classes": ["0", "1"], "options": options}
        (out / "model" / method).write_bytes(headed(header, labels))
    fit = {key: RUN[key] for key in ("method", "options", "data", "data_checksum", "fold", "seed", "initial")}
    header = {**fit, "program_version": "0.1.0", "epochs": 5, "seconds": 0.1, "cpu_seconds": 0.1}
    (out / "checkpoint" / "one").write_bytes(headed(header, struct.pack("<Q4s", 4, b"abcd")))


def other_seeds(out: pathlib.Path) -> None:
    """For what is no data set: models, stores, run folders, runs, grids, sidecars, exports."""
    root = pathlib.Path(__file__).resolve().parents[2]
    for parser in ("download", "model", "checkpoint", "store", "run_folder", "execute", "grid", "sidecar", "export"):
        (out / parser).mkdir(parents=True, exist_ok=True)
    model_seeds(out)
    head = json.dumps({"url": "https://a.b/c.zip", "version": '"tag"'})
    (out / "download" / "one").write_text(f"bermuda-download {head}\nPK more\n1, 2\r\n2,1\n\n")
    for number, changes in enumerate(STORE):
        (out / "store" / str(number)).write_text(changes + "\n")
    run = json.dumps(RUN)
    for number in range(24):  # the first byte chooses the method
        folder = f"=== run.json\n{run}\n=== epochs.tsv\n{EPOCHS}=== state\n\0\0\x03\n=== model.bermuda\n\0\xf0\x01\n"
        (out / "run_folder" / str(number)).write_bytes(bytes([number]) + folder.encode("latin-1"))
        choices = bytes((7 * i * i + number) % 251 for i in range(120))
        (out / "execute" / str(number)).write_bytes(bytes([number]) + choices)
    for grid in sorted((root / "configs").glob("*.toml")):
        (out / "grid" / grid.name).write_bytes(grid.read_bytes())
    (out / "sidecar" / "neural").write_bytes((root / "src" / "train" / "neural.methods.json").read_bytes())
    result = {key: RUN[key] for key in ("epochs", "best_epoch", "validation_accuracy", "test", "train_graphs",
                                        "validation_graphs", "chosen", "program_version")}
    result["answers"] = {"said": "11", "truth": "01"}
    exported = {key: RUN[key] for key in ("method", "options", "data", "data_checksum", "fold", "seed")}
    exported.update(key="k", state="done", result=result,
                    timing={"seconds": 1, "cpu_seconds": 1, "host": "h", "finished": "2026-01-01T00:00:00Z"})
    grid = {"name": "g", "title": "T", "metric": "accuracy", "paper": "", "published": {"small": {"svm-labels": 50}},
            "config": "", "command": "c", "entries": [["svm-labels", "small", 0, "k"]]}
    (out / "export" / "one").write_text(json.dumps({"bermuda_results": 1, "grids": [grid], "runs": [exported]}))
    answers = result.pop("answers")
    result.update(epochs=2, last={"test": RUN["test"]})
    exported["details"] = {"answers": answers, "last_answers": answers,
                           "epochs": EPOCHS + "2\t0.001\t0.6\t0.5\tnan\t0.5\t0.010\n"}
    grid["entries"] = [["svm-labels", "small", 0, 1, "k"], ["svm-labels", "other", 0, 1, "k", "small"]]
    (out / "export" / "two").write_text(json.dumps({"bermuda_results": 2, "grids": [grid], "runs": [exported]}))


def pack(folder: pathlib.Path) -> bytes:
    return b"".join(
        b"=== " + file.name.encode() + b"\n" + file.read_bytes() for file in sorted(folder.iterdir())
    )


def main() -> None:
    faults, out = map(pathlib.Path, sys.argv[1:])
    for parser in ("graph6", "native", "spcl", "tu", "jsonl", "dgcnn", "graph6_file", "graphml", "edge_list", "pairs", "archive"):
        (out / parser).mkdir(parents=True, exist_ok=True)
    other_seeds(out)
    for number, graph in enumerate(GRAPHS):
        (out / "graph6" / str(number)).write_text(graph)
    for parser, text in WHOLE.items():
        (out / parser / "whole").write_text(text, newline="")
    for folder in sorted(path for path in faults.iterdir() if path.is_dir()):
        parser = folder.name.split("-")[0]
        parser = {"graph6": "graph6_file", "edgelist": "edge_list"}.get(parser, parser)
        if parser in ("jsonl", "dgcnn", "pairs"):
            (out / parser / folder.name).write_bytes(next(folder.iterdir()).read_bytes())
        elif parser == "graph6_file":
            (out / parser / folder.name).write_bytes(pack(folder).replace(b"=== data.", b"=== a."))
        elif parser in ("native", "spcl", "tu", "graphml", "edge_list"):
            (out / parser / folder.name).write_bytes(pack(folder))
        if parser == "tu":
            method = zipfile.ZIP_STORED if len(folder.name) % 2 else zipfile.ZIP_DEFLATED
            with zipfile.ZipFile(out / "archive" / folder.name, "w", method) as archive:
                for file in sorted(folder.iterdir()):
                    archive.write(file, "DS/" + file.name)


if __name__ == "__main__":
    main()
