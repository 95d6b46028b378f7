#!/usr/bin/python3
"""Reference values of the graph neural networks, written by PyTorch in double precision.

This file is the specification of the models: it goes through dense adjacency matrices, so that
every equation stands on one line. For each model it stores parameters, the output of every layer,
logits, loss, all gradients, BatchNorm's statistics and ten losses of training.

    OMP_NUM_THREADS=1 python3 make_golden.py            writes tests/data/golden/*.json
    OMP_NUM_THREADS=1 python3 make_golden.py --check    recomputes and compares

What the numbers mean:
  layer_outputs              X_0 (the embedding) to X_L, row by row, in training mode
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
from torch import nn
from torch.nn import functional

LAYERS = 3
HIDDEN = 12
HEADS = 3
MAX_NODES = 8  # more than the largest graph has: the last rows of the table get no gradient
SEED = 163  # keeps values off the kinks of ReLU and lets attention straddle them
TRAINING_STEPS = 10
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "golden"

# name, nodes, edges, class, class and node labels of the labelled data with three classes
GRAPHS = [
    ("triangle", 3, [(0, 1), (0, 2), (1, 2)], 1, 2, [0, 1, 1]),
    ("path", 5, [(0, 1), (1, 2), (2, 3), (3, 4)], 0, 0, [3, 0, 1, 0, 2]),
    ("star", 5, [(0, 1), (0, 2), (0, 3), (0, 4)], 0, 1, [2, 0, 0, 1, 3]),
    ("isolated node", 4, [(0, 1), (0, 3), (1, 3)], 1, 0, [1, 1, 2, 0]),
    ("single node", 1, [], 0, 2, [1]),
    ("disjoint edges", 4, [(0, 3), (1, 2)], 1, 1, [0, 0, 1, 3]),
    ("cycle", 6, [(0, 1), (0, 5), (1, 2), (2, 3), (3, 4), (4, 5)], 1, 0, [2] * 6),  # WL-equal
    ("house", 5, [(0, 1), (0, 3), (1, 2), (1, 4), (2, 3), (2, 4)], 0, 0, [0, 1, 2, 3, 0]),
    # node i of the house is node (3, 0, 4, 2, 1)[i] here
    ("house again", 5, [(0, 1), (0, 3), (0, 4), (1, 4), (2, 3), (2, 4)], 1, 0, [1, 0, 3, 0, 2]),
    ("no nodes", 0, [], 0, 1, []),
]


class Batch:
    """Graphs side by side as one graph of N nodes."""

    def __init__(self, graphs):
        sizes = [graph["nodes"] for graph in graphs]
        total = sum(sizes)
        self.adjacency = torch.zeros(total, total)  # [N, N]
        self.membership = torch.zeros(len(graphs), total)  # [G, N], 1 for the graph's nodes
        self.index = torch.cat([torch.arange(size) for size in sizes])  # within its graph
        self.labels = torch.tensor([graph["label"] for graph in graphs])  # [G]
        self.node_labels = None
        if "node_labels" in graphs[0]:
            labels = [label for graph in graphs for label in graph["node_labels"]]
            self.node_labels = torch.tensor(labels)
        first = 0
        for number, graph in enumerate(graphs):
            self.membership[number, first : first + graph["nodes"]] = 1
            for u, v in graph["edges"]:
                self.adjacency[first + u, first + v] = 1
                self.adjacency[first + v, first + u] = 1
            first += graph["nodes"]

    def degrees(self):
        return self.adjacency.sum(dim=1, keepdim=True)

    def features(self, kind):
        """Columns: a constant or the one-hot label; the degree (+d); the one-hot index (+id)."""
        if self.node_labels is None:
            columns = [torch.ones(len(self.index), 1)]
        else:
            columns = [functional.one_hot(self.node_labels).double()]
        if "+d" in kind:
            columns.append(self.degrees())
        if "+id" in kind:
            columns.append(functional.one_hot(self.index, MAX_NODES).double())
        return torch.cat(columns, dim=1)


def at_least_one(counts):
    """Divisor of a mean over a possibly empty set, whose sum is zero."""
    return counts.clamp(min=1)


class Embedding(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(features, HIDDEN))  # one row a feature
        self.bias = nn.Parameter(torch.empty(HIDDEN))

    def forward(self, features):
        return features @ self.weight + self.bias


class GcnLayer(nn.Module):
    """X' = relu(BN(A X W^T)) + X, where A averages over the neighbours."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm = nn.BatchNorm1d(HIDDEN)

    def forward(self, x, batch):
        z = self.normalised(batch) @ self.linear(x)
        return functional.relu(self.norm(z)) + x

    def normalised(self, batch):
        return batch.adjacency / at_least_one(batch.degrees())


class GcnSymLayer(GcnLayer):
    """Kipf and Welling: self loops, coefficient 1 / sqrt((d_u + 1)(d_v + 1))."""

    def normalised(self, batch):
        scale = (batch.degrees() + 1).rsqrt()
        return scale * (batch.adjacency + torch.eye(len(scale))) * scale.T


class GinLayer(nn.Module):
    """Z = ((1 + eps) X + A X) W1^T;  X' = relu(BN(relu(BN1(Z)) W2^T)) + X, where A adds."""

    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.empty(1))
        self.linear1 = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm1 = nn.BatchNorm1d(HIDDEN)
        self.linear2 = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm = nn.BatchNorm1d(HIDDEN)

    def forward(self, x, batch):
        z = self.linear1((1 + self.eps) * x + batch.adjacency @ x)
        h = self.linear2(functional.relu(self.norm1(z)))
        return functional.relu(self.norm(h)) + x


class GatLayer(nn.Module):
    """Additive attention of node u over its neighbours v, `heads` heads side by side.

    Z = X W^T viewed as [N, K, H], the head being the last and fastest index
    e_uv = leaky_relu_0.2(<Z_v, source> + <Z_u, target>), one number a head
    Y_u = sum_v softmax_v(e_uv) Z_v, zero without neighbours;  X' = elu(BN(Y)) + X
    """

    def __init__(self, heads):
        super().__init__()
        self.linear = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.attention = nn.ParameterDict(
            {
                "source": nn.Parameter(torch.empty(HIDDEN // heads, heads)),
                "target": nn.Parameter(torch.empty(HIDDEN // heads, heads)),
            }
        )
        self.norm = nn.BatchNorm1d(HIDDEN)

    def forward(self, x, batch):
        z = self.linear(x).view(len(x), *self.attention["source"].shape)  # [N, K, H]
        source = (z * self.attention["source"]).sum(dim=1)  # [N, H]
        target = (z * self.attention["target"]).sum(dim=1)
        scores = functional.leaky_relu(target[:, None] + source[None, :], 0.2)  # [u, v, H]
        weights = scores.exp() * batch.adjacency[:, :, None]
        total = weights.sum(dim=1, keepdim=True)
        attention = weights / torch.where(total > 0, total, torch.ones_like(total))
        y = torch.einsum("uvh,vkh->ukh", attention, z).reshape(len(x), HIDDEN)
        return functional.elu(self.norm(y)) + x


class Model(nn.Module):
    def __init__(self, name, features, classes):
        super().__init__()
        self.embedding = Embedding(features)
        self.layers = nn.ModuleList(self.layer(name, number) for number in range(LAYERS))
        self.jumping = name == "gin"
        if self.jumping:
            self.scorers = nn.ModuleList(nn.Linear(HIDDEN, classes) for _ in range(LAYERS + 1))
        else:
            widths = [HIDDEN, HIDDEN // 2, HIDDEN // 4, classes]
            self.readout = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))

    @staticmethod
    def layer(name, number):
        if name == "gcn":
            return GcnLayer()
        if name == "gcn-sym":
            return GcnSymLayer()
        if name == "gin":
            return GinLayer()
        return GatLayer(heads=HEADS if number < LAYERS - 1 else 1)

    def layer_outputs(self, features, batch):
        outputs = [self.embedding(features)]
        for layer in self.layers:
            outputs.append(layer(outputs[-1], batch))
        return outputs

    def logits(self, outputs, batch):
        if self.jumping:
            return sum(score(batch.membership @ x) for score, x in zip(self.scorers, outputs))
        x = batch.membership @ outputs[-1] / at_least_one(batch.membership.sum(dim=1, keepdim=True))
        x = functional.relu(self.readout[0](x))
        x = functional.relu(self.readout[1](x))
        return self.readout[2](x)

    def forward(self, features, batch):
        return self.logits(self.layer_outputs(features, batch), batch)


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


def case(name, kind, labelled):
    graphs = []
    for _, nodes, edges, label, label_of_three, node_labels in GRAPHS:
        graph = {"nodes": nodes, "edges": edges, "label": label_of_three if labelled else label}
        if labelled:
            graph["node_labels"] = node_labels
        graphs.append(graph)
    batch = Batch(graphs)
    features = batch.features(kind)
    classes = 3 if labelled else 2
    class_weights = torch.tensor([0.5, 1.25, 2.0]) if labelled else None

    model = Model(name, features.shape[1], classes)
    draw_parameters(model)
    initial = copy.deepcopy(model)

    outputs = model.layer_outputs(features, batch)
    logits = model.logits(outputs, batch)
    loss = functional.cross_entropy(logits, batch.labels, class_weights)
    loss.backward()
    buffers = [item for item in model.named_buffers() if "num_batches" not in item[0]]

    return {
        "model": name,
        "features": kind,
        "hidden": HIDDEN,
        "heads": HEADS if name == "gat" else 1,
        "layers": LAYERS,
        "classes": classes,
        "max_nodes": MAX_NODES,
        "class_weights": flat(class_weights) if labelled else None,
        "graphs": graphs,
        "parameters": stored(initial.named_parameters()),
        "layer_outputs": [flat(x) for x in outputs],
        "logits": flat(logits),
        "loss": rounded(loss.item()),
        "gradients": stored((key, value.grad) for key, value in model.named_parameters()),
        "buffers_after_one_forward": stored(buffers),
        "eval_logits": flat(model.eval()(features, batch)),
        "losses": [rounded(x) for x in train(initial, features, batch, class_weights)],
    }


def all_cases():
    for name in ("gcn", "gcn-sym", "gin", "gat"):
        for kind in ("", "+d", "+d+id"):
            yield name + kind, case(name, kind, labelled=False)
    yield "gin+d-labelled", case("gin", "+d", labelled=True)


def text_of(values):
    """One line a key, so that a difference names what differs."""

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
    parser = argparse.ArgumentParser(description="Golden values of the graph neural networks.")
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
