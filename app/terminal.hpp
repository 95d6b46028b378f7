#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "bermuda/core/execution.hpp"

namespace bermuda::app {

/// Progress on standard error: a bar with rate and time left on a terminal, one plain line a
/// finished stage otherwise, nothing when quiet.
class TerminalProgress : public ProgressSink {
 public:
  explicit TerminalProgress(bool quiet);
  void begin(std::string_view what, std::size_t total) override;
  void advance(std::size_t done) override;
  void end() override;
  /// A line for people on standard error, printed above a bar that may be showing.
  void note(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);
  void clear_line();

  std::mutex mutex_;
  bool quiet_;
  bool terminal_;
  bool showing_ = false;
  int depth_ = 0;  // a stage inside a stage is part of it
  std::string what_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  Clock::time_point started_;
  Clock::time_point drawn_;
};

}  // namespace bermuda::app
