#include "bermuda/method/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/folds.hpp"
#include "bermuda/statistics/scores.hpp"

namespace bermuda {
namespace {

std::vector<int> fold_of_each(const std::vector<const Sample*>& samples, const DataSet& data) {
  std::vector<int> labels;
  std::vector<int> counts(data.class_names.size(), 0);
  for (const Sample* sample : samples) {
    labels.push_back(sample->label);
    ++counts[static_cast<std::size_t>(sample->label)];
  }
  const int classes = static_cast<int>(data.class_names.size());
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < kEvaluationFolds) {
      throw UsageError(fmt::format("{}: class {} has {} graphs, fewer than the {} folds", data.name,
                                   data.class_names[c], counts[c], kEvaluationFolds));
    }
  }
  return stratified_folds(labels, classes, kEvaluationFolds, kFoldSeed).fold_of;
}

}  // namespace

FoldParts fold_parts(const DataSet& data, int fold) {
  if (fold < 0 || fold >= kEvaluationFolds) {
    throw UsageError(fmt::format("--fold: found {}, expected 0..{}", fold, kEvaluationFolds - 1));
  }
  FoldParts parts;
  const Split* train = data.find("train");
  const Split* test = data.find("test");
  std::vector<const Sample*> pool;
  if (train != nullptr && test != nullptr) {
    for (const Sample& sample : train->samples) pool.push_back(&sample);
    for (const Sample& sample : test->samples) parts.test.push_back(&sample);
    const std::vector<int> fold_of = fold_of_each(pool, data);
    for (std::size_t i = 0; i < pool.size(); ++i) {
      (fold_of[i] == fold ? parts.validation : parts.train).push_back(pool[i]);
    }
    return parts;
  }
  pool = data.all();
  const std::vector<int> fold_of = fold_of_each(pool, data);
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (fold_of[i] == fold) {
      parts.test.push_back(pool[i]);
    } else if (fold_of[i] == (fold + 1) % kEvaluationFolds) {
      parts.validation.push_back(pool[i]);
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

nlohmann::ordered_json to_json(const Metrics& metrics) {
  return {{"count", metrics.count},
          {"accuracy", metrics.accuracy},
          {"macro_f1", metrics.macro_f1},
          {"positive_f1", metrics.positive_f1},
          {"confusion", metrics.confusion}};
}

}  // namespace bermuda
