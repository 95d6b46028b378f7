#pragma once

#include <string>
#include <string_view>

#include "bermuda/core/error.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// Thrown for text that is neither graph6 nor sparse6 of a simple graph.
class Graph6Error : public Error {
 public:
  using Error::Error;
};

/// The topology as graph6, or as sparse6 (first character ':') where that is shorter.
std::string encode_graph6(const Graph& graph);
/// The same at the end of a text.
void append_graph6(std::string& out, const Graph& graph);

/// As graph6, however long that is.
void append_dense_graph6(std::string& out, const Graph& graph);

/// Reads either. Throws Graph6Error: bad character, wrong length, padding that is not zero in
/// graph6, loops or repeated edges in sparse6, more than max_nodes nodes.
Graph decode_graph6(std::string_view text, int max_nodes = 1 << 20);

}  // namespace bermuda
