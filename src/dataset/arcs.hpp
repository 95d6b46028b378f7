#pragma once

#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// One direction of an edge and the line of the file that gives it.
struct Arc {
  int from;
  int to;
  long line;
};

struct MergedEdge {
  Edge edge;              ///< u < v
  long line = 0;          ///< of the direction that came first
  long reverse_line = 0;  ///< of the other, 0 when it never came
};

/// Puts the two directions of every edge together; edges ascend. Throws Fault, with its line, when
/// a direction is given twice. Sorts arcs.
std::vector<MergedEdge> merge_arcs(std::vector<Arc>& arcs);

}  // namespace bermuda
