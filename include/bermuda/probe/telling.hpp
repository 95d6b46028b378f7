#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// A thing that a probe counts, or measures, and by which its model tells the classes apart.
struct TellingFeature {
  std::string words;   ///< "triangle", "edges between nodes of degree 2 and 3"
  std::string speaks;  ///< for what more of it speaks: "for 1", "against 3"
  double pull = 0;     ///< standard deviation over the graphs of what it adds to the score
  std::vector<std::size_t> graphs = {};  ///< by class: how many graphs have it
  std::vector<double> mean = {};         ///< by class: how often it occurs in a graph, or its value
  /// What it looks like, without nodes where there is nothing to draw: a graphlet, an edge or a
  /// node with its neighbours, a surrounding as a tree. What the feature is about is marked.
  Graph picture = {};
  Witness marked = {};
};

/// The features that move the score of a probe's model most, beginning with the strongest.
struct TellingProbe {
  std::string probe;
  std::vector<TellingFeature> features;
};

}  // namespace bermuda
