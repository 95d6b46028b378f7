#!/usr/bin/python3
"""A Transformer on graphs in plain PyTorch: nn.TransformerEncoder over padded batches.

Usage: transformer_torch.py GRAPHS.jsonl [--batch 128] < what to time, as torch_timing.run() has it
Node i starts as [E_i, sum of E_j over its neighbours j], E being a table with one row per node index;
4 post-norm layers, 4 heads, sum over nodes, a linear head. A batch is padded to its largest graph
before the clock starts. Run it with the environment of gnn_torch.py.

10 000 triangles graphs in batches of 128, torch 1.13: 4.0 CPU seconds per epoch, inference 1.5 (2.3
with the encoder's nested tensors, hence switched off). About half of training is bmm of small
matrices, by PyTorch's profiler; glibc's settings make no clear difference.
"""

import argparse

import torch
from torch import nn

import torch_timing

WIDTH = 32


class Batch:
    def __init__(self, graphs):
        longest = max(graph["nodes"] for graph in graphs)
        self.labels = torch.tensor([graph["label"] for graph in graphs])
        self.adjacency = torch.zeros(len(graphs), longest, longest)
        self.padding = torch.ones(len(graphs), longest, dtype=torch.bool)  # true where no node is
        for number, graph in enumerate(graphs):
            self.padding[number, : graph["nodes"]] = False
            for u, v in graph["edges"]:
                self.adjacency[number, u, v] = self.adjacency[number, v, u] = 1
        self.is_node = (~self.padding).float()[:, :, None]


class Model(nn.Module):
    def __init__(self, max_nodes, classes=2):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_nodes, WIDTH // 2))
        layer = nn.TransformerEncoderLayer(
            WIDTH, nhead=4, dim_feedforward=128, dropout=0.0, batch_first=True, norm_first=False
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers=4, enable_nested_tensor=False)
        self.head = nn.Linear(WIDTH, classes)

    def forward(self, batch):
        own = self.table[: batch.adjacency.shape[1]]
        x = torch.cat([own.expand(len(batch.labels), -1, -1), batch.adjacency @ own], dim=2)
        x = self.encoder(x, src_key_padding_mask=batch.padding)
        return self.head((x * batch.is_node).sum(dim=1))


def main():
    parser = argparse.ArgumentParser(description="A Transformer on graphs in plain PyTorch.")
    parser.add_argument("graphs")
    parser.add_argument("--batch", type=int, default=128)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    graphs = torch_timing.read_graphs(arguments.graphs)
    batches = [Batch(part) for part in torch_timing.in_batches(graphs, arguments.batch)]
    torch_timing.run(Model(max(graph["nodes"] for graph in graphs)), batches)


if __name__ == "__main__":
    main()
