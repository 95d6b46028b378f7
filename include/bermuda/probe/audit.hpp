#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

struct AuditOptions {
  int folds = 10;
  int wl_rounds = 3;      ///< highest WL probe and highest round of the expressivity verdict
  int largest_graphlet = 5;
  std::uint64_t seed = 1;  ///< of the stratified folds
};

/// One rung of the ladder: a cross-validated linear model on one kind of feature.
struct ProbeResult {
  std::string name;         ///< "size", "degrees", "degree-pairs", "node-labels", "wl-2", ...
  std::string description;  ///< what such a model sees, in words
  int features = 0;
  double accuracy = 0;          ///< over all graphs, each predicted once, by a model that never saw it
  double interval_low = 0;      ///< 95 % Wilson interval of the accuracy
  double interval_high = 0;
  double macro_f1 = 0;
  /// Whether the interval lies above the share of the majority class.
  bool beats_majority = false;
};

/// Whether the class is a function of the WL colour histogram after r rounds on this sample.
struct WlVerdict {
  int round = 0;
  std::size_t histograms = 0;   ///< distinct colour histograms
  std::size_t conflicting = 0;  ///< graphs whose histogram also stands with another class
  double best_accuracy = 0;     ///< no function of the histogram can beat this on this sample
};

struct AuditReport {
  std::string name;
  std::size_t graphs = 0;
  std::vector<std::string> classes;
  std::vector<std::size_t> class_counts;
  double majority = 0;
  std::string node_order;  ///< from the provenance, "unknown" when it says nothing
  std::vector<ProbeResult> probes;
  std::vector<WlVerdict> wl;
  std::size_t isomorph_groups = 0;      ///< classes of two or more isomorphic graphs
  std::size_t duplicates_within = 0;    ///< graphs with an isomorphic twin earlier in their split
  std::size_t duplicates_across = 0;    ///< graphs with a twin in an earlier split
  std::size_t conflicting_labels = 0;   ///< graphs with an isomorphic twin of another class
  std::string summary;                  ///< one paragraph: what a model must see to beat the probes
};

/// Asks whether a data set is about topology at all (SPEC of the ladder: docs/audit.md).
AuditReport audit_dataset(const DataSet& data, const AuditOptions& options,
                          const Execution& execution);

nlohmann::ordered_json to_json(const AuditReport& report);
/// The report for people, plain text of at most 100 columns.
std::string to_text(const AuditReport& report);

}  // namespace bermuda
