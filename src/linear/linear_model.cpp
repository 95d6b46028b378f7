#include "bermuda/linear/linear_model.hpp"

#include <algorithm>
#include <cmath>

namespace bermuda {
namespace {

double score(const std::vector<double>& weights, int columns,
             std::span<const SparseMatrix::Entry> row) {
  double sum = weights.back();
  for (const auto& entry : row) {
    if (entry.column < columns)
      sum += weights[static_cast<std::size_t>(entry.column)] * entry.value;
  }
  return sum;
}

double logistic(double value) { return 1.0 / (1.0 + std::exp(-value)); }

}  // namespace

double LinearModel::probability_of_one(std::span<const SparseMatrix::Entry> row) const {
  return logistic(score(weights.front(), columns, row));
}

std::vector<double> LinearModel::scores(std::span<const SparseMatrix::Entry> row) const {
  if (classes == 2) {
    const double one = score(weights.front(), columns, row);
    return {-one, one};
  }
  std::vector<double> result;
  for (const auto& vector : weights) result.push_back(score(vector, columns, row));
  return result;
}

std::vector<double> LinearModel::probabilities(std::span<const SparseMatrix::Entry> row) const {
  if (classes == 2) {
    const double one = probability_of_one(row);
    return {1.0 - one, one};
  }
  std::vector<double> result;
  double sum = 0;
  for (const auto& vector : weights) {
    result.push_back(logistic(score(vector, columns, row)));
    sum += result.back();
  }
  for (double& value : result) value /= std::max(sum, 1e-300);
  return result;
}

}  // namespace bermuda
