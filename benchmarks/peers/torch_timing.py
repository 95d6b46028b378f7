"""What the PyTorch peers share: reading graphs, timing epochs, the machine's speed in GEMM."""

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


class Clock:
    """Seconds since it was made: CPU time of this process, and wall time."""

    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def seconds(self):
        cpu, wall = time.process_time() - self.cpu, time.perf_counter() - self.wall
        return {"cpu": round(cpu, 4), "wall": round(wall, 4)}


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


def gemm_rate(rows, inner, columns):
    """Best GFLOP/s of a single-precision product [rows, inner] x [inner, columns]."""
    a, b = torch.randn(rows, inner), torch.randn(inner, columns)
    out = torch.empty(rows, columns)
    best = float("inf")
    for _ in range(5 if rows * inner * columns > 1e9 else 200):
        start = time.process_time()
        torch.mm(a, b, out=out)
        best = min(best, time.process_time() - start)
    return round(2e-9 * rows * inner * columns / best, 1)


def run(name, model, batches, epochs, inference, nodes, width):
    """Times training, then inference if asked for, and prints one JSON object."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True)
    model.train()
    seconds, losses = [], []
    for _ in range(epochs):
        clock = Clock()
        losses.append(train_epoch(model, batches, optimizer))
        seconds.append(clock.seconds())

    inference_seconds = None
    if inference:
        model.eval()
        with torch.no_grad():
            clock = Clock()
            for batch in batches:
                model(batch)
            inference_seconds = clock.seconds()

    result = {
        "model": name,
        "torch": torch.__version__,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "nodes": nodes,
        "batches": len(batches),
        "epoch_seconds": seconds,
        "first_epoch_loss": losses[0] if losses else None,
        "inference_seconds": inference_seconds,
        "gemm_gflops_2048": gemm_rate(2048, 2048, 2048),
        "gemm_gflops_batch": gemm_rate(nodes // len(batches), width, width),
    }
    json.dump(result, sys.stdout)
    print()
