#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/dataset/folds.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// The three parts of one run.
struct FoldParts {
  std::vector<const Sample*> train;
  std::vector<const Sample*> validation;
  std::vector<const Sample*> test;
};

/// How graphs are dealt out to the ten folds, which are always stratified.
enum class Folding {
  kUsual,       ///< grouped for data with splits "train" and "test", stratified for pooled data;
                ///< pairs of twins (has_pairs()) are kept together
  kGrouped,     ///< isomorphic graphs (attributes aside) are in the same fold: twin_groups()
  kStratified,  ///< wherever they fall, as is customary for the TU data
};
std::string_view folding_name(Folding folding);  ///< "usual"
/// Throws UsageError for anything else.
Folding folding_named(std::string_view name);
/// kUsual where that is the same for this data: runs are then known by one key.
Folding plain_folding(const DataSet& data, Folding folding);

/// Data with splits "train" and "test": train is cut into 10 folds, fold f validates, the fixed
/// test split tests ("valid" is not used). Other data is pooled: fold f tests, fold f + 1 (mod 10)
/// validates, the rest trains. Throws UsageError when a class has too few graphs, or when so many
/// are isomorphic that no ten folds can keep them together.
FoldParts fold_parts(const DataSet& data, int fold, Folding folding = Folding::kUsual,
                     const Execution& execution = {});

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
/// F1 of every class, from the confusion matrix; 0 for one that neither occurs nor is claimed.
std::vector<double> f1_by_class(const Metrics& metrics);
/// What results are stored as.
nlohmann::ordered_json to_json(const Metrics& metrics);
/// What programs are told: also "f1", one figure per class, in the order of the confusion matrix.
nlohmann::ordered_json told_json(const Metrics& metrics);

}  // namespace bermuda
