#pragma once

#include "bermuda/core/stop.hpp"

namespace bermuda::nn {

/// While it lives, the operators that this thread calls, and their way back, end with Interrupted
/// soon after the user asked to stop: one of them may take long on large graphs.
class OperatorStop {
 public:
  explicit OperatorStop(StopPoll stop);
  ~OperatorStop();
  OperatorStop(const OperatorStop&) = delete;
  OperatorStop& operator=(const OperatorStop&) = delete;
  /// Of this thread; one that never stops anybody where there is none.
  static StopPoll current();

 private:
  StopPoll before_;
};

}  // namespace bermuda::nn
