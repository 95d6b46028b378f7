#include "bermuda/dataset/folds.hpp"

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

}  // namespace bermuda
