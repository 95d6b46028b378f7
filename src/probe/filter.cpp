#include "bermuda/probe/filter.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/probe/features.hpp"
#include "bermuda/probe/logistic.hpp"
#include "isomorphs.hpp"
#include "selection.hpp"

namespace bermuda {
namespace {

constexpr std::array<const char*, kSplits> kSplitNames = {"train", "valid", "test"};

nlohmann::ordered_json to_json(const ClassifierFigures& figures) {
  const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
  return {{"accuracy", rounded(figures.accuracy)},
          {"coverage", rounded(figures.coverage)},
          {"confident_accuracy", rounded(figures.confident_accuracy)},
          {"confident_accuracy_class_0", rounded(figures.confident_by_class[0])},
          {"confident_accuracy_class_1", rounded(figures.confident_by_class[1])}};
}

std::vector<int> labels_of(std::span<const Sample* const> samples) {
  std::vector<int> labels;
  labels.reserve(samples.size());
  for (const Sample* sample : samples) labels.push_back(sample->label);
  return labels;
}

// What one round found out about the items it validated.
struct RoundResult {
  std::vector<std::size_t> hit;
  std::size_t validated = 0;
  std::size_t right = 0;
  std::array<std::size_t, 2> confident{};  // by class
  std::array<std::size_t, 2> confident_right{};
};

class Rounds {
 public:
  Rounds(std::span<const Sample* const> samples, const FilterOptions& options,
         const Execution& execution)
      : options_(options),
        labels_(labels_of(samples)),
        matrix_(undermanned_features(samples, execution)),
        trainer_(matrix_, labels_, 2) {}

  LinearModel train(int round, const LinearModel* start) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (trains(i, round)) rows.push_back(i);
    }
    return trainer_.train(rows, {.cost = options_.cost, .start = start});
  }

  RoundResult validate(int round, const LinearModel& model) const {
    RoundResult result;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (trains(i, round)) continue;
      const double one = model.probability_of_one(matrix_.row(i));
      const bool right = (one > 0.5) == (labels_[i] == 1);
      const bool confident = std::abs(1.0 - 2.0 * one) > options_.confidence;
      ++result.validated;
      if (right) ++result.right;
      const auto label = static_cast<std::size_t>(labels_[i]);
      if (confident) ++result.confident[label];
      if (right && confident) {
        ++result.confident_right[label];
        result.hit.push_back(i);
      }
    }
    return result;
  }

 private:
  bool trains(std::size_t item, int round) const {
    const int fold = static_cast<int>(item % static_cast<std::size_t>(options_.folds));
    return (fold - round + options_.folds) % options_.folds < options_.train_folds;
  }

  const FilterOptions& options_;
  std::vector<int> labels_;
  SparseMatrix matrix_;
  LogisticTrainer trainer_;
};

void check_options(const DataSet& data, const FilterOptions& options) {
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
  if (wanted > data.size()) {
    throw UsageError(fmt::format(
        "{}: has {} graphs, fewer than train {} + valid {} + test {}: give smaller ones", data.name,
        data.size(), options.train, options.valid, options.test));
  }
  if (data.size() < static_cast<std::size_t>(options.folds)) {
    throw UsageError(
        fmt::format("{}: has {} graphs for {} folds", data.name, data.size(), options.folds));
  }
}

double train_to_test_accuracy(const DataSet& data, const FilterOptions& options,
                              const Execution& execution) {
  const std::vector<const Sample*> samples = data.all();
  const SparseMatrix matrix = undermanned_features(samples, execution);
  const std::vector<int> labels = labels_of(samples);
  const LogisticTrainer trainer(matrix, labels, 2);
  std::vector<std::size_t> rows(data.splits.front().samples.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const LinearModel model = trainer.train(rows, {.cost = options.cost});
  const std::size_t tests = data.splits.back().samples.size();
  std::size_t right = 0;
  for (std::size_t i = samples.size() - tests; i < samples.size(); ++i) {
    if ((model.probability_of_one(matrix.row(i)) > 0.5) == (labels[i] == 1)) ++right;
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

HitCounts count_hits(std::span<const Sample* const> samples, const FilterOptions& options,
                     const Execution& execution) {
  const Stage stage(execution, "filter rounds", static_cast<std::size_t>(options.folds));
  const Rounds rounds(samples, options, execution);
  const LinearModel first = rounds.train(0, nullptr);
  std::vector<RoundResult> results(static_cast<std::size_t>(options.folds));
  results[0] = rounds.validate(0, first);
  stage.advance(1);
  parallel_for(execution, results.size() - 1, 1, [&](std::size_t begin, std::size_t) {
    const int round = static_cast<int>(begin) + 1;
    results[begin + 1] = rounds.validate(round, rounds.train(round, &first));
    stage.advance(1);
  });

  HitCounts counts{std::vector<int>(samples.size(), 0), {}};
  RoundResult sum;
  for (const RoundResult& result : results) {
    for (const std::size_t item : result.hit) ++counts.hits[item];
    sum.validated += result.validated;
    sum.right += result.right;
    for (std::size_t label = 0; label < 2; ++label) {
      sum.confident[label] += result.confident[label];
      sum.confident_right[label] += result.confident_right[label];
    }
  }
  const auto share = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::size_t confident = sum.confident[0] + sum.confident[1];
  counts.figures = {share(sum.right, sum.validated),
                    share(confident, sum.validated),
                    share(sum.confident_right[0] + sum.confident_right[1], confident),
                    {share(sum.confident_right[0], sum.confident[0]),
                     share(sum.confident_right[1], sum.confident[1])}};
  return counts;
}

nlohmann::ordered_json FilterReport::to_json() const {
  return {{"candidates", candidates},
          {"before", bermuda::to_json(before)},
          {"after", bermuda::to_json(after)},
          {"after_train_to_test", std::round(after_train_to_test * 1e6) / 1e6},
          {"hit_histogram", hit_histogram},
          {"kept_histogram", kept_histogram},
          {"refills", refills},
          {"isomorphs_across", isomorphs_across},
          {"isomorphs_avoided", isomorphs_avoided}};
}

FilterResult filter_dataset(DataSet data, const FilterOptions& options, std::uint64_t seed,
                            const Execution& execution) {
  check_options(data, options);
  FilterReport report;
  report.candidates = data.size();
  const auto buckets = static_cast<std::size_t>(options.folds - options.train_folds + 1);
  report.hit_histogram.assign(buckets, 0);
  report.kept_histogram.assign(buckets, 0);

  Selection selection;
  {
    const std::vector<const Sample*> samples = data.all();
    const HitCounts counts = count_hits(samples, options, execution);
    report.before = counts.figures;
    for (const int hits : counts.hits) ++report.hit_histogram[static_cast<std::size_t>(hits)];
    selection = select_candidates(samples, counts.hits, options, seed, execution);
    std::size_t item = 0;
    for (Split& split : data.splits) {
      for (Sample& sample : split.samples) sample.hits = counts.hits[item++];
    }
  }
  report.refills = selection.refills;
  report.isomorphs_avoided = selection.isomorphs_avoided;

  std::vector<Sample*> candidates;
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) candidates.push_back(&sample);
  }
  FilterResult result;
  result.data.name = data.name;
  result.data.class_names = data.class_names;
  result.data.provenance = data.provenance;
  for (std::size_t s = 0; s < kSplits; ++s) {
    Split split{kSplitNames[s], {}};
    for (const std::size_t item : selection.chosen[s]) {
      split.samples.push_back(std::move(*candidates[item]));
      ++report.kept_histogram[static_cast<std::size_t>(split.samples.back().hits)];
    }
    result.data.splits.push_back(std::move(split));
  }
  data.splits.clear();

  const std::vector<const Sample*> kept = result.data.all();
  report.after = count_hits(kept, options, execution).figures;
  report.after_train_to_test = train_to_test_accuracy(result.data, options, execution);
  report.isomorphs_across =
      count_isomorphs_across(result.data.splits, isomorphism_classes(kept, execution));

  FilterOptions recorded = options;
  nlohmann::ordered_json filter = recorded.parameters().values();
  filter["seed"] = seed;
  filter.update(report.to_json());
  result.data.provenance["filter"] = filter;
  result.report = report;
  return result;
}

}  // namespace bermuda
