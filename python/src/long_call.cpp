#include "long_call.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bermuda/core/team.hpp"
#include "bermuda/core/text.hpp"
#include "progress_log.hpp"

namespace bermuda::python {
namespace {

constexpr auto kLookAround = std::chrono::milliseconds(50);

void tell(const py::object& listener, ProgressLog& log) {
  if (listener.is_none()) return;
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

// A thread that works until it is told to stop, and is always joined.
class Worker {
 public:
  explicit Worker(std::function<void()> body)
      : thread_([this, body = std::move(body)] {
          try {
            body();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          changed_.notify_all();
        }) {}
  ~Worker() {
    const py::gil_scoped_release released;
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool wait() {
    const py::gil_scoped_release released;
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kLookAround, [this] { return done_; });
  }
  std::exception_ptr failure() const { return failure_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // last: begins when the others are there
};

}  // namespace

void run_long(const Work& work, const std::function<void(const Execution&)>& body) {
  std::atomic<bool> stop{false};
  ProgressLog log;
  const Execution execution{work.threads > 0 ? work.threads : cores_of_a_rank(), &log, &stop};
  std::exception_ptr raised;  // by a signal handler, or by the listener
  Worker worker([&] { body(execution); });
  while (!worker.wait()) {
    if (raised) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      tell(work.listener, log);
    } catch (...) {
      raised = std::current_exception();
      stop = true;
    }
  }
  if (raised) std::rethrow_exception(raised);
  tell(work.listener, log);
  if (worker.failure()) std::rethrow_exception(worker.failure());
}

}  // namespace bermuda::python
