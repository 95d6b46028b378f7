#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "parallel.hpp"
#include "stack_memory.hpp"

namespace bermuda::nn::fused {

/// Parameters of a step as a stack's matrices have them, padded: see pack() in fused_stack.cpp.
template <typename T>
struct StepNumbers {
  const T* weight = nullptr;  ///< [input columns, stride]: for y = x weight
  const T* back = nullptr;    ///< [output columns, stride]: for dx = dy back
  const T* norm_weight = nullptr;
  const T* norm_bias = nullptr;
  const T* source = nullptr;
  const T* target = nullptr;
  T self = 1;
  double epsilon = 1e-5;
  const T* running_mean = nullptr;
  const T* running_variance = nullptr;
};

/// What a pass over a stack works with.
template <typename T>
class StackRun {
 public:
  StackRun(const StackPlan& plan, const std::vector<StepNumbers<T>>& given, T* kept)
      : plan_(plan), memory_(plan), numbers_(given), kept_(kept), stride_(plan.columns.stride()) {}

 protected:
  T* x(int s) const { return kept_ + memory_.x[at(s)]; }
  T* y(int s) const { return kept_ + memory_.y[at(s)]; }
  T* z(int s) const { return kept_ + memory_.z[at(s)]; }
  T* alpha(int s) const { return kept_ + memory_.alpha[at(s)]; }
  T* mean(int s) const { return kept_ + memory_.statistics[at(s)]; }
  T* deviation(int s) const { return mean(s) + stride_; }
  T* gain(int s) const { return mean(s) + 2 * stride_; }
  T* source_scores(int s) const { return kept_ + memory_.scores[at(s)]; }
  T* target_scores(int s) const {
    return source_scores(s) + at(step(s).input_rows) * at(heads(s).period());
  }
  HeadShape heads(int s) const { return plan_.columns.heads(step(s).single_head); }
  const StepPlan& step(int s) const { return plan_.steps[at(s)]; }
  const StepNumbers<T>& numbers(int s) const { return numbers_[at(s)]; }
  std::size_t row(int number) const { return at(number) * at(stride_); }

  /// These rows of a matrix, as something to fetch.
  Ahead rows_ahead(const T* matrix, Rows rows) const {
    if (matrix == nullptr || rows.begin >= rows.end) return {};
    return {matrix + row(rows.begin), at(rows.end - rows.begin) * at(stride_) * sizeof(T)};
  }

  /// Multiplies rows with a mask of dropout.
  void apply_mask(const torch::Tensor& mask, T* values, Rows rows) const {
    if (!mask.defined()) return;
    const float* factors = mask.data_ptr<float>();
    for (std::size_t i = row(rows.begin); i < row(rows.end); ++i) values[i] *= T(factors[i]);
  }

  static const float* weights_of(const std::vector<float>& weights) {
    return weights.empty() ? nullptr : weights.data();
  }

  /// With one thread there is an order to keep to, which is easy on the caches.
  static bool alone() { return at::get_num_threads() == 1; }
  template <class Body>
  static void each(int blocks, const Body& body) {
    const StopPoll stop = OperatorStop::current();
    at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto block = static_cast<int>(begin); block < static_cast<int>(end); ++block) {
        if (stop.requested()) return;
        body(block);
      }
    });
    stop.now();
  }

  /// Sums of `count` columns by block, added up in order, in double: the number of threads does not
  /// matter.
  class BlockSums {
   public:
    BlockSums(int blocks, int count)
        : blocks_(blocks), count_(at(count)), values_(at(blocks) * at(count)) {
      std::fill_n(values_.data(), at(blocks) * count_, T(0));
    }
    T* of(int block) const { return values_.data() + at(block) * count_; }
    std::vector<double> total() const {
      std::vector<double> sums(count_, 0);
      for (int block = 0; block < blocks_; ++block) {
        const T* part = of(block);
        for (std::size_t c = 0; c < count_; ++c) sums[c] += static_cast<double>(part[c]);
      }
      return sums;
    }

   private:
    int blocks_;
    std::size_t count_;
    Buffer<T> values_;
  };

  const StackPlan& plan_;
  StackMemory memory_;
  const std::vector<StepNumbers<T>>& numbers_;
  T* kept_;
  int stride_;
};

}  // namespace bermuda::nn::fused
