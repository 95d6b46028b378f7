#include "progress_log.hpp"

#include <utility>

namespace bermuda::python {

void ProgressLog::begin(std::string_view what, std::size_t total) {
  const std::lock_guard lock(mutex_);
  if (depth_++ > 0) return;
  now_ = {std::string(what), 0, total, 0, {}};
  complete_ = false;
  started_ = Clock::now();
}

void ProgressLog::advance(std::size_t done) {
  const std::lock_guard lock(mutex_);
  if (depth_ == 1) now_.done += done;
}

void ProgressLog::status(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (depth_ == 1) now_.status = text;
}

void ProgressLog::finish() {
  const std::lock_guard lock(mutex_);
  if (depth_ == 1) complete_ = true;
}

void ProgressLog::end() {
  const std::lock_guard lock(mutex_);
  if (--depth_ > 0) return;
  if (now_.done < now_.total && !complete_) return;  // an error or Ctrl-C
  finished_.push_back({now_.what, complete_ ? now_.done : now_.total, seconds()});
}

std::vector<ProgressLog::Finished> ProgressLog::take_finished() {
  const std::lock_guard lock(mutex_);
  return std::exchange(finished_, {});
}

std::optional<ProgressLog::Current> ProgressLog::current() const {
  const std::lock_guard lock(mutex_);
  if (depth_ == 0) return std::nullopt;
  Current current = now_;
  current.seconds = seconds();
  return current;
}

double ProgressLog::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

}  // namespace bermuda::python
