"""Golden values: networks that start from the paper's vectors."""

import torch
from torch import nn
from torch.nn import functional

from golden_batch import at_least_one

EMBEDDING = 4  # of a node index


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
    """Through hidden layers: the core tensor, the mode product of all topology modes with E; or, by
    node, each node's first vector, and then the sum over nodes is normalised."""

    def __init__(self, batch, classes, settings):
        super().__init__()
        self.by_node = settings.get("by_node", False)
        self.embedding = Topology(batch, settings["max_nodes"])
        core = (self.embedding.columns - EMBEDDING) * EMBEDDING
        inputs = self.embedding.columns if self.by_node else core
        widths = [inputs] + settings["layers"] * [settings["width"]] + [classes]
        self.core_norm = nn.BatchNorm1d(settings["width"]) if self.by_node else None
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))

    def through_hidden(self, x):
        for layer in self.layers[:-1]:
            x = functional.relu(layer(x))
        return x

    def layer_outputs(self, _, batch):
        x = self.embedding(batch)
        if self.by_node:
            return [x, batch.membership @ self.through_hidden(x)]
        rest, own = x[:, :-EMBEDDING], x[:, -EMBEDDING:]
        return [x, torch.einsum("gv,vr,vw->grw", batch.membership, rest, own).flatten(1)]

    def logits(self, outputs, _):
        x = outputs[-1]
        return self.layers[-1](self.core_norm(x) if self.by_node else self.through_hidden(x))

    def forward(self, features, batch):
        return self.logits(self.layer_outputs(features, batch), batch)

    def named_values(self, value):
        yield "topology.tables", self.embedding.flat(value)
        if self.core_norm:
            yield "core_norm.weight", value(self.core_norm.weight)
            yield "core_norm.bias", value(self.core_norm.bias)
        for number, layer in enumerate(self.layers):
            yield f"layer{number}.weight", value(layer.weight)
            yield f"layer{number}.bias", value(layer.bias)
