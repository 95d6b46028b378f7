# %% [markdown]
# # Is my data set about topology?
# A model that does well on graphs need not have looked at how they hang together: counting nodes or edges may do.
# An audit asks probes, from counts over degrees and Weisfeiler-Leman colours to graphlets, how much of the classes
# each can tell. Run it whole with `./bermuda python examples/notebooks/is_my_data_about_topology.py`, or cell by cell.

# %%
import pathlib

import networkx as nx

import bermuda as bm

pictures = pathlib.Path("pictures")
pictures.mkdir(exist_ok=True)

# %% [markdown]
# ## Data as it often is
# Small worlds, where rewiring is the class. Surely that is about structure?

# %%
shares = {"ordered": 0.05, "rewired": 0.4}
graphs = [nx.connected_watts_strogatz_graph(20, 4, share, seed=seed) for seed in range(150) for share in shares.values()]
y = list(shares) * 150
worlds = bm.audit(graphs, y, convert={"name": "small worlds"}, quiet=True)
worlds.save(pictures / "small_worlds.svg")
print(worlds)

# %% [markdown]
# ![](pictures/small_worlds.svg)
#
# The second rung tells nearly all: rewiring spreads degrees, so a histogram of degrees is enough. A graph network that
# reaches the same has shown that it can count neighbours, and nothing more.

# %%
print(f"by degrees alone: {worlds['degrees'].accuracy * 100:.1f} %, majority {worlds.majority * 100:.1f} %")
print(worlds.summary)

# %% [markdown]
# ## Data that is about topology
# `bm.make` makes candidates, then throws out what a linear model on such features can tell. Whether there is a
# triangle must be found by looking; the graphs that have one say where it is.

# %%
made = bm.make("triangles", candidates=20_000, train=600, valid=100, test=100, quiet=True)
triangles = bm.audit(made, quiet=True)
triangles.save(pictures / "triangles.svg")
triangles.save(pictures / "triangles.html")
print(triangles)

# %% [markdown]
# ![](pictures/triangles.svg)
#
# Up to degrees and colours the ladder stays near the dashed line; graphlets, which have the triangle among them, see
# it. What a model reaches here it has reached by looking at edges between neighbours.

# %%
graph = next(graph for graph in made.test if graph.class_name == "1")
title = f"{graph.id}: {graph.n} nodes, its only triangle in red"
(pictures / "witness.svg").write_text(graph.to_svg(title=title), encoding="utf-8")
print(title, graph.witness_edges.tolist())

# %% [markdown]
# ![](pictures/witness.svg)
#
# ## Yours
# `bm.audit(graphs, y)` takes networkx graphs, PyTorch Geometric data, pairs of a number of nodes and edges, or the
# folder of a data set. Look for the lowest rung that reaches what your model reaches: that is all your model has shown.
