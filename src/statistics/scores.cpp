#include "bermuda/statistics/scores.hpp"

#include <algorithm>

namespace bermuda {

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

}  // namespace bermuda
