#pragma once

#include <limits>

#include "bermuda/core/stop.hpp"

namespace bermuda {

/// Thrown through LIBSVM when its iterations reach the limit.
struct TooManyIterations {};

/// Looks after a training of LIBLINEAR or LIBSVM in this thread. Their only way to call us is what
/// they print with, every ten passes or thousand iterations; it prints nothing, but throws
/// Interrupted when the user asked to stop, and TooManyIterations. Both are C++ and let exceptions
/// through; what they hold then is not given back, which costs some numbers per row, and only at
/// those two ends. Without tables for unwinding the program would end there: it was asked to.
class TrainingWatch {
 public:
  explicit TrainingWatch(const StopPoll& stop, long most_dots = std::numeric_limits<long>::max());
  ~TrainingWatch();
  TrainingWatch(const TrainingWatch&) = delete;
  TrainingWatch& operator=(const TrainingWatch&) = delete;

  /// What the libraries get to print with.
  static void print(const char* text);

 private:
  const StopPoll stop_;
  long dots_left_;
  TrainingWatch* outer_;
};

}  // namespace bermuda
