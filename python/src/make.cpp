#include <pybind11/stl.h>

#include <array>

#include "bermuda/bench/sized_test.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/generate/pairs.hpp"
#include "bermuda/probe/filter.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"
#include "settings.hpp"

namespace bermuda::python {
namespace {

/// What `bermuda dataset` does.
Graphs make(const std::string& name, std::uint64_t seed, std::size_t candidates,
            const std::string& test_nodes, const Options& options, const Work& work) {
  const std::unique_ptr<Task> task = make_task(name);
  FilterOptions filter;
  set_options(std::array{task->parameters(), filter.parameters()}, options);
  return Graphs(long_call(work, [&](const Execution& execution) {
    const auto source = candidate_source(*task, seed, candidates);
    DataSet data = filter_samples(source.get(), filter, seed, execution).data;
    if (!test_nodes.empty()) {
      const NodeRange sizes = parse_sizes("test_nodes", test_nodes);
      test_on_sizes(data, *task, sizes, seed, candidates, filter, execution);
    }
    return data;
  }));
}

/// What `bermuda generate` does.
Graphs generate(const std::string& name, std::uint64_t seed, std::size_t count,
                const Options& options, const Work& work) {
  const std::unique_ptr<Task> task = make_task(name);
  set_options(std::array{task->parameters()}, options);
  check_candidates("count", count);
  return Graphs(long_call(work, [&](const Execution& execution) {
    return generate_candidates(*task, seed, count, execution);
  }));
}

/// What `bermuda pairs` does.
Graphs pairs(const std::string& name, const std::string& same, std::uint64_t seed,
             std::size_t count, const Options& options, const Work& work) {
  const std::unique_ptr<Task> task = make_task(name);
  set_options(std::array{task->parameters()}, options);
  return Graphs(long_call(work, [&](const Execution& execution) {
    return make_pairs(*task, Sameness::parse("same", same), seed, count, execution);
  }));
}

}  // namespace

void bind_make(py::module_& module) {
  module.attr("most_candidates") = kMostCandidates;
  module.def("make", &make);
  module.def("generate", &generate);
  module.def("make_pairs", &pairs);
  module.attr("most_pairs") = kMostPairs;
}

}  // namespace bermuda::python
