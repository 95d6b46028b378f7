"""To PyTorch Geometric, which is imported here and nowhere else."""
from __future__ import annotations

from typing import Any

import numpy as np

from .graphs import GraphList


def to_pyg(graphs: GraphList) -> list[Any]:
    import torch
    from torch_geometric.data import Data

    packed = graphs.packed()
    nodes, arcs = packed.node_offsets.tolist(), packed.arc_offsets.tolist()
    edge_index, y = torch.from_numpy(packed.edge_index), torch.from_numpy(packed.y)
    by_node: dict[str, Any] = {"node_mask": packed.node_mask, "node_label": packed.node_labels}
    if packed.attributes is not None:
        by_node["x"] = packed.attributes.astype(np.float32)
    by_arc: dict[str, Any] = {"edge_mask": packed.arc_mask, "edge_label": packed.arc_labels}
    node_tensors = {name: torch.from_numpy(array) for name, array in by_node.items() if array is not None}
    arc_tensors = {name: torch.from_numpy(array) for name, array in by_arc.items() if array is not None}
    made = []
    for place in range(len(graphs)):
        of_nodes, of_arcs = slice(*nodes[place:place + 2]), slice(*arcs[place:place + 2])
        made.append(Data(edge_index=edge_index[:, of_arcs], y=y[place:place + 1],
                         num_nodes=nodes[place + 1] - nodes[place],
                         **{name: whole[of_nodes] for name, whole in node_tensors.items()},
                         **{name: whole[of_arcs] for name, whole in arc_tensors.items()}))
    return made
