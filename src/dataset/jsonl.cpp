#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "losses.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

std::string shown_json(const Json& value) { return in_quotes(value.dump(-1, ' ', true)); }

/// The member's value, or nullptr when it is absent or null.
const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

int integer(const Json& value, int low, int high, const char* what) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <=
                              static_cast<std::uint64_t>(std::numeric_limits<int>::max())
                        : value.is_number_integer() &&
                              value.get<std::int64_t>() >= std::numeric_limits<int>::min();
  if (!fits || value.get<int>() < low || value.get<int>() > high) {
    throw Fault{fmt::format("{} as {}", shown_json(value), what),
                high < std::numeric_limits<int>::max() && low > std::numeric_limits<int>::min()
                    ? fmt::format("an integer from {} to {}", low, high)
                    : "an integer"};
  }
  return value.get<int>();
}

int any_integer(const Json& value, const char* what) {
  return integer(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), what);
}

const Json& array(const Json& value, const char* what) {
  if (!value.is_array()) {
    throw Fault{fmt::format("{} as {}", shown_json(value), what), "an array"};
  }
  return value;
}

std::vector<int> labels(const Json& object, const char* key, std::size_t count) {
  std::vector<int> out;
  const Json* value = member(object, key);
  if (value == nullptr) return out;
  for (const Json& label : array(*value, key)) out.push_back(any_integer(label, key));
  if (out.size() != count) {
    throw Fault{fmt::format("{} {}", out.size(), key), std::to_string(count)};
  }
  return out;
}

std::vector<Edge> edges(const Json& value, int nodes) {
  std::vector<Edge> out;
  for (const Json& pair : array(value, "edges")) {
    if (!pair.is_array() || pair.size() != 2) {
      throw Fault{fmt::format("{} as an edge", shown_json(pair)), "two nodes such as [3,5]"};
    }
    out.push_back(
        {integer(pair[0], 0, nodes - 1, "a node"), integer(pair[1], 0, nodes - 1, "a node")});
  }
  return out;
}

const Json& needed(const Json& object, const char* key) {
  const Json* value = member(object, key);
  if (value == nullptr) throw Fault{fmt::format("no \"{}\"", key), "nodes and edges"};
  return *value;
}

Graph graph(const Json& object, const std::string& id, NodeBudget& budget) {
  const int nodes = integer(needed(object, "nodes"), 0, kMostNodes, "nodes");
  budget.take(nodes, id);
  std::vector<Edge> list = edges(needed(object, "edges"), nodes);
  std::vector<int> node_labels = labels(object, "node_labels", static_cast<std::size_t>(nodes));
  std::vector<int> edge_labels = labels(object, "edge_labels", list.size());
  try {
    return Graph(nodes, std::move(list), std::move(node_labels), std::move(edge_labels));
  } catch (const GraphError& error) {
    throw Fault{error.what(), "a simple graph with every edge once"};
  }
}

void set_attributes(const Json& object, Graph& graph) {
  const Json* value = member(object, "attributes");
  if (value == nullptr) return;
  std::vector<double> numbers;
  const std::size_t width = !array(*value, "attributes").empty() ? value->front().size() : 0;
  for (const Json& row : *value) {
    if (array(row, "a row of attributes").size() != width) {
      throw Fault{fmt::format("{} attributes of a node", row.size()),
                  fmt::format("{}, as many as the first has", width)};
    }
    for (const Json& number : row) {
      if (!number.is_number()) {
        throw Fault{fmt::format("{} as an attribute", shown_json(number)), "a number"};
      }
      numbers.push_back(number.get<double>());
    }
  }
  if (value->size() != static_cast<std::size_t>(graph.node_count())) {
    throw Fault{fmt::format("attributes of {} nodes", value->size()),
                fmt::format("attributes of {} nodes", graph.node_count())};
  }
  graph.set_attributes(static_cast<int>(width), std::move(numbers));
}

Witness witness(const Json& object, int nodes) {
  Witness out;
  const Json* value = member(object, "witness");
  if (value == nullptr) return out;
  if (!value->is_object()) {
    throw Fault{fmt::format("{} as witness", shown_json(*value)), "an object"};
  }
  if (const Json* list = member(*value, "nodes")) {
    for (const Json& node : array(*list, "witness nodes")) {
      out.nodes.push_back(integer(node, 0, nodes - 1, "a node of the witness"));
    }
  }
  if (const Json* list = member(*value, "edges")) {
    for (const Edge edge : edges(*list, nodes)) {
      if (edge.u == edge.v) {
        throw Fault{fmt::format("self loop at node {} in the witness", edge.u), "an edge"};
      }
      out.edges.push_back({std::min(edge.u, edge.v), std::max(edge.u, edge.v)});
    }
  }
  const auto tidy = [](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  tidy(out.nodes);
  tidy(out.edges);
  return out;
}

/// A string that can be a field, or an integer as text.
std::string name(const Json& value, const char* what) {
  if (value.is_number_integer()) return std::to_string(any_integer(value, what));
  if (!value.is_string() || !is_field_text(value.get_ref<const std::string&>())) {
    throw Fault{fmt::format("{} as {}", shown_json(value), what),
                "an integer, or a string without control characters"};
  }
  return value.get<std::string>();
}

int class_of(const Json& object, ClassNames& classes, const ReadOptions& options) {
  const Json* value = member(object, "class");
  return value == nullptr ? no_class(options, "no \"class\"") : classes.add(name(*value, "class"));
}

Sample sample(const Json& object, long line, ClassNames& classes, NodeBudget& budget,
              const ReadOptions& options) {
  Sample out;
  const Json* id = member(object, "id");
  out.id = id == nullptr ? std::to_string(line) : name(*id, "id");
  out.label = class_of(object, classes, options);
  out.graph = graph(object, out.id, budget);
  set_attributes(object, out.graph);
  out.witness = witness(object, out.graph.node_count());
  if (const Json* hits = member(object, "hits")) {
    out.hits = integer(*hits, 0, std::numeric_limits<int>::max(), "hits");
  }
  if (const Json* origin = member(object, "origin")) {
    if (!origin->is_string() || *origin != "") out.origin = name(*origin, "origin");
    if (out.origin == kAbsent) out.origin.clear();
  }
  return out;
}

Json edge_list(const std::vector<Edge>& list) {
  Json out = Json::array();
  for (const Edge edge : list) out.push_back({edge.u, edge.v});
  return out;
}

Json attribute_rows(const Graph& graph) {
  Json rows = Json::array();
  const auto width = static_cast<std::ptrdiff_t>(graph.attribute_width());
  for (std::ptrdiff_t node = 0; node < graph.node_count(); ++node) {
    const auto row = graph.attributes().begin() + node * width;
    rows.push_back(std::vector<double>(row, row + width));
  }
  return rows;
}

Json class_json(const DataSet& data, const Sample& sample) {
  if (sample.label == Sample::kNoClass) return nullptr;
  return data.class_names[static_cast<std::size_t>(sample.label)];
}

}  // namespace

DataSet parse_jsonl(std::string_view text, const std::string& file, const std::string& data_name,
                    const ReadOptions& options) {
  DataSet data;
  data.name = data_name;
  ClassNames classes;
  std::map<std::string, std::size_t> split_numbers;
  NodeBudget budget(options, text.size());
  LineReader lines(text, options.stop);
  std::string_view line;
  try {
    while (lines.next(line)) {
      if (trimmed(line).empty()) continue;
      const Json object = parse_json_object(line, file, lines.number());
      const Json* split = member(object, "split");
      const std::string split_name = split == nullptr ? kUnsplit : name(*split, "split");
      if (!is_plain_name(split_name)) throw Fault{in_quotes(split_name), "the name of a split"};
      const auto [entry, is_new] = split_numbers.emplace(split_name, data.splits.size());
      if (is_new) data.splits.push_back({split_name, {}});
      data.splits[entry->second].samples.push_back(
          sample(object, lines.number(), classes, budget, options));
    }
  } catch (const Fault& fault) {
    throw fault.at(file, lines.number());
  }
  if (data.splits.empty()) throw InputError(file, 0, "an empty file", "one JSON object per line");
  classes.settle(data);
  return data;
}

std::string jsonl_text(const DataSet& data) {
  std::string out;
  for (const Split& split : data.splits) {
    for (const Sample& sample : split.samples) {
      Json line = {{"id", sample.id},
                   {"split", split.name},
                   {"class", class_json(data, sample)},
                   {"nodes", sample.graph.node_count()},
                   {"edges", edge_list(sample.graph.edges())}};
      if (sample.graph.has_node_labels()) line["node_labels"] = sample.graph.node_labels();
      if (sample.graph.has_edge_labels()) line["edge_labels"] = sample.graph.edge_labels();
      if (!sample.graph.attributes().empty()) line["attributes"] = attribute_rows(sample.graph);
      if (!sample.witness.empty()) {
        line["witness"] = {{"nodes", sample.witness.nodes},
                           {"edges", edge_list(sample.witness.edges)}};
      }
      if (sample.hits != Sample::kNoHits) line["hits"] = sample.hits;
      if (!sample.origin.empty()) line["origin"] = sample.origin;
      out += json_text(line, -1);
      out += '\n';
    }
  }
  return out;
}

const Format kJsonLines = {
    "jsonl",
    ".jsonl file",
    ".jsonl",
    [](const Place& place) { return !place.is_folder && place.path.extension() == ".jsonl"; },
    [](const std::filesystem::path& path, const ReadOptions& options, std::vector<std::string>*) {
      return parse_jsonl(read_file(path), path.string(), name_of(path), options);
    },
    [](const DataSet& data, const std::filesystem::path& path, bool overwrite) {
      write_file_atomically(path, jsonl_text(data), overwrite);
    },
    [](const DataSet& data) { return LossList(data).finish(false); },
};

}  // namespace bermuda
