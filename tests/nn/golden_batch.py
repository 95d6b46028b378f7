"""Golden values: the graphs, and the dense matrices that the networks see of them."""

import torch
from torch.nn import functional

MAX_NODES = 8  # more than the largest graph has: the last rows of the table get no gradient
FEW_NODES = 5  # fewer than the largest graph has: its last node has no row

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
