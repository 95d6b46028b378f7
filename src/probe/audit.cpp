#include "bermuda/probe/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/folds.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/linear/cross_validation.hpp"
#include "bermuda/statistics/scores.hpp"
#include "expressivity.hpp"
#include "ladder.hpp"

namespace bermuda {
namespace {

// 99.9 %: an order that is random looks telling at 95 % in one data set of thirty, and a false
// alarm is worse here than a faint leak missed. True ones stand at 10 and more.
constexpr double kLeakZ = 3.29;

void check_options(const AuditOptions& options) {
  const Settings settings = options.settings();
  for (const Setting& setting : settings.all()) {
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
    climb({samples_, study.colours, options_, node_labels_, edge_labels_, execution_});
    report_.summary = summarise(report_);
    return std::move(report_);
  }

 private:
  void describe() {
    report_.name = data_.name;
    report_.graphs = samples_.size();
    report_.classes = data_.class_names;
    report_.class_counts.assign(data_.class_names.size(), 0);
    for (const int label : labels_) ++report_.class_counts[static_cast<std::size_t>(label)];
    check_classes(data_, report_.class_counts);
    report_.majority =
        share(*std::max_element(report_.class_counts.begin(), report_.class_counts.end()));
    report_.seed = options_.seed;
    report_.node_order = node_order_of(data_);
    choose_folds();
    bool attributes = false;
    for (const Sample* sample : samples_) {
      node_labels_ = node_labels_ || sample->graph.has_node_labels();
      edge_labels_ = edge_labels_ || sample->graph.has_edge_labels();
      attributes = attributes || sample->graph.attribute_width() > 0;
    }
    if (attributes) report_.notes.push_back("node attributes are not looked at by any probe");
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
    const std::vector<std::size_t> class_of = isomorphism_classes(samples_, execution_);
    const Agreement agreement = measure_agreement(class_of, labels_);
    report_.isomorphism_classes = agreement.groups;
    report_.isomorph_groups = agreement.repeated_groups;
    report_.conflicting_labels = agreement.conflicting;
    report_.isomorphism_ceiling = agreement.best_accuracy;
    report_.duplicates_within = count_duplicates_within(data_.splits, class_of);
    report_.duplicates_across = count_isomorphs_across(data_.splits, class_of);
    const auto enough = [](std::size_t count) { return count >= std::size_t{kEvaluationFolds}; };
    if (!data_.has_test_split() && std::ranges::all_of(report_.class_counts, enough)) {
      const Folds folds = stratified_folds(labels_, classes_, kEvaluationFolds, kFoldSeed);
      report_.twins_across_folds = count_twins_across(folds, class_of);
    }
  }

  void climb(const LadderInput& input) {
    const Folds folds = stratified_folds(labels_, classes_, report_.folds, options_.seed);
    const Ladder ladder = make_ladder(input);
    for (const Rung& rung : ladder.rungs) {
      report_.probes.push_back(result_of(rung, predict(rung, folds)));
    }
    report_.notes.insert(report_.notes.end(), ladder.notes.begin(), ladder.notes.end());
    const Rung placed = make_node_index_rung(input, false);
    const Rung shuffled = make_node_index_rung(input, true);
    const Predictions with_order = predict(placed, folds);
    const Predictions without_order = predict(shuffled, folds);
    report_.probes.push_back(result_of(placed, with_order));
    const Difference gain = paired_difference(labels_, with_order.labels, without_order.labels);
    report_.node_index = {report_.probes.back().accuracy,
                          result_of(shuffled, without_order).accuracy, gain.value, gain.interval,
                          gain.z > kLeakZ && report_.probes.back().beats_majority};
  }

  struct Predictions {
    std::vector<int> labels;
    int features = 0;
  };

  Predictions predict(const Rung& rung, const Folds& folds) const {
    execution_.check_stop();
    const SparseMatrix matrix = make_features(rung, samples_.size(), execution_);
    return {cross_validate(matrix, labels_, classes_, folds, rung.name, execution_),
            matrix.columns};
  }

  ProbeResult result_of(const Rung& rung, const Predictions& predictions) const {
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (predictions.labels[i] == labels_[i]) ++right;
    }
    ProbeResult result{rung, predictions.features};
    result.accuracy = share(right);
    result.interval = wilson_interval(right, labels_.size());
    result.macro_f1 = macro_f1(labels_, predictions.labels, classes_);
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
  AuditReport report_;
};

}  // namespace

ParameterSet AuditOptions::parameters() {
  ParameterSet set;
  set.add("folds", folds, 2, 100, "folds of the cross-validation")
      .add("wl-rounds", wl_rounds, 1, 10, "highest round of the WL probes")
      .add("graphlets", largest_graphlet, 3, 5, "nodes of the largest graphlets that are counted");
  return set;
}

const ProbeResult* AuditReport::find(std::string_view probe) const {
  const auto found = std::find_if(probes.begin(), probes.end(),
                                  [&](const ProbeResult& result) { return result.name == probe; });
  return found == probes.end() ? nullptr : &*found;
}

AuditReport audit_dataset(const DataSet& data, const AuditOptions& options,
                          const Execution& execution) {
  check_options(options);
  return Audit(data, options, execution).run();
}

}  // namespace bermuda
