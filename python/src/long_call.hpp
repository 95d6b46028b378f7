#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <utility>

#include "bermuda/core/execution.hpp"

namespace bermuda::python {

namespace py = pybind11;

/// How Python wants a long piece of work done.
struct Work {
  int threads = 0;  ///< 0: all cores
  /// Called with (finished stages, current stage or None) some times per second, or None.
  py::object listener = py::none();
};

/// Does the work on a thread of its own, without the interpreter's lock. The calling thread waits,
/// tells the listener and looks for signals: what a handler raises (KeyboardInterrupt) stops the
/// work and goes on from here.
void run_long(const Work& work, const std::function<void(const Execution&)>& body);

template <typename Body>
auto long_call(const Work& work, const Body& body) {
  std::optional<decltype(body(Execution()))> result;
  run_long(work, [&](const Execution& execution) { result.emplace(body(execution)); });
  return std::move(*result);
}

}  // namespace bermuda::python
