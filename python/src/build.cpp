#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "array.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "bindings.hpp"
#include "graphs.hpp"

namespace bermuda::python {
namespace {

/// What the lines of a graph's edge list mean.
enum class Lines : std::uint8_t {
  kEdges,  ///< edges, each once or once in each direction: the same direction again is doubled
  kArcs,   ///< directions of edges: one without its opposite is one-way too
};

struct Dropped {
  std::size_t self_loops = 0;
  std::size_t doubled = 0;
  std::size_t one_way = 0;
};

struct Line {
  int u;  // u < v
  int v;
  bool backward;
  std::size_t place;  // in the list
};

/// Many graphs in few arrays; those of graph i begin where those before it end.
struct Pieces {
  std::span<const std::int64_t> node_counts;
  std::span<const std::int64_t> line_counts;
  std::span<const std::int64_t> ends;  // u, v of each line
  std::span<const std::uint8_t> meanings;
  std::span<const std::int64_t> labels;
  std::span<const std::int64_t> node_labels;  // empty: none
  std::span<const std::int64_t> line_labels;
  std::span<const double> attributes;
  int attribute_width = 0;
  bool strict = false;  // an error instead of dropping
};

class Builder {
 public:
  Builder(const Pieces& pieces, const std::vector<std::string>& ids) : pieces_(pieces), ids_(ids) {}

  Sample next() {
    nodes_ = pieces_.node_counts[graph_];
    if (nodes_ < 0 || nodes_ > kMostNodes) {
      fail(fmt::format("{} nodes, expected 0..{}", nodes_, kMostNodes));
    }
    const auto node_count = static_cast<std::size_t>(nodes_);
    const auto line_count = static_cast<std::size_t>(pieces_.line_counts[graph_]);
    read_lines(line_count);
    Sample sample;
    sample.id = ids_[graph_];
    sample.label = static_cast<int>(pieces_.labels[graph_]);
    sample.graph = merge(take_labels(pieces_.node_labels, first_node_, node_count, "node"));
    if (pieces_.attribute_width > 0) set_attributes(sample.graph, node_count);
    first_node_ += node_count;
    first_line_ += line_count;
    ++graph_;
    return sample;
  }
  const Dropped& dropped() const { return dropped_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("graph {}: {}", graph_, what));
  }
  void count(std::size_t& counter, const char* what, const Line& line) const {
    if (pieces_.strict) fail(fmt::format("edge {}-{}: {}", line.u, line.v, what));
    ++counter;
  }

  void read_lines(std::size_t line_count) {
    lines_.clear();
    for (std::size_t i = 0; i < line_count; ++i) {
      const std::int64_t u = pieces_.ends[2 * (first_line_ + i)];
      const std::int64_t v = pieces_.ends[2 * (first_line_ + i) + 1];
      if (std::min(u, v) < 0 || std::max(u, v) >= nodes_) {
        fail(fmt::format("edge {}-{} in a graph of {} nodes", u, v, nodes_));
      }
      const Line line{static_cast<int>(std::min(u, v)), static_cast<int>(std::max(u, v)), u > v,
                      first_line_ + i};
      if (u == v) {
        count(dropped_.self_loops, "a self loop", line);
      } else {
        lines_.push_back(line);
      }
    }
    const auto key = [](const Line& line) {
      return std::tuple(line.u, line.v, line.backward, line.place);
    };
    const auto before = [&](const Line& a, const Line& b) { return key(a) < key(b); };
    if (!std::is_sorted(lines_.begin(), lines_.end(), before)) {
      std::sort(lines_.begin(), lines_.end(), before);
    }
  }

  Graph merge(std::vector<int> node_labels) {
    std::vector<Edge> edges;
    std::vector<int> labels;
    for (std::size_t i = 0; i < lines_.size();) {
      std::size_t end = i;
      std::size_t forward = 0;
      while (end < lines_.size() && lines_[end].u == lines_[i].u && lines_[end].v == lines_[i].v) {
        forward += lines_[end++].backward ? 0U : 1U;
      }
      count_surplus(lines_[i], forward, end - i - forward);
      edges.push_back({lines_[i].u, lines_[i].v});
      if (!pieces_.line_labels.empty()) labels.push_back(agreed_label(i, end));
      i = end;
    }
    return Graph(static_cast<int>(nodes_), std::move(edges), std::move(node_labels),
                 std::move(labels));
  }

  void count_surplus(const Line& line, std::size_t forward, std::size_t backward) {
    const auto meaning = static_cast<Lines>(pieces_.meanings[graph_]);
    const bool one_way = meaning == Lines::kArcs && (forward == 0 || backward == 0);
    std::size_t surplus = forward + backward - 1;
    if (forward > 0 && backward > 0) --surplus;
    for (; surplus > 0; --surplus) count(dropped_.doubled, "stands twice", line);
    if (one_way) count(dropped_.one_way, "has one direction only", line);
  }

  int label(std::int64_t value, const char* what) const {
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
      fail(fmt::format("{} label {} is too large", what, value));
    }
    return static_cast<int>(value);
  }

  int agreed_label(std::size_t begin, std::size_t end) const {
    const std::int64_t first = pieces_.line_labels[lines_[begin].place];
    for (std::size_t i = begin + 1; i < end; ++i) {
      const std::int64_t other = pieces_.line_labels[lines_[i].place];
      if (other != first) {
        fail(
            fmt::format("edge {}-{} has labels {} and {}", lines_[i].u, lines_[i].v, first, other));
      }
    }
    return label(first, "edge");
  }

  std::vector<int> take_labels(std::span<const std::int64_t> all, std::size_t begin,
                               std::size_t many, const char* what) const {
    std::vector<int> taken;
    if (all.empty()) return taken;
    for (const std::int64_t value : all.subspan(begin, many)) taken.push_back(label(value, what));
    return taken;
  }

  void set_attributes(Graph& graph, std::size_t node_count) const {
    const auto width = static_cast<std::size_t>(pieces_.attribute_width);
    const auto values = pieces_.attributes.subspan(first_node_ * width, node_count * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        fail(fmt::format("node {} has {} as an attribute", i / width, values[i]));
      }
    }
    graph.set_attributes(pieces_.attribute_width, {values.begin(), values.end()});
  }

  const Pieces& pieces_;
  const std::vector<std::string>& ids_;
  std::size_t graph_ = 0;
  std::size_t first_node_ = 0;
  std::size_t first_line_ = 0;
  std::int64_t nodes_ = 0;
  std::vector<Line> lines_;
  Dropped dropped_;
};

bool fit_each_other(const Pieces& pieces, std::size_t graphs) {
  const auto total = [](std::span<const std::int64_t> counts) {
    return static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  };
  const auto is_none_or = [](const auto& values, std::size_t size) {
    return values.empty() || values.size() == size;
  };
  const std::size_t nodes = total(pieces.node_counts);
  const std::size_t lines = total(pieces.line_counts);
  return pieces.node_counts.size() == graphs && pieces.line_counts.size() == graphs &&
         pieces.meanings.size() == graphs && pieces.labels.size() == graphs &&
         pieces.ends.size() == 2 * lines && is_none_or(pieces.node_labels, nodes) &&
         is_none_or(pieces.line_labels, lines) &&
         pieces.attributes.size() == nodes * static_cast<std::size_t>(pieces.attribute_width);
}

py::tuple build(const std::string& name, std::vector<std::string> class_names,
                const std::vector<std::string>& ids, const py::dict& arrays, int attribute_width,
                bool strict) {
  const auto numbers = [&](const char* key) {
    return Input<std::int64_t>(arrays[key].cast<py::buffer>());
  };
  const auto node_counts = numbers("node_counts");
  const auto line_counts = numbers("line_counts");
  const auto ends = numbers("ends");
  const auto labels = numbers("labels");
  const auto node_labels = numbers("node_labels");
  const auto line_labels = numbers("line_labels");
  const Input<std::uint8_t> meanings(arrays["meanings"].cast<py::buffer>());
  const Input<double> attributes(arrays["attributes"].cast<py::buffer>());
  const Pieces pieces{node_counts.values(), line_counts.values(),
                      ends.values(),        meanings.values(),
                      labels.values(),      node_labels.values(),
                      line_labels.values(), attributes.values(),
                      attribute_width,      strict};
  if (!fit_each_other(pieces, ids.size())) throw py::value_error("arrays of different lengths");
  DataSet data;
  data.name = name;
  data.class_names = std::move(class_names);
  data.splits = {{"all", {}}};
  Builder builder(pieces, ids);
  {
    const py::gil_scoped_release released;
    data.splits[0].samples.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) data.splits[0].samples.push_back(builder.next());
  }
  const Dropped& dropped = builder.dropped();
  return py::make_tuple(Graphs(std::move(data)),
                        py::make_tuple(dropped.self_loops, dropped.doubled, dropped.one_way));
}

/// Graphs that are ours already, whatever data sets they are from, as one with these classes.
Graphs collect(const std::string& name, std::vector<std::string> class_names,
               const std::vector<const GraphRef*>& graphs, const py::buffer& labels) {
  const Input<std::int64_t> numbers(labels);
  DataSet data;
  data.name = name;
  data.class_names = std::move(class_names);
  data.splits = {{"all", {}}};
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    data.splits[0].samples.push_back(*graphs[i]->sample);
    data.splits[0].samples.back().label = static_cast<int>(numbers.values()[i]);
  }
  return Graphs(std::move(data));
}

/// The graphs at these places as questions: ids that count from 1, no class, no witness, nothing of
/// where they come from.
Graphs questions(const Graphs& graphs, const py::buffer& places) {
  const Input<std::int64_t> numbers(places);
  DataSet data;
  data.name = "questions";
  data.class_names = graphs.data->class_names;
  data.splits = {{"test", {}}};
  for (const Sample* sample : graphs.choose(numbers.values()).samples) {
    Sample& posed = data.splits[0].samples.emplace_back();
    posed.id = fmt::format("q{}", data.splits[0].samples.size());
    posed.label = Sample::kNoClass;
    posed.graph = sample->graph;
  }
  return Graphs(std::move(data));
}

}  // namespace

void bind_build(py::module_& module) {
  module.def("build", &build);
  module.def("collect", &collect);
  module.def("questions", &questions);
}

}  // namespace bermuda::python
