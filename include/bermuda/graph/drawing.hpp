#pragma once

#include <string>
#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

enum class PictureFormat { kSvg, kPng };

struct DrawingOptions {
  PictureFormat format = PictureFormat::kSvg;
  std::string layout = "neato";  ///< any Graphviz layout: neato, dot, fdp, sfdp, circo, twopi
  std::string title;             ///< printed below the graph; empty for none
  bool node_numbers = true;
  /// One per edge, in the order of Graph::edges(), none negative: the widest line has the largest.
  /// Empty: all lines are alike, those of the witness bolder.
  std::vector<double> edge_weights = {};
};

/// A picture of the graph as the bytes of an SVG or PNG file, laid out by Graphviz; nodes and edges
/// of the witness are red and bold. The same graph gives the same picture, except with fdp, which
/// orders edges by memory address. Throws UsageError when Graphviz lacks the layout, Error when it
/// lacks the format.
std::string draw_graph(const Graph& graph, const Witness& witness, const DrawingOptions& options);

}  // namespace bermuda
