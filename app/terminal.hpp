#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "bermuda/core/execution.hpp"

namespace bermuda::app {

/// Progress on standard error: a bar with rate or status and time left on a terminal; otherwise one
/// plain line per finished stage and a line of status every ten seconds; nothing when quiet. The
/// last status of a stage is always kept.
class TerminalProgress : public ProgressSink {
 public:
  explicit TerminalProgress(bool quiet);
  void begin(std::string_view what, std::size_t total) override;
  void advance(std::size_t done) override;
  void status(std::string_view text) override;
  void finish() override;
  void end() override;
  /// A line for people on standard error, printed above a bar that may be showing.
  void note(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;
  void redraw();
  void draw(Clock::time_point now);
  void print_status(Clock::time_point now);
  void clear_line();

  std::mutex mutex_;
  bool quiet_;
  bool terminal_;
  bool showing_ = false;
  int depth_ = 0;  // a stage inside a stage is part of it
  std::string what_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::string status_;
  bool status_is_new_ = false;  // not printed as a line yet
  bool finished_ = false;
  Clock::time_point started_;
  Clock::time_point drawn_;
};

}  // namespace bermuda::app
