#include "graphs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <stdexcept>

#include "array.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/encoded.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/graph/drawing.hpp"
#include "bindings.hpp"
#include "long_call.hpp"
#include "packed.hpp"

namespace bermuda::python {

Graphs::Graphs(DataSet all) {
  const auto made = std::make_shared<const DataSet>(std::move(all));
  data = made;
  samples = made->all();
}

bool Graphs::is_whole() const {
  std::size_t place = 0;
  for (const Split& split : data->splits) {
    for (const Sample& sample : split.samples) {
      if (place == samples.size() || samples[place++] != &sample) return false;
    }
  }
  return place == samples.size();
}

Graphs Graphs::split(const std::string& name) const {
  const Split* found = data->find(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Split& split : data->splits) names.push_back(split.name);
    throw UsageError(fmt::format("{}: no split {}; there are: {}", data->name, in_quotes(name),
                                 fmt::join(names, ", ")));
  }
  Graphs chosen(data, {});
  for (const Sample& sample : found->samples) chosen.samples.push_back(&sample);
  return chosen;
}

Graphs Graphs::choose(std::span<const std::int64_t> places) const {
  const auto count = static_cast<std::int64_t>(samples.size());
  Graphs chosen(data, {});
  chosen.samples.reserve(places.size());
  for (const std::int64_t place : places) {
    const std::int64_t wanted = place < 0 ? place + count : place;
    if (wanted < 0 || wanted >= count) {
      throw std::out_of_range(fmt::format("graph {} of {}", place, count));
    }
    chosen.samples.push_back(samples[static_cast<std::size_t>(wanted)]);
  }
  return chosen;
}

const DataSet& Graphs::as_dataset(DataSet& copy) const {
  if (is_whole()) return *data;
  copy.name = data->name;
  copy.class_names = data->class_names;
  copy.provenance = data->provenance;
  copy.splits = {{"all", {}}};
  copy.splits[0].samples.reserve(samples.size());
  for (const Sample* sample : samples) copy.splits[0].samples.push_back(*sample);
  return copy;
}

void Graphs::check_classes() const {
  const auto found = std::ranges::find(samples, Sample::kNoClass, &Sample::label);
  if (found != samples.end()) {
    throw UsageError(fmt::format("graph {} has no class, which is needed here", (*found)->id));
  }
}

const DataSet& Graphs::as_classified(DataSet& copy) const {
  check_classes();
  return as_dataset(copy);
}

namespace {

using Shape = std::vector<py::ssize_t>;

py::ssize_t length(const auto& values) { return static_cast<py::ssize_t>(values.size()); }

// Edges are pairs of ints, one after the other.
static_assert(sizeof(Edge) == 2 * sizeof(int));
Array edge_array(const std::shared_ptr<const DataSet>& owner, const std::vector<Edge>& edges) {
  return array_view(owner, edges.empty() ? nullptr : &edges.front().u, Shape{length(edges), 2});
}

Array int_array(const GraphRef& graph, const std::vector<int>& values) {
  return array_view(graph.data, values.data(), Shape{length(values)});
}

py::object labels_or_none(const GraphRef& graph, bool present, const std::vector<int>& labels) {
  return present ? py::cast(int_array(graph, labels)) : py::none();
}

/// As `bermuda draw` does.
std::string svg(const GraphRef& graph, const std::vector<double>& weights, const std::string& title,
                bool numbers, const Work& work) {
  DrawingOptions options;
  options.title = title;
  options.node_numbers = numbers;
  options.edge_weights = weights;
  return long_call(work, [&](const Execution& execution) {
    return draw_graph(graph.sample->graph, graph.sample->witness, options, execution);
  });
}

void bind_graph(py::module_& module) {
  py::class_<GraphRef>(module, "Graph")
      .def_property_readonly("id", [](const GraphRef& g) { return g.sample->id; })
      .def_property_readonly("y", [](const GraphRef& g) { return g.sample->label; })
      .def_property_readonly(
          "class_name",
          [](const GraphRef& g) -> std::string {
            if (g.sample->label == Sample::kNoClass) return "?";
            return g.data->class_names.at(static_cast<std::size_t>(g.sample->label));
          })
      .def_property_readonly("hits", [](const GraphRef& g) { return g.sample->hits; })
      .def_property_readonly("origin", [](const GraphRef& g) { return g.sample->origin; })
      .def_property_readonly("n", [](const GraphRef& g) { return g.sample->graph.node_count(); })
      .def_property_readonly("edge_count",
                             [](const GraphRef& g) { return g.sample->graph.edge_count(); })
      .def_property_readonly(
          "edges", [](const GraphRef& g) { return edge_array(g.data, g.sample->graph.edges()); })
      .def_property_readonly("node_labels",
                             [](const GraphRef& g) {
                               const Graph& graph = g.sample->graph;
                               return labels_or_none(g, graph.has_node_labels(),
                                                     graph.node_labels());
                             })
      .def_property_readonly("edge_labels",
                             [](const GraphRef& g) {
                               const Graph& graph = g.sample->graph;
                               return labels_or_none(g, graph.has_edge_labels(),
                                                     graph.edge_labels());
                             })
      .def_property_readonly(
          "attributes",
          [](const GraphRef& g) -> py::object {
            const Graph& graph = g.sample->graph;
            if (graph.attribute_width() == 0) return py::none();
            return py::cast(array_view(g.data, graph.attributes().data(),
                                       Shape{graph.node_count(), graph.attribute_width()}));
          })
      .def_property_readonly(
          "witness_nodes", [](const GraphRef& g) { return int_array(g, g.sample->witness.nodes); })
      .def_property_readonly(
          "witness_edges",
          [](const GraphRef& g) { return edge_array(g.data, g.sample->witness.edges); })
      .def("svg", &svg);
}

std::vector<std::string> split_names(const Graphs& graphs) {
  std::vector<std::string> names;
  for (const Split& split : graphs.data->splits) names.push_back(split.name);
  return names;
}

Graphs read(const std::string& path, int max_nodes, const Work& work) {
  return Graphs(long_call(work, [&](const Execution& execution) {
    return read_dataset(path, {max_nodes, execution, /*may_lack_class=*/true});
  }));
}

void save(const Graphs& graphs, const std::string& path, const std::string& format, bool force) {
  const py::gil_scoped_release released;
  DataSet copy;
  write_dataset(graphs.as_dataset(copy), path, format_named(format), force);
}

/// For pickles: (name, classes, provenance, names of splits, splits in the native format).
py::tuple encode_graphs(const Graphs& graphs) {
  DataSet copy;
  const EncodedDataSet encoded = encode_dataset(graphs.as_dataset(copy));
  std::vector<std::string> names;
  py::list texts;
  for (const SplitFigures& split : encoded.figures.splits) names.push_back(split.name);
  for (const std::string& text : encoded.texts) texts.append(py::bytes(text));
  return py::make_tuple(encoded.figures.name, encoded.figures.class_names,
                        encoded.figures.provenance.dump(), names, texts);
}

Graphs decode_graphs(const py::tuple& parts) {
  EncodedDataSet encoded;
  encoded.figures.name = parts[0].cast<std::string>();
  encoded.figures.class_names = parts[1].cast<std::vector<std::string>>();
  encoded.figures.provenance = nlohmann::ordered_json::parse(parts[2].cast<std::string>());
  for (const auto& name : parts[3].cast<std::vector<std::string>>()) {
    encoded.figures.splits.emplace_back().name = name;
  }
  encoded.texts = parts[4].cast<std::vector<std::string>>();
  if (encoded.texts.size() != encoded.figures.splits.size()) {
    throw py::value_error("as many texts as splits were expected");
  }
  return Graphs(decode_dataset(encoded));
}

}  // namespace

void bind_graphs(py::module_& module) {
  bind_graph(module);
  py::class_<Work>(module, "Work")
      .def(py::init<int, py::object>(), py::arg("threads"), py::arg("listener"));
  py::class_<Graphs>(module, "Graphs")
      .def("__len__", &Graphs::size)
      .def("graph",
           [](const Graphs& graphs, std::int64_t place) {
             return GraphRef{graphs.data, graphs.choose(std::span(&place, 1)).samples[0]};
           })
      .def("choose",
           [](const Graphs& graphs, const py::buffer& places) {
             return graphs.choose(Input<std::int64_t>(places).values());
           })
      .def("split", &Graphs::split)
      .def_property_readonly("split_names", split_names)
      .def_property_readonly("is_whole", &Graphs::is_whole)
      .def_property_readonly("name", [](const Graphs& graphs) { return graphs.data->name; })
      .def_property_readonly("class_names",
                             [](const Graphs& graphs) { return graphs.data->class_names; })
      .def_property_readonly("provenance",
                             [](const Graphs& graphs) { return graphs.data->provenance.dump(); })
      .def_property_readonly("y",
                             [](const Graphs& graphs) {
                               std::vector<std::int64_t> y;
                               for (const Sample* sample : graphs.samples) {
                                 y.push_back(sample->label);
                               }
                               return array_of(std::move(y));
                             })
      .def("check_classes", &Graphs::check_classes)
      .def("packed", &packed)
      .def("encode", &encode_graphs)
      .def("save", &save, py::arg("path"), py::arg("format"), py::arg("force"));
  module.def("read", &read, py::arg("path"), py::arg("max_nodes"), py::arg("work"));
  module.def("decode_graphs", &decode_graphs);
  module.attr("most_nodes") = kUsualMostNodes;
  module.attr("formats") = [] {
    py::list names;
    for (const Format* format : formats()) names.append(std::string(format->name));
    return names;
  }();
}

}  // namespace bermuda::python
