#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <functional>
#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/tensor/run.hpp"

namespace bermuda::tensor {

/// Fixed random numbers, in double.
inline torch::Tensor numbers(const std::vector<std::int64_t>& shape, std::uint64_t item) {
  RandomStream random(17, Purpose::kTest, item);
  torch::Tensor values = torch::empty(shape, torch::kDouble);
  for (std::int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = random.normal();
  return values;
}

/// Rows of coordinates below the sizes, each at most once unless repeats are wanted.
inline torch::Tensor random_index(const std::vector<int>& sizes, int rows, std::uint64_t item,
                                  bool repeats = false) {
  RandomStream random(19, Purpose::kTest, item);
  std::set<std::vector<int>> seen;
  std::vector<int> table;
  int count = 0;
  while (count < rows) {
    std::vector<int> row;
    for (const int size : sizes) {
      row.push_back(static_cast<int>(random.below(static_cast<std::uint32_t>(size))));
    }
    if (!seen.insert(row).second && !repeats) continue;
    table.insert(table.end(), row.begin(), row.end());
    ++count;
  }
  return torch::tensor(table, torch::kInt32).view({rows, static_cast<std::int64_t>(sizes.size())});
}

/// The tensor with all its zeros: [sizes..., J...] of one element of the set.
inline torch::Tensor dense(const MixedTensor& tensor, std::size_t element,
                           const std::vector<std::int64_t>& sizes) {
  const torch::Tensor& values = tensor.values()[element];
  std::vector<std::int64_t> shape = sizes;
  for (const std::int64_t size : values.sizes().slice(1)) shape.push_back(size);
  torch::Tensor result = torch::zeros(shape, values.options());
  for (std::int64_t row = 0; row < tensor.rows(); ++row) {
    torch::Tensor cell = result;
    for (std::int64_t c = 0; c < tensor.index().size(1); ++c) {
      cell = cell[tensor.index()[row][c].item<int>()];
    }
    cell += values[row];
  }
  return result;
}

/// Coordinates, one row per entry.
inline torch::Tensor index(const std::vector<int>& numbers, std::int64_t modes) {
  return torch::tensor(numbers, torch::kInt32).view({-1, modes});
}

inline void expect_close(const torch::Tensor& found, const torch::Tensor& expected,
                         const std::string& what) {
  ASSERT_EQ(found.sizes(), expected.sizes()) << what;
  if (found.numel() == 0) return;
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  EXPECT_LT((found - expected).abs().max().item<double>() / scale, 1e-12) << what;
}

/// What the refusal says; empty if there was none.
inline std::string refusal(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

inline const std::vector<Mode>& graph_modes() {
  static const std::vector<Mode> modes = {{"i", ModeKind::kTopology, {}, {}},
                                          {"j", ModeKind::kTopology, {}, {}},
                                          {"label_i", ModeKind::kLabel, {"i"}, {}},
                                          {"label_j", ModeKind::kLabel, {"j"}, {}},
                                          {"edge", ModeKind::kLabel, {"i", "j"}, {}}};
  return modes;
}

}  // namespace bermuda::tensor
