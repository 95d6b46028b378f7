#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/graph_pairs.hpp"
#include "bermuda/method/relabelling.hpp"
#include "bermuda/statistics/sign_flip.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"

namespace bermuda::python {
namespace {

/// (names of the categories, category of each pair); graph 2 i and 2 i + 1 are pair i.
py::tuple pair_categories(const Graphs& graphs) {
  DataSet copy;
  const GraphPairs found = pairs_of(graphs.as_dataset(copy));
  std::vector<int> categories;
  for (const GraphPair& pair : found.pairs) categories.push_back(pair.category);
  return py::make_tuple(found.categories, categories);
}

/// The same graphs, the nodes of each numbered at random.
Graphs renumbered_graphs(const Graphs& graphs, std::uint64_t seed, std::uint32_t draw) {
  DataSet made;
  made.name = graphs.data->name;
  made.class_names = graphs.data->class_names;
  made.splits = {{"all", {}}};
  for (std::size_t i = 0; i < graphs.samples.size(); ++i) {
    made.splits[0].samples.push_back(
        renumbered_sample(*graphs.samples[i], RandomStream(seed, Purpose::kViews, i, draw)));
  }
  return Graphs(std::move(made));
}

/// Draws x columns of two graphs: (whether they differ, the statistic).
py::tuple sign_flip(const py::buffer& first, const py::buffer& second, std::size_t columns,
                    double tolerance, std::uint64_t seed, std::uint64_t item, const Work& work) {
  const Input<double> one(first);
  const Input<double> other(second);
  if (columns == 0 || one.values().size() != other.values().size() ||
      one.values().size() % columns != 0) {
    throw UsageError("draws of two graphs that do not fit each other");
  }
  const SignFlipResult found = long_call(work, [&](const Execution& execution) {
    return sign_flip_test(one.values(), other.values(), columns, {.tolerance = tolerance},
                          RandomStream(seed, Purpose::kSignFlips, item), execution);
  });
  return py::make_tuple(found.differ, found.statistic);
}

}  // namespace

void bind_expressing(py::module_& module) {
  module.def("pair_categories", &pair_categories);
  module.def("renumbered", &renumbered_graphs);
  module.def("sign_flip", &sign_flip);
  module.attr("fewest_draws") = kFewestDraws;
}

}  // namespace bermuda::python
