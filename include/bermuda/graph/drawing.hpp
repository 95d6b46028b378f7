#pragma once

#include <string>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

enum class PictureFormat { kSvg, kPng };

inline constexpr int kNodeColours = 8;

struct DrawingOptions {
  PictureFormat format = PictureFormat::kSvg;
  std::string layout = "neato";  ///< any Graphviz layout: neato, dot, fdp, sfdp, circo, twopi
  std::string title;             ///< printed below the graph; empty for none
  bool node_numbers = true;      ///< false: their labels, where the graph has any
  /// One per node: which of kNodeColours colours it is filled with, or -1 for none. In an SVG file
  /// the node is also of class "c0", "c1" and so on, for a style sheet. Empty: all are alike.
  std::vector<int> node_colours = {};
  /// One per edge, in the order of Graph::edges(), none negative: the widest line has the largest.
  /// Empty: all lines are alike, those of the witness bolder.
  std::vector<double> edge_weights = {};
};

/// A picture of the graph as the bytes of an SVG or PNG file, laid out by Graphviz; nodes and edges
/// of the witness are red and bold. The same graph gives the same picture, except with fdp, which
/// orders edges by memory address. Throws UsageError when Graphviz lacks the layout, Error when it
/// lacks the format.
///
/// Graphviz cannot be interrupted: graphs that take it more than a moment are drawn in a process of
/// their own. Its layouts take minutes from some thousand nodes on; such graphs stand on rings
/// instead, see layout_note().
std::string draw_graph(const Graph& graph, const Witness& witness, const DrawingOptions& options,
                       StopPoll stop = {});

/// Empty, or why the graph is not laid out as the options say: "1500 nodes and 3000 edges are too
/// many for layout neato (1000 and 10000): nodes stand on rings by their distance from the middle".
std::string layout_note(const Graph& graph, const DrawingOptions& options);

}  // namespace bermuda
