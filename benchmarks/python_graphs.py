"""What Python costs: converting 12,000 graphs, and an audit of networkx graphs against the command line's.

    ./bermuda python benchmarks/python_graphs.py

Checks its answers first. CPU seconds of this process (and of the program); one thread.
"""
from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
import time
from types import SimpleNamespace

import bermuda as bm


def timed(what, call):
    began = time.process_time()
    result = call()
    seconds = time.process_time() - began
    print(f"{what:45} {seconds:8.3f} s", flush=True)
    return result, seconds


def pyg_like(graphs):
    packed = graphs.packed()
    nodes, arcs = packed.node_offsets.tolist(), packed.arc_offsets.tolist()
    return [SimpleNamespace(edge_index=packed.edge_index[:, arcs[i]:arcs[i + 1]], num_nodes=nodes[i + 1] - nodes[i])
            for i in range(len(graphs))]


def same(left, right):
    return len(left) == len(right) and all(a.n == b.n and (a.edges == b.edges).all() for a, b in zip(left, right))


def audit_by_program(data):
    with tempfile.TemporaryDirectory() as folder:
        data.save(os.path.join(folder, "data"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = subprocess.run([os.environ["BERMUDA_PROGRAM"], "audit", os.path.join(folder, "data"), "--threads", "1",
                               "--quiet", "--json"], check=True, capture_output=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{'bermuda audit':45} {seconds:8.3f} s", flush=True)
    return json.loads(said), seconds


def main():
    data = bm.make("triangles", quiet=True)
    graphs, _ = timed(f"to_networkx, {len(data)} graphs", data.to_networkx)
    timed("packed", data.packed)
    likes, _ = timed("a view per graph, as to_pyg", lambda: pyg_like(data))
    again, _ = timed("from_pyg", lambda: bm.from_pyg(likes, data.y))
    assert same(data, again)
    converted, _ = timed("from_networkx", lambda: bm.from_networkx(graphs, data.y, name=data.name))
    assert same(data, converted)
    expected, by_program = audit_by_program(data)
    found, by_python = timed("bm.audit(networkx graphs)",
                             lambda: bm.audit(graphs, data.y, threads=1, quiet=True, convert={"name": data.name}))
    probes = [probe["accuracy"] for probe in expected["probes"]]
    print(f"audit: {by_python / by_program:.2f} x the program's time; "
          f"{sum(p.accuracy == q for p, q in zip(found, probes))} of {len(probes)} probes alike")


main()
