#!/usr/bin/python3
"""Reference values of the networks, written by PyTorch in double precision.

This file is the specification of the models: it goes through dense adjacency matrices, so that
every equation stands on one line. For each model it stores parameters, the output of every layer,
logits, loss, all gradients, BatchNorm's statistics and ten losses of training.

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
from torch import nn
from torch.nn import functional

LAYERS = 3
HIDDEN = 12
HEADS = 3
EMBEDDING = 4  # of a node index, in networks that start from the paper's vectors
MAX_NODES = 8  # more than the largest graph has: the last rows of the table get no gradient
FEW_NODES = 5  # fewer than the largest graph has: its last node has no row
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
        self.edge_labels = None
        if "edge_labels" in graphs[0]:
            self.edge_labels = torch.zeros(total, total, dtype=torch.long)  # 0 without an edge
        first = 0
        for number, graph in enumerate(graphs):
            self.membership[number, first : first + graph["nodes"]] = 1
            for u, v in graph["edges"]:
                self.adjacency[first + u, first + v] = 1
                self.adjacency[first + v, first + u] = 1
            for (u, v), label in zip(graph["edges"], graph.get("edge_labels", [])):
                self.edge_labels[first + u, first + v] = label
                self.edge_labels[first + v, first + u] = label
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
        self.weight = nn.Parameter(torch.empty(features, HIDDEN))  # one row per feature
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
    e_uv = leaky_relu_0.2(<Z_v, source> + <Z_u, target>), one number per head
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

    def named_values(self, value):
        """Names of our parameters, and what value() makes of each."""
        return ((name, value(parameter)) for name, parameter in self.named_parameters())


class Topology(nn.Module):
    """The paper's first vectors, where E_v is the row of v's index, zero beyond the table:

    X_u = [sum over neighbours v of c_uv (outer) E_v, own vector of u's label, E_u]
    c_uv = (1, vector of the edge's label, vector of v's label as a neighbour)
    """

    def __init__(self, batch, rows):
        super().__init__()
        nodes = (4, 3) if batch.node_labels is not None else (0, 0)
        edges = (3, 2) if batch.edge_labels is not None else (0, 0)
        self.index = nn.Parameter(torch.empty(rows, EMBEDDING))
        self.edge = nn.Parameter(torch.empty(edges))
        self.neighbour = nn.Parameter(torch.empty(nodes))
        self.own = nn.Parameter(torch.empty(nodes))
        self.columns = (2 + edges[1] + nodes[1]) * EMBEDDING + nodes[1]

    def forward(self, batch):
        table = torch.cat([self.index, torch.zeros(1, EMBEDDING)])
        e = table[batch.index.clamp(max=len(self.index))]  # [N, EMBEDDING]
        coefficients = [torch.ones(len(e), len(e), 1)]  # [u, v, c]
        own = []
        if batch.edge_labels is not None:
            coefficients.append(self.edge[batch.edge_labels])
        if batch.node_labels is not None:
            coefficients.append(self.neighbour[batch.node_labels].expand(len(e), -1, -1))
            own.append(self.own[batch.node_labels])
        heard = batch.adjacency[:, :, None] * torch.cat(coefficients, dim=2)
        return torch.cat([torch.einsum("uvc,vw->ucw", heard, e).flatten(1), *own, e], dim=1)

    def flat(self, value):
        tables = (self.index, self.edge, self.neighbour, self.own)
        return torch.cat([value(table).flatten() for table in tables if table.numel() > 0])


class Transformer(nn.Module):
    """nn.TransformerEncoderLayer on X, then the pooled nodes through one hidden layer:

    H = norm1(X + attention(X)), X' = norm2(H + relu(H A^T) B^T), or with the norm first
    H = X + attention(norm1(X)), X' = H + relu(norm2(H) A^T) B^T, and a norm behind the last.
    Graphs are one sequence of N nodes, in which a node attends to itself and its neighbours in the
    first layers, to the nodes of its graph in the others.
    """

    def __init__(self, batch, classes, settings):
        super().__init__()
        self.settings = settings
        self.embedding = Topology(batch, settings["max_nodes"])
        width = settings["width"]
        self.project = None
        if self.embedding.columns != width:
            self.project = nn.Linear(self.embedding.columns, width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                width,
                settings["heads"],
                settings["hidden"],
                dropout=0,
                batch_first=True,
                norm_first=settings["norm_first"],
            )
            for _ in range(settings["layers"])
        )
        self.norm = nn.LayerNorm(width) if settings["norm_first"] else None
        self.pool_norm = nn.BatchNorm1d(width) if settings["pool_norm"] else None
        self.hidden = nn.Linear(width, width)
        self.scores = nn.Linear(width, classes)

    def layer_outputs(self, _, batch):
        x = self.embedding(batch)
        outputs = [self.project(x) if self.project else x]
        graph = batch.membership.T @ batch.membership
        neighbours = batch.adjacency + torch.eye(len(x))
        for number, layer in enumerate(self.layers):
            heard = neighbours if number < self.settings["mask_layers"] else graph
            outputs.append(layer(outputs[-1][None], src_mask=heard == 0)[0])
        return outputs

    def logits(self, outputs, batch):
        x = self.norm(outputs[-1]) if self.norm else outputs[-1]
        x = batch.membership @ x
        if self.settings["mean_pool"]:
            x = x / at_least_one(batch.membership.sum(dim=1, keepdim=True))
        x = self.pool_norm(x) if self.pool_norm else x
        return self.scores(functional.relu(self.hidden(x)))

    def forward(self, features, batch):
        return self.logits(self.layer_outputs(features, batch), batch)

    def named_values(self, value):
        """As our layers store them: end to end, in queries, keys and values the head fastest."""
        yield "topology.tables", self.embedding.flat(value)
        for number, layer in enumerate(self.layers):
            yield f"layer{number}", self.flat_layer(layer, value)
        if self.norm:
            yield "norm", value(self.norm.weight)
            yield "norm_bias", value(self.norm.bias)
        for name in ("project", "pool_norm", "hidden", "scores"):
            if getattr(self, name):
                yield f"{name}.weight", value(getattr(self, name).weight)
                yield f"{name}.bias", value(getattr(self, name).bias)

    def flat_layer(self, layer, value):
        width, heads = self.settings["width"], self.settings["heads"]
        order = torch.arange(width).view(heads, width // heads).T.flatten()  # PyTorch: head slowest
        attention = layer.self_attn
        parts = [
            value(attention.in_proj_weight).view(3, width, width)[:, order],
            value(attention.in_proj_bias).view(3, width)[:, order],
            value(attention.out_proj.weight)[:, order],
            value(attention.out_proj.bias),
        ]
        for part in (layer.norm1, layer.linear1, layer.linear2, layer.norm2):
            parts += [value(part.weight), value(part.bias)]
        return torch.cat([part.flatten() for part in parts])


class Fcnn(nn.Module):
    """The core tensor, the mode product of all topology modes with E, through hidden layers."""

    def __init__(self, batch, classes, settings):
        super().__init__()
        self.embedding = Topology(batch, settings["max_nodes"])
        core = (self.embedding.columns - EMBEDDING) * EMBEDDING
        widths = [core] + settings["layers"] * [settings["width"]] + [classes]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))

    def layer_outputs(self, _, batch):
        x = self.embedding(batch)
        rest, own = x[:, :-EMBEDDING], x[:, -EMBEDDING:]
        return [x, torch.einsum("gv,vr,vw->grw", batch.membership, rest, own).flatten(1)]

    def logits(self, outputs, _):
        x = outputs[-1]
        for layer in self.layers[:-1]:
            x = functional.relu(layer(x))
        return self.layers[-1](x)

    def forward(self, features, batch):
        return self.logits(self.layer_outputs(features, batch), batch)

    def named_values(self, value):
        yield "topology.tables", self.embedding.flat(value)
        for number, layer in enumerate(self.layers):
            yield f"layer{number}.weight", value(layer.weight)
            yield f"layer{number}.bias", value(layer.bias)


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


def case_graphs(labelled, edge_labels=False):
    graphs = []
    for _, nodes, edges, label, label_of_three, node_labels in GRAPHS:
        graph = {"nodes": nodes, "edges": edges, "label": label_of_three if labelled else label}
        if labelled:
            graph["node_labels"] = node_labels
        if edge_labels:
            graph["edge_labels"] = [(u + 2 * v) % 3 for u, v in edges]
        graphs.append(graph)
    return graphs


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
