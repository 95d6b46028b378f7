#pragma once

#include <pybind11/pybind11.h>

#include "graphs.hpp"

namespace bermuda::python {

/// All graphs in a few arrays, as PyG and other batching libraries want them, by name:
/// node_offsets and arc_offsets (graph i has those from offsets[i] to offsets[i + 1]), edge_index
/// (2 x arcs, both directions of every edge, ordered by source then target, nodes numbered within
/// their graph), node_mask and arc_mask (the witness), y; and where all graphs have them
/// node_labels, arc_labels and attributes. O(nodes + edges).
pybind11::dict packed(const Graphs& graphs);

}  // namespace bermuda::python
