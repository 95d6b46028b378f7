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

/// Where a stack keeps what: offsets into one array of numbers. Without a way back, what is no
/// longer needed makes room for others; outside training x(s + 1) is made where z(s) is.
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
    const std::size_t shared = take(most);
    const std::vector<std::size_t> turns = turns_of_x(plan, most);
    for (int s = 0; s <= steps; ++s) {
      const int rows = s < steps ? plan.steps[at(s)].input_rows : plan.steps.back().level.rows;
      x.push_back(plan.keep ? take(matrix(rows)) : turns[at(s) % turns.size()]);
    }
    std::size_t turns_of_z[2] = {};
    for (std::size_t& turn : turns_of_z) {
      if (!plan.keep && plan.training) turn = take(most);
    }
    std::size_t most_scores = 0;
    std::size_t most_alpha = 0;
    for (const StepPlan& step : plan.steps) {
      if (step.spread != Spread::kAttention) continue;
      most_scores = std::max(most_scores, scores_of(plan, step));
      most_alpha = std::max(most_alpha, alpha_of(plan, step));
    }
    const std::size_t shared_scores = plan.keep ? 0 : take(most_scores);
    const std::size_t shared_alpha = plan.keep ? 0 : take(most_alpha);
    for (int s = 0; s < steps; ++s) {
      const StepPlan& step = plan.steps[at(s)];
      z.push_back(plan.keep       ? take(matrix(step.level.rows))
                  : plan.training ? turns_of_z[s % 2]
                                  : x[at(s) + 1]);
      // GCN's way back needs nothing of what its product gave.
      const bool again = step.spread == Spread::kAttention || step.spread == Spread::kSumWithSelf;
      y.push_back(step.spread == Spread::kNone ? z.back()
                  : plan.keep && again         ? take(matrix(step.input_rows))
                                               : shared);
      statistics.push_back(take(3 * stride));
      const bool own = plan.keep && step.spread == Spread::kAttention;
      scores.push_back(own ? take(scores_of(plan, step)) : shared_scores);
      alpha.push_back(own ? take(alpha_of(plan, step)) : shared_alpha);
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
  /// A layer reads what it began with until it is through.
  std::vector<std::size_t> turns_of_x(const StackPlan& plan, std::size_t most) {
    int longest = 0;
    for (const StepPlan& step : plan.steps) longest = std::max(longest, step.end - step.layer);
    std::vector<std::size_t> turns;
    for (int i = 0; !plan.keep && i <= longest; ++i) turns.push_back(take(most));
    return turns;
  }
  static std::size_t scores_of(const StackPlan& plan, const StepPlan& step) {
    return 2 * at(step.input_rows) * at(plan.columns.heads(step.single_head).period());
  }
  static std::size_t alpha_of(const StackPlan& plan, const StepPlan& step) {
    return at(step.level.neighbours->entries()) * at(plan.columns.heads(step.single_head).period());
  }
  std::size_t take(std::size_t count) {
    constexpr std::size_t kLine = 16;
    const std::size_t place = size_;
    size_ += (count + kLine - 1) / kLine * kLine;
    return place;
  }
  std::size_t size_ = 0;
};

}  // namespace bermuda::nn::fused
