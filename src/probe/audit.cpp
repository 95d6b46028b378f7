#include "bermuda/probe/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/folds.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/dataset/pairs.hpp"
#include "bermuda/statistics/scores.hpp"
#include "climb.hpp"
#include "expressivity.hpp"
#include "ladder.hpp"
#include "telling.hpp"

namespace bermuda {
namespace {

void check_options(const AuditOptions& options) {
  const Settings settings = options.settings();
  for (const Setting& setting : settings.all()) {
    if (setting.value().is_null()) continue;
    const auto value = setting.value().get<double>();
    if (value >= setting.low && value <= setting.high) continue;
    throw UsageError(fmt::format("--{}: found {}, expected {}", setting.name, setting.value_text(),
                                 setting.range_text()));
  }
}

void check_classes(const DataSet& data, const std::vector<std::size_t>& counts) {
  const auto present = std::count_if(counts.begin(), counts.end(), [](auto n) { return n > 0; });
  if (present < 2) {
    throw UsageError(fmt::format("{}: has graphs of {} class{}, an audit needs at least 2 classes",
                                 data.name, present, present == 1 ? "" : "es"));
  }
  for (std::size_t label = 0; label < counts.size(); ++label) {
    if (counts[label] == 1) {
      throw UsageError(
          fmt::format("{}: class {} has 1 graph, cross-validation needs at least 2 of each class",
                      data.name, in_quotes(data.class_names[label])));
    }
  }
}

std::string node_order_of(const DataSet& data) {
  const auto controls = data.provenance.find("controls");
  if (controls != data.provenance.end() && controls->is_object() &&
      controls->value("shuffle_nodes", nlohmann::ordered_json()) == true) {
    return "shuffled";
  }
  const auto parameters = data.provenance.find("parameters");
  if (parameters == data.provenance.end() || !parameters->is_object()) return "unknown";
  const auto order = parameters->find("node_order");
  if (order == parameters->end() || !order->is_string()) return "unknown";
  return order->get<std::string>();
}

std::size_t count_duplicates_within(const std::vector<Split>& splits,
                                    std::span<const std::size_t> class_of) {
  std::size_t position = 0;
  std::size_t count = 0;
  for (const Split& split : splits) {
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < split.samples.size(); ++i) {
      if (!seen.insert(class_of[position++]).second) ++count;
    }
  }
  return count;
}

/// Graphs that have an isomorphic one in another fold.
std::size_t count_twins_across(const Folds& folds, std::span<const std::size_t> class_of) {
  std::map<std::size_t, std::set<int>> folds_of_class;
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    folds_of_class[class_of[i]].insert(folds.fold_of[i]);
  }
  return static_cast<std::size_t>(std::ranges::count_if(
      class_of, [&](std::size_t number) { return folds_of_class.at(number).size() > 1; }));
}

class Audit {
 public:
  Audit(const DataSet& data, const AuditOptions& options, const Execution& execution)
      : data_(data),
        options_(options),
        execution_(execution),
        samples_(data.all()),
        classes_(static_cast<int>(data.class_names.size())),
        labels_(labels_of(samples_)) {
    describe();
  }

  AuditReport run() && {
    count_isomorphs();
    WlStudy study = study_wl_colours(samples_, labels_, options_.wl_rounds,
                                     report_.isomorphism_classes, execution_);
    report_.wl = std::move(study.verdicts);
    report_.wl_stable = study.stable;
    climb({samples_, study.colours, options_, node_labels_, edge_labels_, node_attributes_,
           execution_});
    if (options_.max_shortcut) {
      const ProbeResult& best = *report_.best_shortcut();
      report_.shortcut = ShortcutFinding{best.name, best.accuracy, *options_.max_shortcut / 100};
    }
    report_.summary = summarise(report_);
    return std::move(report_);
  }

 private:
  void describe() {
    report_.name = data_.name;
    report_.graphs = samples_.size();
    report_.classes = data_.class_names;
    report_.class_counts.assign(data_.class_names.size(), 0);
    for (const int label : labels_) {
      if (label == Sample::kNoClass) {
        throw UsageError(data_.name + ": has graphs without a class, which an audit needs");
      }
      ++report_.class_counts[static_cast<std::size_t>(label)];
    }
    check_classes(data_, report_.class_counts);
    report_.majority =
        share(*std::max_element(report_.class_counts.begin(), report_.class_counts.end()));
    report_.seed = options_.seed;
    report_.node_order = node_order_of(data_);
    choose_folds();
    for (const Sample* sample : samples_) {
      node_labels_ = node_labels_ || sample->graph.has_node_labels();
      edge_labels_ = edge_labels_ || sample->graph.has_edge_labels();
      node_attributes_ = node_attributes_ || sample->graph.attribute_width() > 0;
    }
    if (node_attributes_) {
      report_.notes.push_back("WL colours and isomorphism leave node attributes aside");
    }
  }

  void choose_folds() {
    std::size_t smallest = samples_.size();
    for (const std::size_t count : report_.class_counts) {
      if (count > 0) smallest = std::min(smallest, count);
    }
    report_.folds = std::min(options_.folds, static_cast<int>(smallest));
    if (report_.folds < options_.folds) {
      report_.notes.push_back(
          fmt::format("{} folds instead of {}: the smallest class has {} graphs", report_.folds,
                      options_.folds, smallest));
    }
  }

  void count_isomorphs() {
    report_.isomorphism_class_of = isomorphism_classes(samples_, execution_);
    const std::vector<std::size_t>& class_of = report_.isomorphism_class_of;
    const Agreement agreement = measure_agreement(class_of, labels_);
    report_.isomorphism_classes = agreement.groups;
    report_.isomorph_groups = agreement.repeated_groups;
    report_.conflicting_labels = agreement.conflicting;
    report_.isomorphism_ceiling = agreement.best_accuracy;
    report_.duplicates_within = count_duplicates_within(data_.splits, class_of);
    report_.duplicates_across = count_isomorphs_across(data_.splits, class_of);
    const auto enough = [](std::size_t count) { return count >= std::size_t{kEvaluationFolds}; };
    if (!data_.has_test_split() && std::ranges::all_of(report_.class_counts, enough)) {
      const Folds folds = folds_of(kEvaluationFolds, kFoldSeed);
      report_.twins_across_folds = count_twins_across(folds, class_of);
    }
  }

  /// Twins are in one fold: a probe that sees only what they agree in is then right about exactly
  /// one of each pair.
  Folds folds_of(int count, std::uint64_t seed) const {
    if (!has_pairs(data_)) return stratified_folds(labels_, classes_, count, seed);
    return grouped_folds(labels_, pair_groups(samples_), classes_, count, seed);
  }

  void climb(const LadderInput& input) {
    Climb climb(labels_, classes_, folds_of(report_.folds, options_.seed), execution_);
    const Ladder ladder = make_ladder(input);
    for (const Rung& rung : ladder.rungs) {
      report_.probes.push_back(result_of(rung, climb.ask(rung)));
    }
    report_.notes.insert(report_.notes.end(), ladder.notes.begin(), ladder.notes.end());
    compare_with_best(climb);
    look_at_order(input, climb);
    if (options_.telling > 0) {
      report_.telling = find_telling_features(input, ladder, report_, labels_, execution_);
    }
  }

  void compare_with_best(const Climb& climb) {
    const std::string best = report_.best()->name;
    for (ProbeResult& probe : report_.probes) {
      probe.behind_best = paired_difference(labels_, climb.said_by(best).found.predicted,
                                            climb.said_by(probe.name).found.predicted);
    }
  }

  void look_at_order(const LadderInput& input, Climb& climb) {
    if (const auto placeless = make_placeless_rung(input)) climb.ask(*placeless);
    const Rung placed = make_node_index_rung(input, false);
    const Rung shuffled = make_node_index_rung(input, true);
    const Climb::Step& with_order = climb.ask(placed);
    const Climb::Step& without_order = climb.ask(shuffled);
    report_.probes.push_back(result_of(placed, with_order));
    const Difference gain =
        paired_difference(labels_, with_order.found.predicted, without_order.found.predicted);
    const Effect effect = effect_of(gain);
    report_.node_index = {report_.probes.back().accuracy,
                          result_of(shuffled, without_order).accuracy,
                          gain.value,
                          gain.interval,
                          effect,
                          effect >= Effect::kClear && report_.probes.back().beats_majority};
  }

  ProbeResult result_of(const Rung& rung, const Climb::Step& step) const {
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (step.found.predicted[i] == labels_[i]) ++right;
    }
    ProbeResult result{rung, step.features};
    result.accuracy = share(right);
    result.interval = wilson_interval(right, labels_.size());
    result.macro_f1 = macro_f1(labels_, step.found.predicted, classes_);
    const Interval gain{result.interval.low - report_.majority,
                        result.interval.high - report_.majority};
    result.effect = effect_of(result.accuracy - report_.majority, gain);
    result.beats_majority = result.interval.low > report_.majority;
    result.below_majority = result.interval.high < report_.majority;
    return result;
  }

  double share(std::size_t part) const {
    return static_cast<double>(part) / static_cast<double>(samples_.size());
  }

  const DataSet& data_;
  const AuditOptions& options_;
  const Execution& execution_;
  std::vector<const Sample*> samples_;
  int classes_;
  std::vector<int> labels_;
  bool node_labels_ = false;
  bool edge_labels_ = false;
  bool node_attributes_ = false;
  AuditReport report_;
};

}  // namespace

ParameterSet AuditOptions::parameters() {
  ParameterSet set;
  set.add("folds", folds, 2, 100, "folds of the cross-validation")
      .add("wl-rounds", wl_rounds, 1, 10, "highest round of the WL probes")
      .add("graphlets", largest_graphlet, 3, 5, "nodes of the largest graphlets that are counted")
      .add(
          "max-shortcut", max_shortcut, 0, 100,
          "per cent that a probe which needs no topology may reach; beyond that the exit code is 1",
          "no limit");
  return set;
}

std::string_view name_of(ProbeKind kind) {
  if (kind == ProbeKind::kNodeOrder) return "order";
  return kind == ProbeKind::kStructure ? "structure" : "counts";
}

const ProbeResult* AuditReport::find(std::string_view probe) const {
  const auto found = std::find_if(probes.begin(), probes.end(),
                                  [&](const ProbeResult& result) { return result.name == probe; });
  return found == probes.end() ? nullptr : &*found;
}

const ProbeResult* AuditReport::best() const {
  const ProbeResult* best = nullptr;
  for (const ProbeResult& probe : probes) {
    if (probe.kind == ProbeKind::kNodeOrder) continue;
    if (best == nullptr || probe.accuracy > best->accuracy) best = &probe;
  }
  return best;
}

const ProbeResult* AuditReport::best_shortcut() const {
  const ProbeResult* best = nullptr;
  for (const ProbeResult& probe : probes) {
    if (probe.kind == ProbeKind::kStructure) continue;
    if (best == nullptr || probe.accuracy > best->accuracy) best = &probe;
  }
  return best;
}

const ProbeResult* AuditReport::weakest_as_good() const {
  const ProbeResult* top = best();
  const auto found = std::ranges::find_if(probes, [&](const ProbeResult& probe) {
    return probe.kind != ProbeKind::kNodeOrder && probe.beats_majority == top->beats_majority &&
           probe.behind_best && effect_of(*probe.behind_best) <= Effect::kNone;
  });
  return found == probes.end() ? top : &*found;
}

AuditReport audit_dataset(const DataSet& data, const AuditOptions& options,
                          const Execution& execution) {
  check_options(options);
  return Audit(data, options, execution).run();
}

}  // namespace bermuda
