#include "bermuda/method/evaluation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/dataset/pairs.hpp"
#include "bermuda/statistics/scores.hpp"

namespace bermuda {
namespace {

constexpr std::array<std::string_view, 3> kFoldings = {"usual", "grouped", "stratified"};

/// Who must be in one fold. Twins of a pair belong together, for who learns from one of them is
/// told about the other.
enum class Together { kNobody, kPairs, kIsomorphs };

/// A fold that is empty, or that leaves a class without graphs to train on, is of no use.
void check_grouped(const Folds& folds, std::span<const int> labels, const DataSet& data) {
  std::vector<std::vector<std::size_t>> counts(
      kEvaluationFolds, std::vector<std::size_t>(data.class_names.size(), 0));
  std::vector<std::size_t> totals(data.class_names.size(), 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++counts[at(folds.fold_of[i])][at(labels[i])];
    ++totals[at(labels[i])];
  }
  for (const std::vector<std::size_t>& fold : counts) {
    const bool empty = std::ranges::all_of(fold, [](std::size_t count) { return count == 0; });
    for (std::size_t c = 0; c < totals.size(); ++c) {
      if (!empty && fold[c] < totals[c]) continue;
      throw UsageError(fmt::format(
          "{}: too many graphs{} are isomorphic for {} folds that keep such graphs together "
          "(--folding stratified does not)",
          data.name, empty ? "" : " of class " + data.class_names[c], kEvaluationFolds));
    }
  }
}

std::vector<int> fold_of_each(const std::vector<const Sample*>& samples, const DataSet& data,
                              Together together, const Execution& execution) {
  const std::vector<int> labels = labels_of(samples);
  std::vector<int> counts(data.class_names.size(), 0);
  for (const int label : labels) ++counts[at(label)];
  const int classes = static_cast<int>(data.class_names.size());
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < kEvaluationFolds) {
      throw UsageError(fmt::format("{}: class {} has {} graphs, fewer than the {} folds", data.name,
                                   data.class_names[c], counts[c], kEvaluationFolds));
    }
  }
  if (together == Together::kNobody) {
    return stratified_folds(labels, classes, kEvaluationFolds, kFoldSeed).fold_of;
  }
  if (together == Together::kPairs) {
    return grouped_folds(labels, pair_groups(samples), classes, kEvaluationFolds, kFoldSeed)
        .fold_of;
  }
  // Too quick to be told of.
  const Execution silent{.threads = execution.threads, .stop = execution.stop};
  std::vector<std::size_t> groups = twin_groups(samples, silent);
  if (has_pairs(data)) groups = merged_groups(groups, pair_groups(samples));
  const Folds folds = grouped_folds(labels, groups, classes, kEvaluationFolds, kFoldSeed);
  check_grouped(folds, labels, data);
  return folds.fold_of;
}

}  // namespace

std::string_view folding_name(Folding folding) {
  return kFoldings[static_cast<std::size_t>(folding)];
}

Folding folding_named(std::string_view name) {
  const auto found = std::ranges::find(kFoldings, name);
  if (found == kFoldings.end()) {
    throw UsageError(
        fmt::format("folding: found {}, expected {}", in_quotes(name), fmt::join(kFoldings, ", ")));
  }
  return static_cast<Folding>(found - kFoldings.begin());
}

Folding plain_folding(const DataSet& data, Folding folding) {
  if (has_pairs(data) && !data.has_test_split()) return folding;  // usual is neither
  const Folding usual = data.has_test_split() ? Folding::kGrouped : Folding::kStratified;
  return folding == usual ? Folding::kUsual : folding;
}

FoldParts fold_parts(const DataSet& data, int fold, Folding folding, const Execution& execution) {
  if (fold < 0 || fold >= kEvaluationFolds) {
    throw UsageError(fmt::format("--fold: found {}, expected 0..{}", fold, kEvaluationFolds - 1));
  }
  FoldParts parts;
  std::vector<const Sample*> pool;
  const bool fixed_test = data.has_test_split();
  if (fixed_test) {
    for (const Sample& sample : data.find("train")->samples) pool.push_back(&sample);
    for (const Sample& sample : data.find("test")->samples) parts.test.push_back(&sample);
  } else {
    pool = data.all();
  }
  Together together = Together::kNobody;
  if (folding == Folding::kGrouped || (folding == Folding::kUsual && fixed_test)) {
    together = Together::kIsomorphs;
  } else if (folding == Folding::kUsual && has_pairs(data)) {
    together = Together::kPairs;
  }
  const std::vector<int> fold_of = fold_of_each(pool, data, together, execution);
  const int validating = fixed_test ? fold : (fold + 1) % kEvaluationFolds;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (fold_of[i] == validating) {
      parts.validation.push_back(pool[i]);
    } else if (fold_of[i] == fold) {
      parts.test.push_back(pool[i]);
    } else {
      parts.train.push_back(pool[i]);
    }
  }
  return parts;
}

void check_predictions(std::span<const Prediction> predictions, std::size_t samples, int classes) {
  if (predictions.size() != samples) {
    throw Error(
        fmt::format("the method gave {} answers for {} graphs", predictions.size(), samples));
  }
  for (const Prediction& prediction : predictions) {
    if (prediction.label < 0 || prediction.label >= classes) {
      throw Error(
          fmt::format("the method answered with class {} of {}", prediction.label, classes));
    }
    if (prediction.scores.size() != static_cast<std::size_t>(classes)) {
      throw Error(fmt::format("the method gave {} scores for {} classes", prediction.scores.size(),
                              classes));
    }
    for (const double score : prediction.scores) {
      if (!std::isfinite(score)) throw Error("the method gave a score that is no finite number");
    }
  }
}

Metrics measure(Samples samples, std::span<const Prediction> predictions, int classes) {
  check_predictions(predictions, samples.size(), classes);
  const auto size = static_cast<std::size_t>(classes);
  Metrics metrics;
  metrics.count = samples.size();
  metrics.confusion.assign(size, std::vector<std::size_t>(size, 0));
  std::size_t right = 0;
  std::vector<int> truth;
  std::vector<int> said;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i]->label < 0 || samples[i]->label >= classes) {
      throw Error(fmt::format("graph {} is of class {} of {}", in_quotes(samples[i]->id),
                              samples[i]->label, classes));
    }
    truth.push_back(samples[i]->label);
    said.push_back(predictions[i].label);
    right += truth.back() == said.back() ? 1U : 0U;
    ++metrics
          .confusion[static_cast<std::size_t>(truth.back())][static_cast<std::size_t>(said.back())];
  }
  if (samples.empty()) return metrics;
  metrics.accuracy = static_cast<double>(right) / static_cast<double>(samples.size());
  metrics.macro_f1 = macro_f1(truth, said, classes);
  metrics.positive_f1 = class_f1(truth, said, classes - 1);
  return metrics;
}

std::vector<double> f1_by_class(const Metrics& metrics) {
  std::vector<double> figures;
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) {
    std::size_t marked = 0;
    for (std::size_t other = 0; other < metrics.confusion.size(); ++other) {
      marked += metrics.confusion[c][other] + metrics.confusion[other][c];
    }
    const auto hits = static_cast<double>(metrics.confusion[c][c]);
    figures.push_back(marked == 0 ? 0.0 : 2.0 * hits / static_cast<double>(marked));
  }
  return figures;
}

nlohmann::ordered_json told_json(const Metrics& metrics) {
  return {{"count", metrics.count},       {"accuracy", metrics.accuracy},
          {"macro_f1", metrics.macro_f1}, {"positive_f1", metrics.positive_f1},
          {"f1", f1_by_class(metrics)},   {"confusion", metrics.confusion}};
}

nlohmann::ordered_json to_json(const Metrics& metrics) {
  return {{"count", metrics.count},
          {"accuracy", metrics.accuracy},
          {"macro_f1", metrics.macro_f1},
          {"positive_f1", metrics.positive_f1},
          {"confusion", metrics.confusion}};
}

}  // namespace bermuda
