#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace bermuda::app {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr int kBarWidth = 24;

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

TerminalProgress::TerminalProgress(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void TerminalProgress::begin(std::string_view what, std::size_t total) {
  const std::lock_guard lock(mutex_);
  if (depth_++ > 0) return;
  what_ = what;
  total_ = total;
  done_ = 0;
  started_ = drawn_ = Clock::now();
}

void TerminalProgress::advance(std::size_t done) {
  const std::lock_guard lock(mutex_);
  if (depth_ != 1) return;
  done_ += done;
  const auto now = Clock::now();
  if (quiet_ || !terminal_ || now - drawn_ < kRedraw) return;
  draw(now);
}

void TerminalProgress::end() {
  const std::lock_guard lock(mutex_);
  if (--depth_ > 0 || quiet_) return;
  clear_line();
  if (done_ < total_) return;  // cut short by an error or Ctrl-C, which has its own message
  fmt::print(stderr, "{}: {} in {:.1f} s\n", what_, total_, seconds(Clock::now() - started_));
}

void TerminalProgress::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (quiet_) return;
  clear_line();
  fmt::print(stderr, "{}\n", text);
}

void TerminalProgress::draw(Clock::time_point now) {
  const double share = total_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(total_);
  const double elapsed = seconds(now - started_);
  const int filled = std::clamp(static_cast<int>(share * kBarWidth), 0, kBarWidth);
  const double left = share > 0 ? elapsed / share - elapsed : 0;
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3.0f} %  {:.0f}/s  {:.0f} s left\x1b[K", what_, "",
             filled, "", kBarWidth - filled, share * 100,
             elapsed > 0 ? static_cast<double>(done_) / elapsed : 0.0, left);
  std::fflush(stderr);
  drawn_ = now;
  showing_ = true;
}

void TerminalProgress::clear_line() {
  if (!showing_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  showing_ = false;
}

}  // namespace bermuda::app
