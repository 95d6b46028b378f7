#include "bermuda/tensor/mixed_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda::tensor {
namespace {

std::string shape_text(const torch::Tensor& tensor) {
  if (!tensor.defined()) return "nothing";
  std::string text;
  for (const std::int64_t size : tensor.sizes()) {
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  }
  return "[" + text + "]";
}

std::int64_t numbers_a_row(const torch::Tensor& element) {
  std::int64_t count = 1;
  for (const std::int64_t size : element.sizes().slice(1)) count *= size;
  return count;
}

/// V_i (outer) W_i of every row i: [rows, ...] and [rows, J] to [rows, ..., J].
torch::Tensor row_products(const torch::Tensor& element, const torch::Tensor& w_rows) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(element.dim()) + 1, 1);
  shape.front() = w_rows.size(0);
  shape.back() = w_rows.size(1);
  return element.unsqueeze(-1) * w_rows.view(shape);
}

/// Rows of an index table that agree in some columns, numbered as they first appear.
struct Groups {
  torch::Tensor of_row;  // int64 [rows]
  torch::Tensor first;   // int64 [groups]: the first row of each

  std::int64_t count() const { return first.size(0); }
};

/// O(rows * columns). Without columns there is one group, even of no rows.
Groups group_rows(const torch::Tensor& index_table, const std::vector<std::int64_t>& columns) {
  const std::int64_t rows = index_table.size(0);
  Groups groups{torch::zeros({rows}, torch::kInt64), torch::zeros({1}, torch::kInt64)};
  auto* of_row = groups.of_row.data_ptr<std::int64_t>();
  const auto index = index_table.accessor<std::int32_t, 2>();
  // Column by column, the groups so far are split by what the column says.
  for (const std::int64_t c : columns) {
    std::unordered_map<std::uint64_t, std::int64_t> numbers;
    std::vector<std::int64_t> first;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::uint64_t key =
          static_cast<std::uint64_t>(of_row[row]) << 32 | static_cast<std::uint32_t>(index[row][c]);
      const auto [place, is_new] =
          numbers.try_emplace(key, static_cast<std::int64_t>(first.size()));
      if (is_new) first.push_back(row);
      of_row[row] = place->second;
    }
    groups.first = torch::tensor(first, torch::kInt64);
  }
  return groups;
}

/// The sum of the rows of each group: [rows, ...] to [groups, ...].
torch::Tensor sum_groups(const torch::Tensor& element, const Groups& groups) {
  std::vector<std::int64_t> shape = element.sizes().vec();
  shape.front() = groups.count();
  return torch::zeros(shape, element.options())
      .index_add(0, groups.of_row.to(element.device()), element);
}

torch::Tensor take_columns(const torch::Tensor& index, const std::vector<std::int64_t>& columns) {
  return index.index_select(1, torch::tensor(columns, torch::kInt64));
}

}  // namespace

MixedTensor::MixedTensor(std::vector<std::string> modes, torch::Tensor index,
                         std::vector<torch::Tensor> values)
    : modes_(std::move(modes)), values_(std::move(values)) {
  for (auto mode = modes_.begin(); mode != modes_.end(); ++mode) {
    if (std::find(modes_.begin(), mode, *mode) != mode) {
      throw UsageError(
          fmt::format("found two modes named {}, expected different names", in_quotes(*mode)));
    }
  }
  const auto mode_count = static_cast<std::int64_t>(modes_.size());
  if (!index.defined() || index.dim() != 2 || index.size(1) != mode_count) {
    throw UsageError(fmt::format("found an index table of shape {}, expected [rows, {}]",
                                 shape_text(index), mode_count));
  }
  if (index.scalar_type() != torch::kInt32 || !index.device().is_cpu()) {
    throw UsageError(fmt::format("found an index table of {} on {}, expected int32 on cpu",
                                 c10::toString(index.scalar_type()), index.device().str()));
  }
  index_ = index.contiguous();
  if (values_.empty()) throw UsageError("found no values, expected the weights of the entries");
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const torch::Tensor& element = values_[i];
    const bool weights = i == 0;
    if (!element.defined() || element.dim() < 1 || element.size(0) != rows() ||
        (weights && element.dim() != 1)) {
      throw UsageError(fmt::format("found values {} of shape {}, expected [{}{}]", i,
                                   shape_text(element), rows(), weights ? "" : ", ..."));
    }
  }
}

std::int64_t MixedTensor::column(std::string_view mode) const {
  const auto place = std::find(modes_.begin(), modes_.end(), mode);
  if (place == modes_.end()) {
    std::string known;
    for (const std::string& name : modes_) known += (known.empty() ? "" : ", ") + in_quotes(name);
    throw UsageError(fmt::format("found no mode {} in the tensor, expected {}", in_quotes(mode),
                                 known.empty() ? "none, for none is left" : "one of: " + known));
  }
  return place - modes_.begin();
}

torch::Tensor MixedTensor::coordinates(std::string_view mode) const {
  return index_.select(1, column(mode));
}

torch::Tensor MixedTensor::rows_of(std::string_view mode, const torch::Tensor& w) const {
  const torch::Tensor chosen = coordinates(mode);
  if (!w.defined() || w.dim() != 2) {
    throw UsageError(fmt::format("mode {}: found a table of shape {}, expected [indices, width]",
                                 in_quotes(mode), shape_text(w)));
  }
  const auto values = chosen.accessor<std::int32_t, 1>();
  for (std::int64_t row = 0; row < rows(); ++row) {
    if (values[row] < 0 || values[row] >= w.size(0)) {
      throw UsageError(
          fmt::format("mode {}, row {}: found index {}, expected one of the {} rows "
                      "of its table",
                      in_quotes(mode), row, values[row], w.size(0)));
    }
  }
  return w.index_select(0, chosen.to(w.device(), torch::kInt64));
}

std::vector<std::int64_t> MixedTensor::columns_without(std::int64_t dropped) const {
  std::vector<std::int64_t> columns;
  for (std::int64_t c = 0; c < index_.size(1); ++c) {
    if (c != dropped) columns.push_back(c);
  }
  return columns;
}

/// Rows that agree in the kept columns become one, with the sum of their values.
MixedTensor MixedTensor::summed(const std::vector<std::int64_t>& kept,
                                const std::vector<torch::Tensor>& values) const {
  const Groups groups = group_rows(index_, kept);
  MixedTensor result;
  for (const std::int64_t c : kept) result.modes_.push_back(modes_[static_cast<std::size_t>(c)]);
  // The one group of no columns has no coordinates, and perhaps no row to take them from.
  result.index_ = kept.empty() ? torch::empty({groups.count(), 0}, torch::kInt32)
                               : take_columns(index_, kept).index_select(0, groups.first);
  for (const torch::Tensor& element : values) {
    result.values_.push_back(sum_groups(element, groups));
  }
  return result;
}

MixedTensor MixedTensor::mode_product(std::string_view mode, const torch::Tensor& w) const {
  const torch::Tensor w_rows = rows_of(mode, w);
  std::vector<torch::Tensor> products;
  for (const torch::Tensor& element : values_) products.push_back(row_products(element, w_rows));
  return summed(columns_without(column(mode)), products);
}

MixedTensor MixedTensor::coalesce() const { return summed(columns_without(-1), values_); }

void MixedTensor::expect_distinct_rows(const std::vector<std::int64_t>& columns,
                                       std::string_view mode) const {
  const Groups groups = group_rows(index_, columns);
  if (groups.count() >= rows()) return;
  const torch::Tensor chosen = coordinates(mode);
  const auto values = chosen.accessor<std::int32_t, 1>();
  const auto of_row = groups.of_row.accessor<std::int64_t, 1>();
  const auto first = groups.first.accessor<std::int64_t, 1>();
  std::int64_t row = 0;
  while (first[of_row[row]] == row) ++row;
  const std::int64_t other = first[of_row[row]];
  if (values[row] == values[other]) {
    throw UsageError(
        fmt::format("mode {}: found rows {} and {} equal in all modes, expected every "
                    "entry once (coalesce() adds them up)",
                    in_quotes(mode), other, row));
  }
  throw UsageError(
      fmt::format("mode {} is no label: found {} in row {} and {} in row {}, which "
                  "agree in all other modes, expected one value",
                  in_quotes(mode), values[other], other, values[row], row));
}

MixedTensor MixedTensor::embed_label(std::string_view mode, const torch::Tensor& w) const {
  const torch::Tensor w_rows = rows_of(mode, w);
  const std::int64_t dropped = column(mode);
  const std::vector<std::int64_t> rest = columns_without(dropped);
  expect_distinct_rows(rest, mode);
  MixedTensor result = *this;
  result.modes_.erase(result.modes_.begin() + dropped);
  result.index_ = take_columns(index_, rest);
  result.values_.push_back(w_rows);
  return result;
}

MixedTensor MixedTensor::embed_main(std::string_view mode, const torch::Tensor& w) const {
  const torch::Tensor w_rows = rows_of(mode, w);
  expect_distinct_rows(columns_without(-1), mode);
  MixedTensor result = *this;
  result.values_.push_back(w_rows);
  return result;
}

torch::Tensor MixedTensor::flatten() const {
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& element : values_) {
    parts.push_back(element.reshape({rows(), numbers_a_row(element)}));
  }
  return torch::cat(parts, 1);
}

std::int64_t MixedTensor::width() const {
  std::int64_t width = 0;
  for (const torch::Tensor& element : values_) width += numbers_a_row(element);
  return width;
}

}  // namespace bermuda::tensor
