"""What the PyTorch peers share: reading graphs and timing epochs."""

import json
import sys
import time

import torch
from torch.nn import functional


def read_graphs(path):
    """Graphs of a JSON lines file (src/dataset/FORMATS.md) with classes numbered from 0."""
    with open(path) as lines:
        graphs = [json.loads(line) for line in lines]
    names = sorted({str(graph["class"]) for graph in graphs})
    for graph in graphs:
        graph["label"] = names.index(str(graph["class"]))
    return graphs


def in_batches(graphs, size):
    return [graphs[first : first + size] for first in range(0, len(graphs), size)]


def train_epoch(model, batches, optimizer):
    """Mean loss of an epoch."""
    total = 0.0
    for batch in batches:
        optimizer.zero_grad(set_to_none=True)
        loss = functional.cross_entropy(model(batch), batch.labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(batches)


def run(model, batches):
    """Says that it is ready, then times an epoch for each line on standard input, "training" or "inference", and
    prints the seconds of CPU time. So whoever asks can time something else in between."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True)
    print("ready", flush=True)
    for line in sys.stdin:
        start = time.process_time()
        if line.strip() == "training":
            model.train()
            train_epoch(model, batches, optimizer)
        else:
            model.eval()
            with torch.no_grad():
                for batch in batches:
                    model(batch)
        print(round(time.process_time() - start, 4), flush=True)
