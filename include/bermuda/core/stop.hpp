#pragma once

#include <atomic>

#include "bermuda/core/error.hpp"
#include "bermuda/core/execution.hpp"

namespace bermuda {

/// Whether the user asked to stop, looked at every some thousand steps: cheap enough for the inside
/// of any loop, and often enough for an answer within a second. Handed down by value to what works
/// on one large graph; a default-made one never stops anybody.
class StopPoll {
 public:
  StopPoll() = default;
  /// Implicit: whoever has an Execution hands that on.
  StopPoll(const Execution& execution) : stop_(execution.stop) {}

  /// So many steps were made. Throws Interrupted.
  void operator()(std::size_t steps = 1) {
    steps_ += steps;
    if (steps_ < kSteps) return;
    steps_ = 0;
    now();
  }
  void now() const {
    if (requested()) throw Interrupted();
  }
  bool requested() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kSteps = 4096;
  const std::atomic<bool>* stop_ = nullptr;
  std::size_t steps_ = 0;
};

}  // namespace bermuda
