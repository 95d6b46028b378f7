#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/probe/audit.hpp"

namespace bermuda {

/// How far the labels are a function of a grouping of the items.
struct Agreement {
  std::size_t groups = 0;
  std::size_t repeated_groups = 0;  ///< of two or more items
  std::size_t conflicting = 0;      ///< items whose group also holds another label
  double best_accuracy = 0;         ///< of the function that answers each group's commonest label
};

Agreement measure_agreement(std::span<const std::size_t> group_of, std::span<const int> labels);

/// WL colours of all graphs under one dictionary, and what they can tell at best.
struct WlStudy {
  std::vector<std::vector<std::vector<int>>> colours;  ///< [item][round][node], rounds 0..wl_rounds
  std::vector<WlVerdict> verdicts;
  bool stable = false;
};

/// Judges rounds 0 to wl_rounds, then on while graphs conflict and a further round could part them:
/// not when colours are stable, nor when there are as many histograms as isomorphism classes.
WlStudy study_wl_colours(std::span<const Sample* const> samples, std::span<const int> labels,
                         int wl_rounds, std::size_t isomorphism_classes,
                         const Execution& execution);

}  // namespace bermuda
