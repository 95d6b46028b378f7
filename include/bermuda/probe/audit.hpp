#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/parameter.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/probe/effect.hpp"
#include "bermuda/probe/telling.hpp"
#include "bermuda/statistics/intervals.hpp"

namespace bermuda {

struct AuditOptions : Configurable {
  int folds = 10;
  int wl_rounds = 3;  ///< highest WL probe; the expressivity verdict goes on from there
  int largest_graphlet = 5;
  std::optional<double> max_shortcut = {};  ///< per cent that a probe without topology may reach
  std::uint64_t seed = 1;  ///< of the stratified folds and of the shuffled node order
  int telling = 0;         ///< how many features of each of the best probes are explained

  ParameterSet parameters() override;
};

enum class ProbeKind {
  kCounts,     ///< sees nodes or edges one by one (degrees, labels, ...), and no topology
  kStructure,  ///< sees how the nodes hang together
  kNodeOrder,  ///< sees where in the file a node stands
};

/// "counts", "structure" or "order"
std::string_view name_of(ProbeKind kind);

/// A probe in its own words: tables and verdicts say about it what stands here.
struct ProbeInfo {
  std::string name = {};         ///< "size", "degrees", "degree-pairs", "node-labels", "wl-2", ...
  std::string description = {};  ///< what such a model sees
  ProbeKind kind = ProbeKind::kCounts;
  std::string subject = {};  ///< in a list of subjects: "degree pairs", "WL colours"
  std::string sees = {};     ///< "a model must see ...", at least to do as well as the probe
  std::string beyond = {};   ///< the same, to do better; only said of structure
};

/// One rung of the ladder: a cross-validated linear model on one kind of feature.
struct ProbeResult : ProbeInfo {
  int features = 0;
  double accuracy = 0;     ///< over all graphs, each predicted once, by a model that never saw it
  Interval interval = {};  ///< 95 % Wilson interval of the accuracy
  double macro_f1 = 0;
  Effect effect = Effect::kNone;  ///< of the accuracy over the share of the majority class
  /// By how much the best probe that ignores node order is better, paired by graph; absent for the
  /// probe of node order.
  std::optional<Difference> behind_best = {};
  bool beats_majority = false;  ///< the interval lies above the share of the majority class
  bool below_majority = false;  ///< the interval lies below it: typical of filtered data
};

/// Whether the order in which a file lists the nodes tells the class: the node-index probe on the
/// graphs as they are against the same probe after a random renumbering of each graph's nodes.
struct NodeOrderFinding {
  double accuracy = 0;           ///< of the node-index probe, nodes in the order of the file
  double shuffled_accuracy = 0;  ///< of the same probe, nodes renumbered at random
  double difference = 0;
  Interval interval;              ///< 95 % interval of the difference, paired by graph (McNemar)
  Effect effect = Effect::kNone;  ///< of the order: what that interval says in a word
  /// The effect is clear or strong and the probe beats the majority class.
  bool leaks = false;
};

/// Whether the class is a function of the WL colour histogram after r rounds on this sample.
struct WlVerdict {
  int round = 0;
  std::size_t histograms = 0;   ///< distinct colour histograms
  std::size_t conflicting = 0;  ///< graphs whose histogram also stands with another class
  double best_accuracy = 0;     ///< no function of the histogram can beat this on this sample
};

/// The most accurate probe that needs no topology, held against a limit.
struct ShortcutFinding {
  std::string probe;
  double accuracy = 0;
  double limit = 0;
  bool exceeded() const { return accuracy > limit; }
};

struct AuditReport {
  std::string name;
  std::size_t graphs = 0;
  std::vector<std::string> classes;
  std::vector<std::size_t> class_counts;
  double majority = 0;
  int folds = 0;
  std::uint64_t seed = 0;
  std::string node_order;  ///< from the provenance, "unknown" when it says nothing
  /// From weak to strong; the one of node order, "node-index", comes last.
  std::vector<ProbeResult> probes;
  NodeOrderFinding node_index;
  /// Rounds 0 to wl_rounds, then on (to round 10 at most) while a further round can change
  /// anything.
  std::vector<WlVerdict> wl;
  bool wl_stable = false;  ///< no further round splits a colour: the last verdict is final
  std::size_t isomorphism_classes = 0;
  std::vector<std::size_t> isomorphism_class_of;  ///< by graph, splits one after the other
  std::size_t isomorph_groups = 0;                ///< classes of two or more isomorphic graphs
  std::size_t duplicates_within = 0;  ///< graphs with an isomorphic twin earlier in their split
  std::size_t duplicates_across = 0;  ///< graphs with a twin in an earlier split
  /// Pooled data that can be trained on: graphs with a twin in another of the ten folds.
  std::optional<std::size_t> twins_across_folds = {};
  std::size_t conflicting_labels = 0;  ///< graphs with an isomorphic twin of another class
  /// No model that answers alike for isomorphic graphs can beat this on this sample.
  double isomorphism_ceiling = 0;
  std::optional<ShortcutFinding> shortcut = {};  ///< where AuditOptions::max_shortcut sets a limit
  std::vector<std::string> notes;                ///< what was left out or done differently, and why
  std::string summary;                ///< one paragraph: what a model must see to beat the probes
  std::vector<TellingProbe> telling;  ///< where AuditOptions::telling asks for it

  const ProbeResult* find(std::string_view probe) const;
  /// The most accurate probe that ignores node order, and the first (weakest) that is as good for
  /// all that this sample shows: the paired difference between the two is an Effect::kNone, and
  /// both or none of them beat the majority class.
  const ProbeResult* best() const;
  const ProbeResult* weakest_as_good() const;
  /// The most accurate probe that needs no topology: one of counts, or that of node order.
  const ProbeResult* best_shortcut() const;
};

/// Asks whether a data set is about topology at all (docs/audit.md describes the ladder). All
/// splits are taken together. The result does not depend on the number of threads. Throws
/// UsageError for options out of range, fewer than two classes, or fewer than two graphs of a
/// class.
AuditReport audit_dataset(const DataSet& data, const AuditOptions& options,
                          const Execution& execution);

/// The paragraph of AuditReport::summary, from the other figures of the report.
std::string summarise(const AuditReport& report);

nlohmann::ordered_json to_json(const AuditReport& report);
/// The report for people, plain text of at most 100 columns.
std::string to_text(const AuditReport& report);

}  // namespace bermuda
