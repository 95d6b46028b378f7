#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/graph/graph6.hpp"
#include "fields.hpp"
#include "native.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kHeader =
    "#id\tclass\tgraph\tnode_labels\tedge_labels\twitness\thits\torigin";
constexpr std::string_view kAttributes = "\tattributes";
constexpr std::size_t kColumns = 8;

std::vector<int> parse_labels(std::string_view text, int count, std::string_view what) {
  if (text == kAbsent) return {};
  std::vector<int> labels = parse_integers(text, fmt::format("a {} label", what));
  if (labels.size() != static_cast<std::size_t>(count)) {
    throw Fault{fmt::format("{} {} labels", labels.size(), what),
                fmt::format("{}, one for each {}, or -", count, what)};
  }
  return labels;
}

void parse_attributes(std::string_view text, Graph& graph) {
  if (text == kAbsent) return;
  std::vector<double> values;
  std::size_t width = 0;
  int nodes = 0;
  for (const std::string_view row : split_fields(text, ';')) {
    const std::size_t before = values.size();
    for (const std::string_view field : split_fields(row, ',')) {
      values.push_back(parse_real(field, "a node attribute"));
    }
    if (nodes++ == 0) width = values.size();
    if (values.size() - before != width) {
      throw Fault{fmt::format("{} attributes of node {}", values.size() - before, nodes - 1),
                  fmt::format("{}, as many as node 0 has", width)};
    }
  }
  if (nodes != graph.node_count()) {
    throw Fault{fmt::format("attributes of {} nodes", nodes),
                fmt::format("attributes of {} nodes, or -", graph.node_count())};
  }
  graph.set_attributes(static_cast<int>(width), std::move(values));
}

Graph parse_graph(std::string_view text, std::string_view id, NodeBudget& budget) {
  try {
    Graph graph = decode_graph6(text, kMostNodes);
    budget.take(graph.node_count(), id);
    return graph;
  } catch (const Graph6Error& error) {
    throw Fault{error.what(), "a simple graph as graph6 or sparse6"};
  }
}

int parse_class(std::string_view text, std::size_t class_count, const ReadOptions& options) {
  if (text == kUnknownClass) return no_class(options, in_quotes(text));
  return parse_integer(text, 0, static_cast<int>(class_count) - 1, "a class of the manifest");
}

Sample parse_sample(std::string_view line, std::size_t columns, std::size_t class_count,
                    NodeBudget& budget, const ReadOptions& options) {
  std::array<std::string_view, kColumns + 1> fields;
  const std::size_t count = split_into(fields, line, '\t');
  if (count != columns) {
    throw Fault{fmt::format("{} columns", count), fmt::format("{} columns", columns)};
  }
  Sample sample;
  check_field_text(fields[0], "an id");
  sample.id = fields[0];
  sample.label = parse_class(fields[1], class_count, options);
  sample.graph = parse_graph(fields[2], sample.id, budget);
  std::vector<int> node_labels = parse_labels(fields[3], sample.graph.node_count(), "node");
  std::vector<int> edge_labels = parse_labels(fields[4], sample.graph.edge_count(), "edge");
  if (!node_labels.empty() || !edge_labels.empty()) {
    sample.graph = Graph(sample.graph.node_count(), sample.graph.edges(), std::move(node_labels),
                         std::move(edge_labels));
  }
  sample.witness = parse_witness(fields[5], sample.graph.node_count());
  sample.hits = parse_hits(fields[6]);
  sample.origin = parse_origin(fields[7]);
  if (columns > kColumns) parse_attributes(fields[8], sample.graph);
  return sample;
}

void append_labels(std::string& out, const std::vector<int>& labels) {
  out += '\t';
  if (labels.empty()) {
    out += kAbsent;
  } else {
    append_integers(out, labels);
  }
}

void append_attributes(std::string& out, const Graph& graph) {
  const std::vector<double>& values = graph.attributes();
  if (values.empty()) out += kAbsent;
  const auto width = static_cast<std::size_t>(graph.attribute_width());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += i % width == 0 ? ';' : ',';
    append_real(out, values[i]);
  }
}

}  // namespace

bool parse_split_header(std::string_view text, const std::string& file) {
  LineReader lines(text);
  std::string_view line;
  if (!lines.next(line)) throw InputError(file, 0, "an empty file", "a header line");
  const bool has_attributes = line.ends_with(kAttributes);
  if (line.substr(0, line.size() - (has_attributes ? kAttributes.size() : 0)) != kHeader) {
    throw InputError(file, 1, in_quotes(line),
                     fmt::format("the header {}", kHeader.substr(0, 15)) + "... of this format");
  }
  return has_attributes;
}

std::vector<Sample> parse_samples(std::string_view text, const SampleLines& lines_of,
                                  NodeBudget& budget, const ReadOptions& options) {
  LineReader lines(text, options.stop);
  std::vector<Sample> samples;
  // No line is shorter, so a file of line ends alone cannot make us reserve gigabytes.
  constexpr std::size_t kShortestLine = 17;
  samples.reserve(std::min(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
                           text.size() / kShortestLine));
  try {
    for (std::string_view line; lines.next(line);) {
      samples.push_back(parse_sample(line, kColumns + lines_of.has_attributes, lines_of.class_count,
                                     budget, options));
    }
  } catch (const Fault& fault) {
    throw fault.at(lines_of.file, lines_of.lines_before + lines.number());
  }
  return samples;
}

std::vector<Sample> parse_split(std::string_view text, const std::string& file,
                                std::size_t class_count, NodeBudget& budget,
                                const ReadOptions& options) {
  const bool has_attributes = parse_split_header(text, file);
  text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return parse_samples(text, {file, 1, has_attributes, class_count}, budget, options);
}

std::string split_text(const Split& split) {
  bool has_attributes = false;
  for (const Sample& sample : split.samples) {
    has_attributes = has_attributes || !sample.graph.attributes().empty();
  }
  std::string out;
  out.reserve(192 * (split.samples.size() + 1));
  out += kHeader;
  if (has_attributes) out += kAttributes;
  out += '\n';
  for (const Sample& sample : split.samples) {
    out += sample.id;
    out += '\t';
    if (sample.label == Sample::kNoClass) {
      out += kUnknownClass;
    } else {
      append_integer(out, sample.label);
    }
    out += '\t';
    append_graph6(out, sample.graph);
    append_labels(out, sample.graph.node_labels());
    append_labels(out, sample.graph.edge_labels());
    out += '\t';
    append_witness(out, sample.witness);
    out += '\t';
    append_hits(out, sample.hits);
    out += '\t';
    append_origin(out, sample.origin);
    if (has_attributes) {
      out += '\t';
      append_attributes(out, sample.graph);
    }
    out += '\n';
  }
  return out;
}

}  // namespace bermuda
