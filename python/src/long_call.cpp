#include "long_call.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bermuda/core/team.hpp"
#include "bermuda/core/text.hpp"
#include "interrupt_watch.hpp"
#include "progress_log.hpp"

namespace bermuda::python {
namespace {

constexpr auto kTellAgain = std::chrono::milliseconds(100);

void tell(const py::object& listener, ProgressLog& log) {
  py::list finished;
  for (const ProgressLog::Finished& stage : log.take_finished()) {
    finished.append(py::make_tuple(printable(stage.what), stage.count, stage.seconds));
  }
  py::object current = py::none();
  if (const auto now = log.current()) {
    current = py::make_tuple(printable(now->what), now->done, now->total, now->seconds,
                             printable(now->status));
  }
  listener(finished, current);
}

/// A thread that tells the listener how far the work is. The work stays on the thread that was
/// asked for it: any other one would get its memory from an arena that grows page by page, which
/// makes an audit half as slow again.
class Teller {
 public:
  Teller(const py::object& listener, ProgressLog& log) : listener_(listener), log_(log) {
    if (!listener.is_none()) thread_ = std::thread([this] { run(); });
  }
  /// To be destroyed without the interpreter's lock.
  ~Teller() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kTellAgain, [this] { return done_; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire acquired;
        try {
          tell(listener_, log_);
        } catch (py::error_already_set& error) {
          error.discard_as_unraisable("the progress of bermuda");
        }
      }
      lock.lock();
    }
  }

  const py::object& listener_;
  ProgressLog& log_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace

void run_long(const Work& work, const std::function<void(const Execution&)>& body) {
  std::atomic<bool> stop{false};
  ProgressLog log;
  std::exception_ptr failure;
  {
    const InterruptWatch watch(stop);
    const py::gil_scoped_release released;
    const Teller teller(work.listener, log);
    try {
      body({work.threads > 0 ? work.threads : cores_of_a_rank(), &log, &stop});
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (!work.listener.is_none()) tell(work.listener, log);
  // What the user's handler raises, usually KeyboardInterrupt, goes before what it made of the
  // work.
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bermuda::python
