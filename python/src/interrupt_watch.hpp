#pragma once

#include <atomic>
#include <csignal>

namespace bermuda::python {

/// While it lives, Ctrl-C also sets `stop`: Python's own handler only leaves a mark, which nobody
/// looks at before the work ends. Does nothing outside of Python's main thread, and where the user
/// has left the signal to the system.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::atomic<bool>& stop);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  bool watching_ = false;
};

}  // namespace bermuda::python
