#include "bermuda/dataset/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "bermuda/core/random.hpp"

namespace bermuda {

Folds stratified_folds(std::span<const int> labels, int classes, int count, std::uint64_t seed) {
  Folds folds{count, std::vector<int>(labels.size()), {}};
  folds.order.reserve(labels.size());
  for (int label = 0; label < classes; ++label) {
    const std::size_t begin = folds.order.size();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == label) folds.order.push_back(i);
    }
    RandomStream random(seed, Purpose::kFolds, static_cast<std::uint64_t>(label));
    random.shuffle(std::span(folds.order).subspan(begin));
  }
  // Dealt out in one go over all classes, so that folds differ by one item at most.
  for (std::size_t i = 0; i < folds.order.size(); ++i) {
    folds.fold_of[folds.order[i]] = static_cast<int>(i % static_cast<std::size_t>(count));
  }
  return folds;
}

double class_f1(std::span<const int> truth, std::span<const int> predicted, int label) {
  std::size_t hits = 0;
  std::size_t marked = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    marked += (truth[i] == label ? 1U : 0U) + (predicted[i] == label ? 1U : 0U);
    hits += truth[i] == label && predicted[i] == label ? 1U : 0U;
  }
  return marked == 0 ? 0.0 : 2.0 * static_cast<double>(hits) / static_cast<double>(marked);
}

double macro_f1(std::span<const int> truth, std::span<const int> predicted, int classes) {
  double sum = 0;
  int present = 0;
  for (int label = 0; label < classes; ++label) {
    if (std::find(truth.begin(), truth.end(), label) == truth.end()) continue;
    ++present;
    sum += class_f1(truth, predicted, label);
  }
  return present == 0 ? 0.0 : sum / present;
}

Interval wilson_interval(std::size_t right, std::size_t total) {
  constexpr double kNormalQuantile = 1.959963984540054;  // of 97.5 %
  if (total == 0) return {0, 1};
  const auto n = static_cast<double>(total);
  const double share = static_cast<double>(right) / n;
  const double z2 = kNormalQuantile * kNormalQuantile;
  const double middle = share + z2 / (2 * n);
  const double spread = kNormalQuantile * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {std::max(0.0, (middle - spread) / (1 + z2 / n)),
          std::min(1.0, (middle + spread) / (1 + z2 / n))};
}

}  // namespace bermuda
