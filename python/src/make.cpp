#include <pybind11/stl.h>

#include <array>

#include "bermuda/generate/generate.hpp"
#include "bermuda/probe/filter.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"
#include "settings.hpp"

namespace bermuda::python {
namespace {

/// What `bermuda dataset` does.
Graphs make(const std::string& name, std::uint64_t seed, std::size_t candidates,
            const Options& options, const Work& work) {
  const std::unique_ptr<Task> task = make_task(name);
  FilterOptions filter;
  set_options(std::array{task->parameters(), filter.parameters()}, options);
  return Graphs(long_call(work, [&](const Execution& execution) {
    const auto source = candidate_source(*task, seed, candidates);
    return filter_samples(source.get(), filter, seed, execution).data;
  }));
}

/// What `bermuda generate` does.
Graphs generate(const std::string& name, std::uint64_t seed, std::size_t count,
                const Options& options, const Work& work) {
  const std::unique_ptr<Task> task = make_task(name);
  set_options(std::array{task->parameters()}, options);
  return Graphs(long_call(work, [&](const Execution& execution) {
    return generate_candidates(*task, seed, count, execution);
  }));
}

}  // namespace

void bind_make(py::module_& module) {
  module.attr("most_candidates") = kMostCandidates;
  module.def("make", &make);
  module.def("generate", &generate);
}

}  // namespace bermuda::python
