#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bermuda::tensor {

/// A sparse tensor with dense parts: the mixed representation (I, V) of the paper's appendix.
///
/// I is a table of coordinates, one row per stored entry, one column per *sparse mode*; modes have
/// names. V is a *set* of dense subtensors: each element has shape [rows, J1, J2, ...], its row r
/// belongs to row r of I, and elements may be of different order. A tensor starts with the entry
/// weights, [rows], and perhaps further numbers that entries carry. What is not stored is zero; an
/// entry that is stored twice counts as the sum of both.
///
/// Each operation turns one sparse mode into dense ones and returns a new tensor. All are made of
/// LibTorch's operators, so that gradients reach W and V. They refuse with a UsageError.
class MixedTensor {
 public:
  /// index: int32 [rows, modes] on the processor; values: the weights [rows], then any [rows, ...].
  MixedTensor(std::vector<std::string> modes, torch::Tensor index,
              std::vector<torch::Tensor> values);

  std::int64_t rows() const { return index_.size(0); }
  const std::vector<std::string>& modes() const { return modes_; }
  const torch::Tensor& index() const { return index_; }                 ///< int32 [rows, modes]
  torch::Tensor coordinates(std::string_view mode) const;               ///< int32 [rows]
  const std::vector<torch::Tensor>& values() const { return values_; }  ///< the set V

  /// The mode product with W [I, J]. Rows that agree in all other modes become one row,
  ///   V'_r = sum over its rows i of V_i (outer) W[index of i],
  /// for every element of the set: [rows, J1, ..., Jk] becomes [rows', J1, ..., Jk, J]. Rows of the
  /// result are in the order in which they first appear here. When no sparse mode is left the
  /// result has exactly one row, of zeros if there was no entry. O(rows * size of a row of V').
  MixedTensor mode_product(std::string_view mode, const torch::Tensor& w) const;

  /// Appends W[index of i], of shape [rows, J], to the set and drops the mode; the rows stay.
  /// A label is determined by the other modes: refused if two rows are the same without it, whether
  /// they differ in the label or are one entry stored twice.
  MixedTensor embed_label(std::string_view mode, const torch::Tensor& w) const;

  /// Appends W[index of i] and keeps the mode, which says whose vector a row is. Refused if an
  /// entry is stored twice.
  MixedTensor embed_main(std::string_view mode, const torch::Tensor& w) const;

  /// Adds up the entries that are stored more than once, in the order of their first appearance.
  MixedTensor coalesce() const;

  /// The set side by side, each element flattened: [rows, width()].
  torch::Tensor flatten() const;
  std::int64_t width() const;

 private:
  MixedTensor() = default;
  std::int64_t column(std::string_view mode) const;
  std::vector<std::int64_t> columns_without(std::int64_t dropped) const;
  torch::Tensor rows_of(std::string_view mode, const torch::Tensor& w) const;
  MixedTensor summed(const std::vector<std::int64_t>& kept,
                     const std::vector<torch::Tensor>& values) const;
  void expect_distinct_rows(const std::vector<std::int64_t>& columns, std::string_view mode) const;

  std::vector<std::string> modes_;
  torch::Tensor index_;
  std::vector<torch::Tensor> values_;
};

}  // namespace bermuda::tensor
