#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"

namespace bermuda::python {

/// What is going on, kept by the threads that work for the one that may talk to Python.
class ProgressLog : public ProgressSink {
 public:
  struct Finished {
    std::string what;
    std::size_t count = 0;
    double seconds = 0;
  };
  struct Current {
    std::string what;
    std::size_t done = 0;
    std::size_t total = 0;
    double seconds = 0;
    std::string status;
  };

  void begin(std::string_view what, std::size_t total) override;
  void advance(std::size_t done) override;
  void status(std::string_view text) override;
  void finish() override;
  void end() override;

  /// Stages that ended since the last call.
  std::vector<Finished> take_finished();
  std::optional<Current> current() const;

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const;

  mutable std::mutex mutex_;
  int depth_ = 0;  // a stage inside a stage is part of it
  bool complete_ = false;
  Clock::time_point started_;
  Current now_;
  std::vector<Finished> finished_;
};

}  // namespace bermuda::python
