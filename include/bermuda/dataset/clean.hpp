#pragma once

#include <cstddef>
#include <span>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// How many graphs were dropped, and why.
struct Cleaning {
  std::size_t repeats = 0;      ///< isomorphic to a graph that stayed
  std::size_t conflicting = 0;  ///< isomorphic to a graph of another class: none of these stays
};

/// Leaves one of each class of isomorphic graphs, and none where these have different classes.
/// class_of says which are isomorphic, over all splits, as isomorphism_classes() does. Of twins in
/// several splits the one of "test" stays, else that of "valid", so that what a model is measured
/// by changes least; inside a split the first. What was done goes into the provenance, as
/// "cleaned".
Cleaning drop_twins(DataSet& data, std::span<const std::size_t> class_of);

}  // namespace bermuda
