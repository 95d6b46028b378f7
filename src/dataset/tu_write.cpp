#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "losses.hpp"
#include "tu.hpp"

namespace bermuda {
namespace {

/// The files are named after the data set, which may be named after any folder.
std::string file_prefix(const std::string& name) {
  std::string prefix = name;
  for (char& c : prefix) {
    if (!is_plain_name(std::string{'x', c})) c = '_';
  }
  while (prefix.starts_with('.')) prefix.erase(0, 1);
  return prefix.empty() ? kTuDefaultName : prefix.substr(0, 100);
}

bool only_some_have_a_class(const DataSet& data) {
  const std::size_t without = graphs_without_class(data);
  return without > 0 && without < data.size();
}

void check_carriable(const DataSet& data) {
  check_class_numbers(data, "TU");
  if (only_some_have_a_class(data)) {
    throw UsageError("only some graphs have a class: TU cannot carry such a data set");
  }
  bool has_edges = false;
  for (const Sample* sample : data.all()) {
    has_edges = has_edges || sample->graph.edge_count() > 0;
    if (sample->graph.node_count() == 0) {
      throw UsageError(
          fmt::format("graph {} has no nodes: TU cannot carry it", in_quotes(sample->id)));
    }
  }
  if (!has_edges) throw UsageError("no graph has an edge: TU cannot carry such a data set");
}

void append_line(std::string& out, int value) {
  append_integer(out, value);
  out += '\n';
}

void append_edges(FileTexts& files, const std::string& prefix, const Graph& graph, long first,
                  bool labels) {
  std::string& edges = files[prefix + kTuEdges];
  std::string* edge_labels = labels ? &files[prefix + kTuEdgeLabels] : nullptr;
  for (std::size_t i = 0; i < graph.edges().size(); ++i) {
    const Edge edge = graph.edges()[i];
    for (const auto& [from, to] : {std::pair(edge.u, edge.v), std::pair(edge.v, edge.u)}) {
      append_integer(edges, first + from);
      edges += ", ";
      append_integer(edges, first + to);
      edges += '\n';
      if (labels) append_line(*edge_labels, graph.edge_labels()[i]);
    }
  }
}

void append_nodes(FileTexts& files, const std::string& prefix, const Graph& graph,
                  const CommonColumns& columns) {
  if (columns.node_labels) {
    std::string& labels = files[prefix + kTuNodeLabels];
    for (const int label : graph.node_labels()) append_line(labels, label);
  }
  const auto width = static_cast<std::size_t>(columns.attribute_width);
  if (width == 0) return;
  std::string& attributes = files[prefix + kTuAttributes];
  for (std::size_t i = 0; i < graph.attributes().size(); ++i) {
    append_real(attributes, graph.attributes()[i]);
    attributes += (i + 1) % width == 0 ? "\n" : ", ";
  }
}

void append_ids(std::string& out, const Sample& sample, const std::string& split) {
  out += sample.id;
  out += '\t';
  out += split;
  out += '\t';
  append_hits(out, sample.hits);
  out += '\t';
  append_origin(out, sample.origin);
  out += '\t';
  append_witness(out, sample.witness);
  out += '\n';
}

}  // namespace

std::vector<std::string> tu_losses(const DataSet& data) {
  LossList list(data);
  const CommonColumns columns = common_columns(list.samples());
  if (!columns.node_labels) {
    list.count("node labels (not all graphs have them)",
               [](const Sample& s) { return s.graph.has_node_labels(); });
  }
  if (!columns.edge_labels) {
    list.count("edge labels (not all graphs have them)",
               [](const Sample& s) { return s.graph.has_edge_labels(); });
  }
  if (columns.attribute_width == 0) {
    list.count("node attributes (not all graphs have them, equally many)",
               [](const Sample& s) { return s.graph.attribute_width() > 0; });
  }
  list.count("all (no nodes: refused)", [](const Sample& s) { return s.graph.node_count() == 0; });
  const bool has_edges = std::any_of(list.samples().begin(), list.samples().end(),
                                     [](const Sample* s) { return s->graph.edge_count() > 0; });
  if (!has_edges) list.add("everything (no graph has an edge: refused)");
  if (only_some_have_a_class(data)) list.add("everything (only some have a class: refused)");
  return list.finish(true);
}

FileTexts tu_files(const DataSet& data) {
  check_carriable(data);
  const CommonColumns columns = common_columns(data.all());
  const std::string prefix = file_prefix(data.name);
  FileTexts files;
  for (const char* suffix : {kTuEdges, kTuIndicator, kTuIds}) files[prefix + suffix];
  const bool has_classes = graphs_without_class(data) == 0;
  std::string& indicator = files[prefix + kTuIndicator];
  long first = 1;
  int number = 0;
  for (const Split& split : data.splits) {
    for (const Sample& sample : split.samples) {
      ++number;
      for (int i = 0; i < sample.graph.node_count(); ++i) append_line(indicator, number);
      append_edges(files, prefix, sample.graph, first, columns.edge_labels);
      append_nodes(files, prefix, sample.graph, columns);
      if (has_classes) {
        std::string& classes = files[prefix + kTuClasses];
        classes += data.class_names[static_cast<std::size_t>(sample.label)];
        classes += '\n';
      }
      append_ids(files[prefix + kTuIds], sample, split.name);
      first += sample.graph.node_count();
    }
  }
  return files;
}

}  // namespace bermuda
