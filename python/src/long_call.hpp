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

/// Does the work without the interpreter's lock, while another thread tells the listener. Ctrl-C
/// stops it, if this is Python's main thread, and becomes KeyboardInterrupt.
void run_long(const Work& work, const std::function<void(const Execution&)>& body);

template <typename Body>
auto long_call(const Work& work, const Body& body) {
  std::optional<decltype(body(Execution()))> result;
  run_long(work, [&](const Execution& execution) { result.emplace(body(execution)); });
  return std::move(*result);
}

}  // namespace bermuda::python
