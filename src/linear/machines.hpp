#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "bermuda/linear/linear_model.hpp"

namespace bermuda {

/// The task of one machine: a class against the rest, as LIBLINEAR and LIBSVM want it.
struct Sides {
  std::vector<double> of_row;                  ///< +1 or -1
  std::array<int, 2> names = {1, -1};          ///< of the sides that `balance` is for
  std::array<double, 2> balance = {1.0, 1.0};  ///< weights that let both sides count alike
};

/// Puts a model together from a solver for two sides: one machine for two classes, one per class
/// for more. solve(machine, sides, weights) is called where both sides have rows.
template <typename Solve>
LinearModel train_machines(std::span<const int> labels, int classes, int columns, Solve solve) {
  constexpr double kCertain = 20.0;  // the intercept of a machine that has only ever seen one side
  LinearModel model{classes, columns, {}};
  const int machines = classes == 2 ? 1 : classes;
  Sides sides;
  sides.of_row.resize(labels.size());
  for (int machine = 0; machine < machines; ++machine) {
    const int positive = classes == 2 ? 1 : machine;
    std::transform(labels.begin(), labels.end(), sides.of_row.begin(),
                   [&](int label) { return label == positive ? 1.0 : -1.0; });
    const auto total = static_cast<double>(labels.size());
    const auto positives = static_cast<double>(std::count(labels.begin(), labels.end(), positive));
    std::vector<double> weights(static_cast<std::size_t>(columns) + 1, 0.0);
    if (positives == 0 || positives == total) {
      weights.back() = positives == 0 ? -kCertain : kCertain;
    } else {
      sides.balance = {0.5 * total / positives, 0.5 * total / (total - positives)};
      solve(static_cast<std::size_t>(machine), sides, weights);
    }
    model.weights.push_back(std::move(weights));
  }
  return model;
}

}  // namespace bermuda
