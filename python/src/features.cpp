#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "array.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/kernel/feature_map.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"

namespace bermuda::python {
namespace {

/// Rows as scipy's CSR has them: values, columns (both strided views of one array), offsets, shape.
py::tuple csr(FeatureRows found) {
  const auto rows = std::make_shared<const FeatureRows>(std::move(found));
  using Entry = SparseMatrix::Entry;
  const auto count = static_cast<py::ssize_t>(rows->entries.size());
  const auto row_count = static_cast<py::ssize_t>(rows->rows());
  const Entry* first = rows->entries.data();
  const auto view = [&]<typename T>(const T* data) {
    return Array(rows, data, py::format_descriptor<T>::format(), sizeof(T), {count},
                 {static_cast<py::ssize_t>(sizeof(Entry))});
  };
  return py::make_tuple(view(first == nullptr ? nullptr : &first->value),
                        view(first == nullptr ? nullptr : &first->column),
                        array_view(rows, rows->offsets.data(), {row_count + 1}),
                        py::make_tuple(row_count, rows->columns));
}

/// A feature map of one level, normalised or not.
class Features {
 public:
  Features(std::unique_ptr<FeatureMap> map) : map_(std::move(map)) {}

  py::tuple fit(const Graphs& graphs, const Work& work) {
    return csr(long_call(work, [&](const Execution& execution) {
      return finished(std::move(map_->fit(graphs.samples, execution).front()));
    }));
  }
  py::tuple transform(const Graphs& graphs, const Work& work) const {
    return csr(long_call(work, [&](const Execution& execution) {
      return finished(map_->transform(graphs.samples, 0, execution));
    }));
  }
  py::bytes save() const {
    ByteWriter out;
    map_->save(out);
    return out.bytes();
  }
  void load(const std::string& bytes) {
    ByteReader in(bytes);
    map_->load(in);
  }

 private:
  FeatureRows finished(FeatureRows rows) const {
    if (map_->normalised()) normalise(rows);
    return rows;
  }

  std::unique_ptr<FeatureMap> map_;
};

std::unique_ptr<Features> wl(int rounds, bool edge_labels, bool normalised) {
  if (rounds < 0 || rounds > kMostRounds) throw UsageError("rounds: expected 0..20");
  return std::make_unique<Features>(make_wl_features({rounds, rounds, edge_labels, !normalised}));
}

std::unique_ptr<Features> graphlets(int size, int samples, bool connected, bool mixed_sizes,
                                    bool raw_counts, bool normalised, std::uint64_t seed) {
  if (size < 3 || size > 5) throw UsageError("size: expected 3..5");
  if (samples < 0 || samples > 10'000'000) throw UsageError("samples: expected 0..10000000");
  return std::make_unique<Features>(make_graphlet_features(
      {size, samples, connected, mixed_sizes, raw_counts, !normalised, seed}));
}

}  // namespace

void bind_features(py::module_& module) {
  py::class_<Features>(module, "Features")
      .def("fit", &Features::fit)
      .def("transform", &Features::transform)
      .def("save", &Features::save)
      .def("load", &Features::load);
  module.def("wl_features", &wl);
  module.def("graphlet_features", &graphlets);
}

}  // namespace bermuda::python
