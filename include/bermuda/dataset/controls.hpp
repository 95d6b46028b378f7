#pragma once

#include <cstdint>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

// What tells whether a result is one: data sets that a method has nothing, or something else, to go
// by. All follow from the seed and the graphs' places.

/// Renumbers the nodes of every graph at random; labels, attributes and witnesses go with them.
void shuffle_nodes(DataSet& data, std::uint64_t seed);

/// Deals out the classes of the training split anew among its graphs, which lose their witnesses:
/// whoever learns from them knows nothing of the test split, which stays as it is. Without these
/// two splits the classes of all graphs.
void permute_classes(DataSet& data, std::uint64_t seed);

}  // namespace bermuda
