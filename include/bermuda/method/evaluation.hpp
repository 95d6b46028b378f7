#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

inline constexpr int kEvaluationFolds = 10;
/// The folds are the same for every method and every run seed.
inline constexpr std::uint64_t kFoldSeed = 1;

/// The three parts of one run.
struct FoldParts {
  std::vector<const Sample*> train;
  std::vector<const Sample*> validation;
  std::vector<const Sample*> test;
};

/// Data with splits "train" and "test": train is cut into 10 stratified folds, fold f validates,
/// the fixed test split tests ("valid" is not used). Other data is pooled: fold f tests, fold f + 1
/// (mod 10) validates, the rest trains. Throws UsageError when a class has too few graphs.
FoldParts fold_parts(const DataSet& data, int fold);

struct Metrics {
  std::size_t count = 0;
  double accuracy = 0;
  double macro_f1 = 0;
  double positive_f1 = 0;                           ///< F1 of the last class
  std::vector<std::vector<std::size_t>> confusion;  ///< [true class][predicted class]
};

/// Throws Error unless there is one answer per graph, which names one of the classes and has a
/// finite score for each: plug-ins and strangers' models may say anything.
void check_predictions(std::span<const Prediction> predictions, std::size_t samples, int classes);

/// Throws as check_predictions().
Metrics measure(Samples samples, std::span<const Prediction> predictions, int classes);
nlohmann::ordered_json to_json(const Metrics& metrics);

}  // namespace bermuda
