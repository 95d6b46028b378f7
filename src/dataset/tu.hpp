#pragma once

#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

// Names of the files of a TU data set behind its prefix.
inline constexpr const char* kTuEdges = "_A.txt";
inline constexpr const char* kTuIndicator = "_graph_indicator.txt";
inline constexpr const char* kTuClasses = "_graph_labels.txt";
inline constexpr const char* kTuNodeLabels = "_node_labels.txt";
inline constexpr const char* kTuEdgeLabels = "_edge_labels.txt";
inline constexpr const char* kTuAttributes = "_node_attributes.txt";
/// For sets whose own name cannot be used.
inline constexpr const char* kTuDefaultName = "DS";
/// Ours: what other programs ignore and we need back (id, split, hits, origin, witness).
inline constexpr const char* kTuIds = "_graph_ids.txt";

std::vector<std::string> tu_losses(const DataSet& data);

}  // namespace bermuda
