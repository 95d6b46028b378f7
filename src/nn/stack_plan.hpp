#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "bermuda/nn/stack.hpp"

namespace bermuda::nn::fused {

/// What a stack does with a batch, apart from its numbers.

/// Rows are worked on so many at a time: enough for a matrix product to be worth it, few enough
/// that what a step makes of them stays in the second-level cache.
constexpr int kStackRows = 192;
inline int block_count(int rows) { return (rows + kStackRows - 1) / kStackRows; }
inline Rows block_rows(int block, int rows) {
  return {block * kStackRows, std::min(rows, (block + 1) * kStackRows)};
}

/// Between a level's rows (targets) and those of the level above (sources), in blocks.
struct BlockOrder {
  std::vector<int> ready;   ///< targets 0..ready[i]-1 need no source behind block i
  std::vector<int> wanted;  ///< on the way back, sources 0..i need no target behind wanted[i]-1
};
BlockOrder block_order(const Level& level, int source_rows, bool way_back);

/// The columns of a network's vectors, as they lie in a stack's matrices: rows are padded with
/// zeros to whole vectors, and where several heads share a row their number is rounded up to one
/// that HeadShape allows.
class ColumnLayout {
 public:
  ColumnLayout(int width, int heads);
  int width() const { return width_; }    ///< of the network
  int stride() const { return stride_; }  ///< between rows, in a stack
  int used() const { return used_; }      ///< columns of a row that may be other than zero
  bool in_order() const { return lanes_ == heads_; }  ///< no column has another place there
  /// Copies a row of the network's columns to one of a stack's, whose padding stays as it is, and
  /// back.
  template <typename From, typename To>
  void pack(const From* from, To* to) const {
    if (in_order()) {
      for (int c = 0; c < width_; ++c) to[c] = static_cast<To>(from[c]);
      return;
    }
    for (int c = 0; c < width_; ++c) to[place(c)] = static_cast<To>(from[c]);
  }
  template <typename From, typename To>
  void unpack(const From* from, To* to) const {
    if (in_order()) {
      for (int c = 0; c < width_; ++c) to[c] = static_cast<To>(from[c]);
      return;
    }
    for (int c = 0; c < width_; ++c) to[c] = static_cast<To>(from[place(c)]);
  }
  std::size_t place(int column) const {
    return static_cast<std::size_t>(column / heads_ * lanes_ + column % heads_);
  }
  HeadShape heads(bool single) const { return {single ? 1 : lanes_, stride_}; }

 private:
  int width_;
  int heads_;
  int lanes_;
  int used_;
  int stride_;
};

struct StepPlan {
  Spread spread = Spread::kNone;
  Level level = {};
  int input_rows = 0;
  int layer = 0;  ///< the step that this one's layer begins with
  int end = 0;    ///< the step after the last of this one's layer
  Activation activation = Activation::kNone;
  bool residual = false;
  bool single_head = true;
  double slope = 0;
  double nodes = 0;  ///< that the rows of the level stand for
  std::shared_ptr<const BlockOrder> order = {};
  std::shared_ptr<const Relation> pool = {};        ///< of what it makes, where that is pooled
  std::shared_ptr<const Relation> input_pool = {};  ///< of what it is given, where that is
  torch::Tensor mask = {};                          ///< padded, or undefined
};

struct StackPlan {
  StackPlan(const torch::Tensor& x, const std::vector<StackStep>& steps, const Batch& batch,
            bool is_training, bool with_way_back);
  int steps_count() const { return static_cast<int>(steps.size()); }
  int pools() const;

  ColumnLayout columns;
  std::vector<StepPlan> steps;
  int graphs = 0;
  bool training = false;
  bool keep = false;  ///< there will be a way back
};

}  // namespace bermuda::nn::fused
