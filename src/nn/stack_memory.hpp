#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "bermuda/core/index.hpp"
#include "stack_plan.hpp"

namespace bermuda::nn::fused {

/// Numbers that begin at a cache line, not set to anything.
template <typename T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count) {
    if (count == 0) return;
    values_ = hwy::AllocateAligned<T>(count);
    if (!values_) throw std::bad_alloc();
  }
  T* data() const { return values_.get(); }

 private:
  hwy::AlignedFreeUniquePtr<T[]> values_;
};

/// Where a stack keeps what: offsets into one array of numbers. Without a way back, matrices that
/// are no longer needed make room for others.
class StackMemory {
 public:
  explicit StackMemory(const StackPlan& plan) {
    const int steps = plan.steps_count();
    const std::size_t stride = at(plan.columns.stride());
    const auto matrix = [&](int rows) { return at(rows) * stride; };
    std::size_t most = 0;
    for (const StepPlan& step : plan.steps) {
      most = std::max({most, matrix(step.input_rows), matrix(step.level.rows)});
    }
    std::vector<std::size_t> turns;
    for (int i = 0; !plan.keep && i < 6; ++i) turns.push_back(take(most));
    const std::size_t shared = plan.keep ? take(most) : turns[5];
    for (int s = 0; s <= steps; ++s) {
      const StepPlan& step = plan.steps[at(std::min(s, steps - 1))];
      const int rows = s < steps ? step.input_rows : step.level.rows;
      x.push_back(plan.keep ? take(matrix(rows)) : turns[at(s % 3)]);
      if (s == steps) break;
      z.push_back(plan.keep ? take(matrix(step.level.rows)) : turns[at(3 + s % 2)]);
      // GCN's way back needs nothing of what its product gave.
      const bool again = step.spread == Spread::kAttention || step.spread == Spread::kSumWithSelf;
      y.push_back(step.spread == Spread::kNone ? z.back()
                  : plan.keep && again         ? take(matrix(step.input_rows))
                                               : shared);
      statistics.push_back(take(3 * stride));
      const HeadShape heads = plan.columns.heads(step.single_head);
      const bool attends = step.spread == Spread::kAttention;
      scores.push_back(attends ? take(2 * at(step.input_rows) * at(heads.period())) : 0);
      alpha.push_back(attends ? take(at(step.level.neighbours->entries()) * at(heads.period()))
                              : 0);
    }
  }

  std::size_t size() const { return size_; }
  std::vector<std::size_t> x;           ///< what step s is given; last, what the last one makes
  std::vector<std::size_t> y;           ///< its product, before it is spread
  std::vector<std::size_t> z;           ///< what is normalised
  std::vector<std::size_t> statistics;  ///< rows mean, 1 / deviation, gain
  std::vector<std::size_t> scores;      ///< of attention: as source, as target
  std::vector<std::size_t> alpha;

 private:
  std::size_t take(std::size_t count) {
    constexpr std::size_t kLine = 16;
    const std::size_t place = size_;
    size_ += (count + kLine - 1) / kLine * kLine;
    return place;
  }
  std::size_t size_ = 0;
};

}  // namespace bermuda::nn::fused
