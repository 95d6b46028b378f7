#!/usr/bin/python3
"""The graph neural networks in plain PyTorch, as fast as it gets on one core.

Usage: gnn_torch.py MODEL GRAPHS.jsonl [--batch 128] < what to time, as torch_timing.run() has it
       gnn_torch.py MODEL tests/data/golden/MODEL+d.json --check
MODEL is gcn, gin or gat, all with features +d. Batches are collated before the clock starts.
--check compares logits, loss and gradients with the golden values instead of timing.

Run it with
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
    MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=10000000000 MALLOC_TOP_PAD_=100000000
The second line keeps glibc from giving large temporaries back to the system: gat about 10 % faster,
gcn 2 to 10 %, gin no clear difference.

What was tried, 10 000 triangles graphs in batches of 128, torch 1.13, CPU seconds per epoch on one
core (extrapolated from a quarter of the batches, best of four; machine shared, so read ratios):

                                       gcn    gin    gat
  sums by embedding_bag (kept)         2.15   2.90   3.62
  sums by torch.sparse_csr_tensor @    2.29   3.14   4.04 (builds a matrix per call in the last layer)
  index_select and index_add           2.70   3.38   4.42
  BatchNorm1d written out by hand      2.15   2.80   3.65 (not kept: hardly a difference)
  Adam without foreach (kept: with)    +5 %   +3 %   -4 %

One sum over neighbours of 1685 nodes, 4734 directed edges, width 146, in microseconds:
embedding_bag 110, sparse CSR product 240 (32-bit indices the same), COO product 195, index_select
with index_add 420, segment_reduce 920, scatter_add 2300. Weights are free in embedding_bag, its
mode "mean" is not.
gat: attention-weighted sum over 8 heads by one embedding_bag over (node, head) 304, by messages and
segment sums (kept) 298; dot products of an edge, head by head, by multiplying and adding up (kept)
495, by einsum 780, by bmm 750; subtracting the largest score by scatter_reduce 171, a bound of it
(kept) 83; leaving it out would save 1 % of an epoch and risk overflow.
GEMM is 60 % of gcn, 50 % of gin, 40 % of gat.
"""

import argparse
import json

import torch
from torch import nn
from torch.nn import functional

import torch_timing

WIDTHS = {"gcn": 146, "gin": 110, "gat": 144}


class Rows:
    """A sparse matrix in CSR form: row i adds up scale[j] * x[columns[j]] for its entries j."""

    def __init__(self, columns, offsets, scale=None):
        self.columns, self.offsets, self.scale = columns.int(), offsets.int(), scale

    def times(self, x, scale=None):
        scale = self.scale if scale is None else scale
        return torch.embedding_bag(x, self.columns, self.offsets, False, 0, False, scale)[0]


class Product(torch.autograd.Function):
    """Sparse times dense; the transposed matrix is made in advance."""

    @staticmethod
    def forward(context, x, matrix, transposed):
        context.transposed = transposed
        return matrix.times(x)

    @staticmethod
    def backward(context, gradient):
        return context.transposed.times(gradient.contiguous()), None, None


class GinSum(torch.autograd.Function):
    """(1 + eps) x + A x with A symmetric."""

    @staticmethod
    def forward(context, x, eps, matrix):
        context.save_for_backward(x)
        context.matrix, context.factor = matrix, 1 + eps.item()
        return matrix.times(x).add_(x, alpha=context.factor)

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        total = context.matrix.times(gradient).add_(gradient, alpha=context.factor)
        return total, torch.dot(gradient.view(-1), x.view(-1)).view(1), None


class Attention(torch.autograd.Function):
    """Y_u = sum over neighbours v of softmax_v(leaky_relu(s_v + t_u)) Z_v.

    z [N, heads * K], the head being the slow index; scores [N, 2 heads] holds s, then t.
    """

    @staticmethod
    def forward(context, z, scores, edges):
        heads = scores.shape[1] // 2
        source, target = scores[:, :heads].contiguous(), scores[:, heads:].contiguous()
        # An upper bound of u's scores in place of their maximum: no overflow, no pass over edges.
        bound = functional.leaky_relu(target + source.amax(dim=0), 0.2)
        raw = source.index_select(0, edges.v).add_(target.index_select(0, edges.u))
        weights = functional.leaky_relu(raw, 0.2).sub_(bound.index_select(0, edges.u)).exp_()
        total = edges.sum_over_v.times(weights).clamp_(min=1e-30)
        alpha = weights.div_(total.index_select(0, edges.u))
        y = edges.aggregate(z, alpha)
        context.save_for_backward(z, y, alpha, raw)
        context.edges = edges
        return y

    @staticmethod
    def backward(context, gradient):
        z, y, alpha, raw = context.saved_tensors
        edges, heads = context.edges, alpha.shape[1]
        gradient = gradient.contiguous()
        d_z = edges.aggregate(gradient, alpha.index_select(0, edges.reverse))
        d_alpha = gradient.index_select(0, edges.u).mul_(z.index_select(0, edges.v))
        d_alpha = d_alpha.view(len(raw), heads, -1).sum(dim=2)
        centre = (gradient * y).view(len(y), heads, -1).sum(dim=2)  # = sum_v alpha d_alpha
        d_score = d_alpha.sub_(centre.index_select(0, edges.u)).mul_(alpha)
        d_raw = torch.ops.aten.leaky_relu_backward(d_score, raw, 0.2, False)
        d_source, d_target = edges.sum_over_u.times(d_raw), edges.sum_over_v.times(d_raw)
        return d_z, torch.cat([d_source, d_target], dim=1), None


class Edges:
    """Directed edges (u, v), both directions of each, sorted by u and then v."""

    def __init__(self, u, v, offsets):
        self.u, self.v = u, v
        self.reverse = torch.argsort(v * len(offsets) + u)  # the number of edge (v, u)
        self.neighbours = Rows(v, offsets)
        self.sum_over_v = Rows(torch.arange(len(u)), offsets)
        self.sum_over_u = Rows(self.reverse, offsets)

    def aggregate(self, z, alpha):
        """sum over v of alpha_uv z_v, head by head."""
        edges, heads = alpha.shape
        if heads == 1:
            return self.neighbours.times(z, alpha.view(-1))
        messages = z.index_select(0, self.v).view(edges, heads, -1).mul_(alpha[:, :, None])
        return self.sum_over_v.times(messages.view(edges, -1))


class Batch:
    def __init__(self, graphs):
        sizes = torch.tensor([graph["nodes"] for graph in graphs])
        first = torch.cumsum(sizes, 0) - sizes
        pairs = [
            (start + u, start + v)
            for graph, start in zip(graphs, first.tolist())
            for u, v in graph["edges"]
        ]
        pairs = torch.tensor(sorted(pairs + [(v, u) for u, v in pairs]))
        u, v = pairs[:, 0].contiguous(), pairs[:, 1].contiguous()
        nodes = int(sizes.sum())
        degrees = torch.bincount(u, minlength=nodes)
        offsets = torch.cumsum(degrees, 0) - degrees
        real = torch.get_default_dtype()

        self.labels = torch.tensor([graph["label"] for graph in graphs])
        self.features = torch.stack([torch.ones(nodes), degrees.to(real)], dim=1)
        self.edges = Edges(u, v, offsets)
        self.sum = Rows(v, offsets)
        share = 1 / degrees.to(real)  # of a node that is nobody's neighbour it is never used
        self.mean = Rows(v, offsets, share[u]), Rows(v, offsets, share[v])
        graph_of_node = torch.repeat_interleave(torch.arange(len(graphs)), sizes)
        node = torch.arange(nodes)
        self.pool_sum = Rows(node, first), Rows(graph_of_node, node)
        share = (1 / sizes.to(real))[graph_of_node]
        self.pool_mean = Rows(node, first, share), Rows(graph_of_node, node, share)


class Embedding(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, width) * 0.5)
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, features):
        return torch.addmm(self.bias, features, self.weight)


class GcnLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width, bias=False)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x, batch):
        z = Product.apply(self.linear(x), *batch.mean)
        return self.norm(z).relu_() + x


class GinLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.linear1 = nn.Linear(width, width, bias=False)
        self.norm1 = nn.BatchNorm1d(width)
        self.linear2 = nn.Linear(width, width, bias=False)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x, batch):
        z = self.linear1(GinSum.apply(x, self.eps, batch.sum))
        return self.norm(self.linear2(self.norm1(z).relu_())).relu_() + x


class GatLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.linear = nn.Linear(width, width, bias=False)
        scale = (width // heads) ** -0.5
        self.attention = nn.ParameterDict()
        for name in ("source", "target"):
            self.attention[name] = nn.Parameter(torch.randn(heads, width // heads) * scale)
        self.norm = nn.BatchNorm1d(width)
        self.register_buffer("own_head", torch.eye(heads)[:, None, :], persistent=False)

    def forward(self, x, batch):
        z = self.linear(x)
        vectors = torch.cat([self.per_head("source"), self.per_head("target")], dim=1)
        y = Attention.apply(z, z @ vectors, batch.edges)
        return functional.elu_(self.norm(y)) + x

    def per_head(self, name):
        """[width, heads], so that one matrix product gives the scores of all heads."""
        return (self.attention[name][:, :, None] * self.own_head).flatten(0, 1)


class Model(nn.Module):
    def __init__(self, name, width, heads=8, layers=6, classes=2):
        super().__init__()
        self.embedding = Embedding(width)
        if name == "gat":
            sequence = [GatLayer(width, heads) for _ in range(layers - 1)] + [GatLayer(width, 1)]
        else:
            sequence = [{"gcn": GcnLayer, "gin": GinLayer}[name](width) for _ in range(layers)]
        self.layers = nn.ModuleList(sequence)
        self.jumping = name == "gin"
        if self.jumping:
            self.scorers = nn.ModuleList(nn.Linear(width, classes) for _ in range(layers + 1))
        else:
            widths = [width, width // 2, width // 4, classes]
            self.readout = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))

    def forward(self, batch):
        x = self.embedding(batch.features)
        if self.jumping:
            logits = self.scorers[0](Product.apply(x, *batch.pool_sum))
            for layer, scorer in zip(self.layers, self.scorers[1:]):
                x = layer(x, batch)
                logits = logits + scorer(Product.apply(x, *batch.pool_sum))
            return logits
        for layer in self.layers:
            x = layer(x, batch)
        x = Product.apply(x, *batch.pool_mean)
        x = self.readout[0](x).relu_()
        x = self.readout[1](x).relu_()
        return self.readout[2](x)


def check(name, path):
    """Compares with golden values, where the head is the fast index of hidden units."""
    torch.set_default_dtype(torch.float64)
    with open(path) as file:
        golden = json.load(file)
    width, heads = golden["hidden"], golden["heads"]
    model = Model(name, width, heads, golden["layers"], golden["classes"])
    place = torch.arange(width).view(-1, heads).T.reshape(-1)

    def ours(key, item):
        values = torch.tensor(item["values"]).view(item["shape"])
        if "attention" in key:
            return values.T if values.shape[1] > 1 else values[place].T
        if values.shape[0] == width and "readout.0" not in key:
            values = values[place]
        if values.dim() == 2 and values.shape[1] == width:
            values = values[:, place]
        return values

    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(ours(key, golden["parameters"][key]))
    batch = Batch(golden["graphs"])
    logits = model(batch)
    loss = functional.cross_entropy(logits, batch.labels)
    loss.backward()

    def compare(actual, expected):
        torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-8)

    compare(logits.view(-1), torch.tensor(golden["logits"]))
    compare(loss.item(), golden["loss"])
    for key, parameter in model.named_parameters():
        compare(parameter.grad, ours(key, golden["gradients"][key]))
    print(f"{name}: logits, loss and gradients agree")


def main():
    parser = argparse.ArgumentParser(description="The graph neural networks in plain PyTorch.")
    parser.add_argument("model", choices=WIDTHS)
    parser.add_argument("graphs")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--check", action="store_true", help="GRAPHS is a file of golden values")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    if arguments.check:
        check(arguments.model, arguments.graphs)
        return
    graphs = torch_timing.read_graphs(arguments.graphs)
    batches = [Batch(part) for part in torch_timing.in_batches(graphs, arguments.batch)]
    torch_timing.run(Model(arguments.model, WIDTHS[arguments.model]), batches)


if __name__ == "__main__":
    main()
