#!/usr/bin/python3
"""Reference values of the networks, written by PyTorch in double precision.

golden_gnn.py and golden_topology.py are the specification of the models: they go through dense
adjacency matrices (golden_batch.py), so that every equation stands on one line. For each model this
program stores parameters, the output of every layer, logits, loss, all gradients, BatchNorm's
statistics and ten losses of training.

    OMP_NUM_THREADS=1 python3 make_golden.py            writes tests/data/golden/*.json
    OMP_NUM_THREADS=1 python3 make_golden.py --check    recomputes and compares

What the numbers mean:
  layer_outputs              X_0 (the embedding) to X_L, row by row, in training mode; of the
                             fully connected network X_0 and the core tensor
  buffers_after_one_forward  running statistics after that forward pass, which started fresh
  eval_logits                logits in evaluation mode with these statistics
  losses                     the loss before each of ten Adam steps, from the initial parameters and
                             fresh statistics; the first is "loss"
Arrays are flat, last index fastest. BatchNorm is torch.nn.BatchNorm1d: eps 1e-5, momentum 0.1,
biased variance for normalising, unbiased variance in the running one.
"""

import argparse
import copy
import json
import math
import pathlib
import sys

import numpy
import torch
from torch.nn import functional

from golden_batch import FEW_NODES, MAX_NODES, Batch, case_graphs
from golden_gnn import HEADS, HIDDEN, LAYERS, Model
from golden_topology import EMBEDDING, Fcnn, Transformer

SEED = 163  # keeps values off the kinks of ReLU and lets attention straddle them
TRAINING_STEPS = 10
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "golden"


def draw_parameters(model):
    """Large enough that no part of a model can be left out without changing the results."""
    random = numpy.random.RandomState(SEED)  # its streams never change, unlike default_rng's
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            shape = tuple(parameter.shape)
            if name.endswith("eps"):
                values = random.uniform(0.2, 0.6, shape)
            elif "norm" in name and name.endswith("weight"):
                values = random.uniform(0.5, 1.5, shape)
            elif name.endswith("bias"):
                values = random.uniform(-0.5, 0.5, shape)
            elif "scorers" in name:  # sums over nodes are large; the loss should not saturate
                values = random.normal(0, 0.05, shape)
            elif "embedding" in name:
                values = random.normal(0, 0.7, shape)
            else:
                values = random.normal(0, 1.3 / math.sqrt(shape[-1]), shape)
            parameter.copy_(torch.tensor(values))


def train(model, features, batch, class_weights):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, betas=(0.9, 0.999), eps=1e-8)
    losses = []
    for _ in range(TRAINING_STEPS):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(features, batch), batch.labels, class_weights)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def rounded(value):
    """Nine digits; what is zero but for rounding becomes zero, the same on every machine."""
    return 0.0 if abs(value) < 1e-13 else float(f"{value:.9g}")


def flat(tensor):
    return [rounded(value) for value in tensor.detach().reshape(-1).tolist()]


def stored(tensors):
    return {name: {"shape": list(tensor.shape), "values": flat(tensor)} for name, tensor in tensors}


def measured(model, graphs, batch, features, class_weights):
    draw_parameters(model)
    initial = copy.deepcopy(model)

    outputs = model.layer_outputs(features, batch)
    logits = model.logits(outputs, batch)
    loss = functional.cross_entropy(logits, batch.labels, class_weights)
    loss.backward()
    buffers = [
        (name.replace("embedding.", "topology."), buffer)
        for name, buffer in model.named_buffers()
        if "num_batches" not in name
    ]

    return {
        "class_weights": flat(class_weights) if class_weights is not None else None,
        "graphs": graphs,
        "parameters": stored(initial.named_values(lambda parameter: parameter)),
        "layer_outputs": [flat(x) for x in outputs],
        "logits": flat(logits),
        "loss": rounded(loss.item()),
        "gradients": stored(model.named_values(lambda parameter: parameter.grad)),
        "buffers_after_one_forward": stored(buffers),
        "eval_logits": flat(model.eval()(features, batch)),
        "losses": [rounded(x) for x in train(initial, features, batch, class_weights)],
    }


def weights_of_classes(labelled):
    return torch.tensor([0.5, 1.25, 2.0]) if labelled else None


def gnn(name, kind, labelled):
    graphs = case_graphs(labelled)
    batch = Batch(graphs)
    features = batch.features(kind)
    classes = 3 if labelled else 2
    model = Model(name, features.shape[1], classes)
    return {
        "model": name,
        "features": kind,
        "hidden": HIDDEN,
        "heads": HEADS if name == "gat" else 1,
        "layers": LAYERS,
        "classes": classes,
        "max_nodes": MAX_NODES,
        **measured(model, graphs, batch, features, weights_of_classes(labelled)),
    }


def topology(model, labelled, **settings):
    """Node v has row v of E; with labels the table is too small for the largest graph."""
    graphs = case_graphs(labelled, edge_labels=labelled)
    batch = Batch(graphs)
    classes = 3 if labelled else 2
    settings["max_nodes"] = FEW_NODES if labelled else MAX_NODES
    network = model(batch, classes, settings)
    return {
        "model": model.__name__.lower(),
        "features": "+id",
        "embedding": EMBEDDING,
        "node_label_width": network.embedding.own.shape[1],
        "edge_label_width": network.embedding.edge.shape[1],
        "classes": classes,
        **settings,
        **measured(network, graphs, batch, None, weights_of_classes(labelled)),
    }


def transformer(labelled, **settings):
    sizes = {"width": 8, "heads": 2, "hidden": 12, "layers": 3, "mask_layers": 2}
    kind = {"norm_first": False, "mean_pool": False, "pool_norm": True}
    return topology(Transformer, labelled, **{**sizes, **kind, **settings})


def all_cases():
    for name in ("gcn", "gcn-sym", "gin", "gat"):
        for kind in ("", "+d", "+d+id"):
            yield name + kind, gnn(name, kind, labelled=False)
    yield "gin+d-labelled", gnn("gin", "+d", labelled=True)
    yield "transformer", transformer(labelled=False)
    yield "transformer-norm-first", transformer(
        labelled=False, norm_first=True, mean_pool=True
    )
    yield "transformer-labelled", transformer(labelled=True)
    yield "transformer-norm-first-labelled", transformer(
        labelled=True, norm_first=True, pool_norm=False
    )
    for labelled in (False, True):
        name = "fcnn-labelled" if labelled else "fcnn"
        yield name, topology(Fcnn, labelled, width=10, layers=2)
        yield f"{name}-by-node", topology(Fcnn, labelled, width=10, layers=2, by_node=True)


def text_of(values):
    """One line per key, so that a difference names what differs."""

    def lines(items, indent):
        return ",\n".join(f"{indent}{json.dumps(key)}: {value}" for key, value in items)

    def inner(value):
        if isinstance(value, dict):
            items = [(key, json.dumps(item, separators=(",", ":"))) for key, item in value.items()]
            return "{\n" + lines(items, "    ") + "\n  }"
        return json.dumps(value, separators=(",", ":"))

    return "{\n" + lines([(key, inner(value)) for key, value in values.items()], "  ") + "\n}\n"


def differences(expected, actual, where):
    if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
        pairs = [(expected[key], actual[key], f"{where} {key}") for key in expected]
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = [(a, b, f"{where}[{i}]") for i, (a, b) in enumerate(zip(expected, actual))]
    elif isinstance(expected, float) and isinstance(actual, float):
        same = math.isclose(expected, actual, rel_tol=1e-7, abs_tol=1e-10)
        return [] if same else [f"{where}: {expected} in the file, {actual} now"]
    else:
        return [] if expected == actual else [f"{where}: {expected} in the file, {actual} now"]
    return [text for pair in pairs for text in differences(*pair)]


def main():
    parser = argparse.ArgumentParser(description="Golden values of the networks.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where the files are")
    arguments = parser.parse_args()

    torch.set_default_dtype(torch.float64)
    faults = []
    for name, values in all_cases():
        path = arguments.folder / f"{name}.json"
        if arguments.check:
            now = json.loads(text_of(values))
            faults += differences(json.loads(path.read_text()), now, name)
        else:
            path.write_text(text_of(values))
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(f"{len(faults)} differences")


if __name__ == "__main__":
    main()
