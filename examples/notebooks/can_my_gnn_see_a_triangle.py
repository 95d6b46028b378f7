# %% [markdown]
# # Can my GNN see a triangle?
# A network of your own, in your own loop, in the same table as ours: same folds, test graphs whose classes it never sees,
# and a word on whether a difference is more than luck. Here it is forty lines of plain PyTorch (Debian's python3-torch).
# Run it whole with `./bermuda python examples/notebooks/can_my_gnn_see_a_triangle.py`, or cell by cell.

# %%
import pathlib

import numpy as np
import torch
from torch import nn

import bermuda as bm

torch.set_num_threads(1)
pictures = pathlib.Path("pictures")
pictures.mkdir(exist_ok=True)

# %% [markdown]
# ## The network
# Messages are added up over neighbours (GIN), nodes over the graph. `packed()` has all graphs in a few arrays, so that
# a batch is a matter of adding offsets; with PyTorch Geometric, `graphs.to_pyg()` gives its `Data` instead.


# %%
class Batch:
    def __init__(self, graphs):
        packed = graphs.packed()
        shift = np.repeat(packed.node_offsets[:-1], np.diff(packed.arc_offsets))
        self.source, self.target = torch.from_numpy(packed.edge_index + shift).long()
        self.graph = torch.repeat_interleave(torch.from_numpy(np.diff(packed.node_offsets)).long())
        self.y = torch.from_numpy(packed.y).long()


class GNN(nn.Module):
    def __init__(self, width=32, layers=3):
        super().__init__()
        self.width = width
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU())
            for _ in range(layers))
        self.last = nn.Linear(width, 2)

    def forward(self, batch):
        x = torch.ones(len(batch.graph), self.width)
        for layer in self.layers:
            x = layer(x.index_add(0, batch.target, x[batch.source]))
        return self.last(torch.zeros(len(batch.y), self.width).index_add(0, batch.graph, x))


def train(graphs, valid, seed, epochs=40):
    torch.manual_seed(seed)
    model, learnt, chosen = GNN(), Batch(graphs), Batch(valid)
    adam, best, kept = torch.optim.Adam(model.parameters(), lr=0.01), -1.0, {}
    for _ in range(epochs):
        model.train()
        adam.zero_grad()
        nn.functional.cross_entropy(model(learnt), learnt.y).backward()
        adam.step()
        right = (scores(model, chosen).argmax(1) == chosen.y.numpy()).mean()
        if right > best:
            best, kept = right, {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(kept)
    return model


def scores(model, batch):
    model.eval()
    with torch.no_grad():
        return model(batch).numpy()


# %% [markdown]
# ## The study
# A study keeps its results in a store. Beside the network stand two of our methods: Weisfeiler-Leman colours, which no
# network of this kind can outdo, and graphlets, which hold the triangle. `runs` hands out what is not done yet, so that
# the cell can be stopped and run again; the graphs of `run.test` have no classes, and an order and ids that tell nothing.

# %%
made = bm.make("triangles", candidates=20_000, train=600, valid=100, test=200, quiet=True)
study = bm.Study(made, store="triangles.sqlite", compare=["svm-wl", "svm-graphlet"])
for run in study.runs("my-gnn", folds=range(3)):
    model = train(run.train, run.valid, run.seed)
    run.record(scores=scores(model, Batch(run.test)))
    print(run)

# %% [markdown]
# ## The answer
# `*` is the best of its column, `=` would not differ from it significantly.

# %%
table = study.table()
print(table)
study.report("triangles.html", force=True)
gnn, best = table["my-gnn", "triangles"], table["svm-graphlet", "triangles"]
print(f"my-gnn {gnn['mean']:.1f} % [{gnn['low']:.1f}, {gnn['high']:.1f}], svm-graphlet {best['mean']:.1f} %")
print("No: it is no better than a coin." if gnn["low"] <= 50 else "It sees something.")

# %% [markdown]
# One of the test graphs that have a triangle:

# %%
graph = next(graph for graph in made.test if graph.class_name == "1")
(pictures / "unseen.svg").write_text(graph.to_svg(title="the triangle that it does not see"), encoding="utf-8")

# %% [markdown]
# ![](pictures/unseen.svg)
