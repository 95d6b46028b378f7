#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "bermuda/core/text.hpp"
#include "output.hpp"

namespace bermuda::app {
namespace {

constexpr auto kRedrawBar = std::chrono::milliseconds(100);
constexpr auto kPlainLine = std::chrono::seconds(10);
constexpr int kBarWidth = 24;

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// A line that wraps cannot be drawn over.
std::size_t columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 100U;
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
  status_.clear();
  status_is_new_ = false;
  finished_ = false;
  started_ = drawn_ = Clock::now();
}

void TerminalProgress::advance(std::size_t done) {
  const std::lock_guard lock(mutex_);
  if (depth_ != 1) return;
  done_ += done;
  redraw();
}

void TerminalProgress::status(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (depth_ != 1) return;
  status_ = text;
  status_is_new_ = true;
  redraw();
}

void TerminalProgress::finish() {
  const std::lock_guard lock(mutex_);
  if (depth_ == 1) finished_ = true;
}

void TerminalProgress::end() {
  const std::lock_guard lock(mutex_);
  if (--depth_ > 0 || quiet_) return;
  clear_line();
  if (status_is_new_) print_status(Clock::now());
  if (done_ < total_ && !finished_) return;  // an error or Ctrl-C, which has its own message
  print_note(fmt::format("{}: {} in {:.1f} s\n", printable(what_), finished_ ? done_ : total_,
                         seconds(Clock::now() - started_)));
}

void TerminalProgress::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (quiet_) return;
  clear_line();
  print_note(printable(text) + "\n");
}

void TerminalProgress::redraw() {
  if (quiet_) return;
  const auto now = Clock::now();
  if (terminal_) {
    if (now - drawn_ >= kRedrawBar) draw(now);
  } else if (status_is_new_ && now - drawn_ >= kPlainLine) {
    print_status(now);
  }
}

void TerminalProgress::draw(Clock::time_point now) {
  const double share = total_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(total_);
  const double elapsed = seconds(now - started_);
  const int filled = std::clamp(static_cast<int>(share * kBarWidth), 0, kBarWidth);
  const double left = share > 0 ? elapsed / share - elapsed : 0;
  const double rate = elapsed > 0 ? static_cast<double>(done_) / elapsed : 0.0;
  // The status says how fast it is in its own words, and a slow rate is no "0/s".
  const std::string speed = status_.empty() ? fmt::format("  {:.0f}/s", rate) : std::string();
  const std::string line = printable(fmt::format(
      "{} [{:#<{}}{:.<{}}] {:3.0f} %{}  {:.0f} s left{}{}", what_, "", filled, "",
      kBarWidth - filled, share * 100, speed, left, status_.empty() ? "" : "  ", status_));
  print_note(fmt::format("\r{}\x1b[K", std::string_view(line).substr(0, columns())));
  drawn_ = now;
  showing_ = true;
}

void TerminalProgress::print_status(Clock::time_point now) {
  print_note(printable(fmt::format("{}: {}", what_, status_)) + "\n");
  status_is_new_ = false;
  drawn_ = now;
}

void TerminalProgress::clear_line() {
  if (!showing_) return;
  print_note("\r\x1b[K");
  showing_ = false;
}

}  // namespace bermuda::app
