#include "interrupt_watch.hpp"

#include <pybind11/pybind11.h>

namespace bermuda::python {
namespace {

namespace py = pybind11;

// Only the main thread sets these, and one watch at a time.
std::atomic<std::atomic<bool>*> asked{nullptr};
struct sigaction before {};

extern "C" void ask_to_stop(int signal) {
  if (std::atomic<bool>* stop = asked.load()) stop->store(true);
  before.sa_handler(signal);
}

bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

InterruptWatch::InterruptWatch(std::atomic<bool>& stop) {
  if (!is_main_thread() || asked.load() != nullptr) return;
  ::sigaction(SIGINT, nullptr, &before);
  const bool has_handler = before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
  if (!has_handler || (before.sa_flags & SA_SIGINFO) != 0) return;
  asked.store(&stop);
  struct sigaction ours = before;
  ours.sa_handler = ask_to_stop;
  watching_ = ::sigaction(SIGINT, &ours, nullptr) == 0;
}

InterruptWatch::~InterruptWatch() {
  if (!watching_) return;
  ::sigaction(SIGINT, &before, nullptr);
  asked.store(nullptr);
}

}  // namespace bermuda::python
