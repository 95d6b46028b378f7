#include "bermuda/probe/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/linear/logistic.hpp"
#include "bermuda/probe/features.hpp"
#include "selection.hpp"

namespace bermuda {
namespace {

constexpr std::array<const char*, kSplits> kSplitNames = {"train", "valid", "test"};

nlohmann::ordered_json figures_json(const ClassifierFigures& figures) {
  const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
  return {{"accuracy", rounded(figures.accuracy)},
          {"coverage", rounded(figures.coverage)},
          {"confident_accuracy", rounded(figures.confident_accuracy)},
          {"confident_accuracy_class_0", rounded(figures.confident_by_class[0])},
          {"confident_accuracy_class_1", rounded(figures.confident_by_class[1])}};
}

void check_options(const SampleSource& source, const FilterOptions& options) {
  const DataSet& data = source.head();
  if (options.train_folds >= options.folds) {
    throw UsageError(fmt::format("--train-folds {} leaves none of --folds {} to validate on",
                                 options.train_folds, options.folds));
  }
  const std::array<int, kSplits> sizes = {options.train, options.valid, options.test};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] % 2 != 0) {
      throw UsageError(
          fmt::format("--{}: found {}, expected an even number: classes are balanced exactly",
                      kSplitNames[i], sizes[i]));
    }
  }
  if (data.class_names.size() != 2) {
    throw UsageError(fmt::format("{}: has {} classes, the filter needs two", data.name,
                                 data.class_names.size()));
  }
  const auto wanted = static_cast<std::size_t>(options.train) +
                      static_cast<std::size_t>(options.valid) +
                      static_cast<std::size_t>(options.test);
  if (wanted > source.size()) {
    throw UsageError(fmt::format(
        "{}: has {} graphs, fewer than train {} + valid {} + test {}: give smaller ones", data.name,
        source.size(), options.train, options.valid, options.test));
  }
  if (source.size() < static_cast<std::size_t>(options.folds)) {
    throw UsageError(
        fmt::format("{}: has {} graphs for {} folds", data.name, source.size(), options.folds));
  }
}

double train_to_test_accuracy(const DataSet& data, const FilterOptions& options,
                              const Execution& execution) {
  const std::vector<const Sample*> samples = data.all();
  const PresenceRows rows = undermanned_features(samples, execution);
  const std::vector<int> labels = labels_of(samples);
  RowCounts counts{std::vector<double>(rows.rows(), 0.0), std::vector<double>(rows.rows(), 0.0)};
  for (std::size_t i = 0; i < data.splits.front().samples.size(); ++i) {
    counts.total[i] = 1;
    counts.ones[i] = labels[i];
  }
  const LogisticFit fit = fit_logistic(rows, counts, {.cost = options.cost}, execution);
  const std::size_t tests = data.splits.back().samples.size();
  std::size_t right = 0;
  for (std::size_t i = samples.size() - tests; i < samples.size(); ++i) {
    if ((fit.score(rows.row(i)) > 0) == (labels[i] == 1)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(tests, 1));
}

}  // namespace

ParameterSet FilterOptions::parameters() {
  constexpr int kMost = 100'000'000;
  ParameterSet set;
  set.add("train", train, 0, kMost, "graphs of the training split")
      .add("valid", valid, 0, kMost, "graphs of the validation split")
      .add("test", test, 0, kMost, "graphs of the test split")
      .add("folds", folds, 2, 1000, "n: folds of the overlapping cross-validation")
      .add("train-folds", train_folds, 1, 999, "m: folds a round trains on")
      .add("confidence", confidence, 0, 1, "an answer with |p0 - p1| above this is confident")
      .add("easy-share", easy_share, 0, 1,
           "share of graphs that were hit at least once; 0 takes misses only")
      .add("cost", cost, 1e-6, 1e6, "C of the logistic regression")
      .add("allow-isomorphs", allow_isomorphs, "let isomorphic graphs stand in two splits");
  return set;
}

nlohmann::ordered_json FilterReport::to_json() const {
  return {{"candidates", candidates},
          {"before", bermuda::figures_json(before)},
          {"after", bermuda::figures_json(after)},
          {"after_train_to_test", std::round(after_train_to_test * 1e6) / 1e6},
          {"hit_histogram", hit_histogram},
          {"kept_histogram", kept_histogram},
          {"refills", refills},
          {"isomorphs_across", isomorphs_across},
          {"isomorphs_avoided", isomorphs_avoided}};
}

FilterResult filter_samples(const SampleSource* source, const FilterOptions& wanted,
                            std::uint64_t seed, const Execution& execution) {
  FilterOptions options = wanted;
  if (!execution.in_charge()) {
    count_hits(source, options, execution);   // before the filter
    count_hits(nullptr, options, execution);  // after it
    return {};
  }
  check_options(*source, options);
  // Where the task has few graphs, splits that share none could not be filled.
  if (source->head().provenance.contains("few_graphs")) options.allow_isomorphs = true;
  FilterReport report;
  report.candidates = source->size();
  const auto buckets = static_cast<std::size_t>(options.folds - options.train_folds + 1);
  report.hit_histogram.assign(buckets, 0);
  report.kept_histogram.assign(buckets, 0);

  FilterResult result;
  result.data = source->head();
  {
    const HitCounts counts = count_hits(source, options, execution);
    report.before = counts.figures;
    for (const std::size_t hits : counts.hits) ++report.hit_histogram[hits];
    const Selection selection = select_candidates(*source, counts, options, seed, execution);
    report.refills = selection.refills;
    report.isomorphs_avoided = selection.isomorphs_avoided;
    for (std::size_t s = 0; s < kSplits; ++s) {
      Split split{kSplitNames[s], {}};
      for (const std::size_t item : selection.chosen[s]) {
        split.samples.push_back(source->at(item, execution));
        split.samples.back().hits = counts.hits[item];
        ++report.kept_histogram[counts.hits[item]];
      }
      result.data.splits.push_back(std::move(split));
    }
  }

  const std::vector<const Sample*> kept = result.data.all();
  report.after = count_hits(kept, options, execution).figures;
  report.after_train_to_test = train_to_test_accuracy(result.data, options, execution);
  report.isomorphs_across =
      count_isomorphs_across(result.data.splits, isomorphism_classes(kept, execution));

  nlohmann::ordered_json filter = options.settings().values();
  filter["seed"] = seed;
  filter.update(report.to_json());
  result.data.provenance["filter"] = filter;
  result.report = report;
  return result;
}

FilterReport replace_test(DataSet& data, const SampleSource* candidates,
                          const FilterOptions& options, std::uint64_t seed,
                          nlohmann::ordered_json what, const Execution& execution) {
  FilterOptions of_test = options;
  of_test.train = 0;
  of_test.valid = 0;
  FilterResult other = filter_samples(candidates, of_test, seed, execution);
  if (!execution.in_charge()) return {};
  *std::ranges::find(data.splits, "test", &Split::name) = std::move(other.data.splits.back());
  other.report.after_train_to_test = train_to_test_accuracy(data, options, execution);
  other.report.isomorphs_across =
      count_isomorphs_across(data.splits, isomorphism_classes(data.all(), execution));
  what["seed"] = seed;
  what.update(other.report.to_json());
  data.provenance["other_test"] = std::move(what);
  return other.report;
}

FilterResult filter_dataset(DataSet data, const FilterOptions& options, std::uint64_t seed,
                            const Execution& execution) {
  if (!execution.in_charge()) return filter_samples(nullptr, options, seed, execution);
  const std::vector<const Sample*> samples = data.all();
  const auto source = source_of(samples, {data.name, data.class_names, {}, data.provenance});
  return filter_samples(source.get(), options, seed, execution);
}

}  // namespace bermuda
