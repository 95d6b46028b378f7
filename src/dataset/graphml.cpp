#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "graph_files.hpp"
#include "named_graph.hpp"
#include "xml_reader.hpp"

namespace bermuda {
namespace {

constexpr std::array<std::string_view, 1> kGraphmlEndings = {".graphml"};
constexpr std::string_view kLabelName = "label";

/// Numbers for labels, the same in every data set: of an integer itself, of other text one that
/// follows from the text.
class LabelNumbers {
 public:
  int number(const std::string& text) {
    const std::optional<double> value = parse_number<double>(text);
    constexpr double kLargest = std::numeric_limits<int>::max();
    if (value && std::abs(*value) <= kLargest && std::trunc(*value) == *value) {
      return remember(static_cast<int>(*value), std::to_string(static_cast<int>(*value)));
    }
    constexpr std::size_t kDigits = 7;
    constexpr int kFirst = 1 << (4 * kDigits);
    return remember(kFirst + std::stoi(sha256(text).substr(0, kDigits), nullptr, 16), text);
  }

 private:
  int remember(int number, const std::string& text) {
    const auto [known, is_new] = texts_.emplace(number, text);
    if (known->second != text) {
      throw Fault{fmt::format("labels {} and {}, which get the same number",
                              in_quotes(known->second), in_quotes(text)),
                  "other names, or integers"};
    }
    return number;
  }

  std::map<int, std::string> texts_;
};

/// What a <key> declares, and what <data> says of nodes or edges.
struct GraphmlKey {
  std::string name;
  std::string type;
  std::string domain;  ///< node, edge, graph or all
  std::optional<std::string> otherwise = {};
  std::map<int, std::string> of_node = {};
  std::map<int, std::string> of_edge = {};

  bool is_for(std::string_view what) const { return domain == what || domain == "all"; }
  bool is_label() const { return name == kLabelName; }
  bool is_number() const {
    return type == "int" || type == "long" || type == "float" || type == "double";
  }
};

/// One file.
class GraphmlParser {
 public:
  GraphmlParser(std::string_view text, const StopPoll& stop) : xml_(text, stop) {}

  void parse() {
    while (xml_.next()) {
      try {
        take_piece();
      } catch (Fault& fault) {
        if (fault.line == 0) fault.line = xml_.line();
        throw;
      }
    }
    if (!has_graph_) throw Fault{"no <graph>", "a GraphML document with one"};
    for (int node = 0; node < named_.node_count(); ++node) {
      if (is_declared(node)) continue;
      throw Fault{fmt::format("an edge of node {}", in_quotes(named_.name(node))),
                  "nodes that the file has", named_.line_at(node)};
    }
  }

  int node_count() const { return named_.node_count(); }
  std::size_t attribute_count() const { return attribute_keys().size(); }

  /// The columns of attributes, in words: ascending by name.
  std::string attribute_names() const {
    std::vector<std::string> names;
    for (const auto& [name, key] : attribute_keys()) names.push_back(in_quotes(name));
    return names.empty() ? "(none)" : fmt::format("{}", fmt::join(names, ", "));
  }

  Graph graph(LabelNumbers& numbers) const {
    const std::vector<NamedGraph::NamedEdge> merged = named_.edges();
    std::vector<Edge> edges;
    for (const NamedGraph::NamedEdge& edge : merged) edges.push_back(edge.edge);
    Graph graph(named_.node_count(), std::move(edges), node_labels(numbers),
                edge_labels(merged, numbers));
    set_attributes(graph);
    return graph;
  }

 private:
  enum class Owner { kNone, kKey, kNode, kEdge };

  void take_piece() {
    if (xml_.piece() == XmlReader::Piece::kText) {
      if (text_ != nullptr) *text_ += xml_.text();
      return;
    }
    if (!has_root_) {
      if (xml_.name() != "graphml") {
        throw Fault{fmt::format("<{}>", xml_.name()), "<graphml>"};
      }
      has_root_ = true;
      name_space_ = xml_.name_space();
    }
    // What other programs keep for themselves, how to draw a node, has another namespace.
    if (xml_.name_space() != name_space_) return;
    if (xml_.piece() == XmlReader::Piece::kStart) {
      start(xml_.name());
    } else {
      end(xml_.name());
    }
  }

  void start(std::string_view name) {
    if (name == "key") {
      start_key();
    } else if (name == "default" && owner_ == Owner::kKey) {
      text_ = &keys_.at(current_key_).otherwise.emplace();
    } else if (name == "graph") {
      if (has_graph_) throw Fault{"a second <graph>", "one graph per file, none inside a node"};
      has_graph_ = true;
    } else if (name == "hyperedge") {
      throw Fault{"<hyperedge>", "edges between two nodes"};
    } else if (name == "node") {
      start_node();
    } else if (name == "edge") {
      const std::string from = needed("source");
      const std::string to = needed("target");
      owner_ = Owner::kEdge;
      owner_number_ = static_cast<int>(named_.arc_count());
      const int first = named_.node(from);
      named_.add_edge(first, named_.node(to), xml_.line());
    } else if (name == "data") {
      start_data();
    }
  }

  void end(std::string_view name) {
    if (name == "data" || name == "default") {
      text_ = nullptr;
    } else if (name == "key" || name == "node" || name == "edge") {
      owner_ = Owner::kNone;
    }
  }

  void start_key() {
    current_key_ = needed("id");
    GraphmlKey key{xml_.attribute("attr.name").value_or(""),
                   xml_.attribute("attr.type").value_or("string"),
                   xml_.attribute("for").value_or("all")};
    if (!key.name.empty()) {
      auto& domains = domains_[key.name];
      const bool meets = !domains.empty() && (key.domain == "all" || domains.contains("all") ||
                                              domains.contains(key.domain));
      if (meets) throw Fault{fmt::format("a second key named {}", in_quotes(key.name)), "one"};
      domains.insert(key.domain);
    }
    if (!keys_.emplace(current_key_, std::move(key)).second) {
      throw Fault{fmt::format("key {} again", in_quotes(current_key_)), "every key once"};
    }
    owner_ = Owner::kKey;
  }

  void start_node() {
    const std::string id = needed("id");
    owner_ = Owner::kNode;
    owner_number_ = named_.node(id);
    if (is_declared(owner_number_)) {
      throw Fault{fmt::format("node {} again", in_quotes(id)), "every node once"};
    }
    declared_.resize(static_cast<std::size_t>(named_.node_count()), false);
    declared_[static_cast<std::size_t>(owner_number_)] = true;
  }

  void start_data() {
    const std::string id = needed("key");
    const auto key = keys_.find(id);
    if (key == keys_.end()) {
      throw Fault{fmt::format("data of key {}", in_quotes(id)), "a key that the file declares"};
    }
    if (owner_ != Owner::kNode && owner_ != Owner::kEdge) return;
    auto& values = owner_ == Owner::kNode ? key->second.of_node : key->second.of_edge;
    const auto [value, is_new] = values.try_emplace(owner_number_);
    if (!is_new) throw Fault{fmt::format("data of key {} again", in_quotes(id)), "it once"};
    text_ = &value->second;
  }

  std::string needed(const char* attribute) const {
    std::optional<std::string> value = xml_.attribute(attribute);
    if (!value) {
      throw Fault{fmt::format("<{}> without {}", xml_.name(), attribute), "one that has it"};
    }
    return *std::move(value);
  }

  bool is_declared(int node) const {
    const auto place = static_cast<std::size_t>(node);
    return place < declared_.size() && declared_[place];
  }

  std::map<std::string, const GraphmlKey*> attribute_keys() const {
    std::map<std::string, const GraphmlKey*> found;
    for (const auto& [id, key] : keys_) {
      const bool is_used = !key.of_node.empty() || (key.domain == "node" && key.otherwise);
      if (is_used && key.is_for("node") && key.is_number() && !key.is_label() &&
          !key.name.empty()) {
        found.emplace(key.name, &key);
      }
    }
    return found;
  }

  /// The values of all nodes or edges, parsed; none where none has one. A default is parsed once:
  /// it may be long, and the nodes many.
  template <typename Parse>
  auto values_of(const GraphmlKey& key, bool nodes, const Parse& parse) const {
    using Value = decltype(parse(std::string_view()));
    const auto& values = nodes ? key.of_node : key.of_edge;
    std::vector<Value> all;
    if (values.empty() && !key.otherwise) return all;
    std::optional<Value> otherwise;
    const int count = nodes ? node_count() : static_cast<int>(named_.arc_count());
    for (int i = 0; i < count; ++i) {
      const auto value = values.find(i);
      if (value != values.end()) {
        all.push_back(parse(trimmed(value->second)));
        continue;
      }
      if (!key.otherwise) {
        throw Fault{fmt::format("{} {} without data of {}", nodes ? "node" : "edge",
                                nodes ? in_quotes(named_.name(i)) : std::to_string(i + 1),
                                in_quotes(key.name)),
                    "some of all, or a default"};
      }
      if (!otherwise) otherwise = parse(trimmed(*key.otherwise));
      all.push_back(*otherwise);
    }
    return all;
  }

  std::vector<int> labels_of(std::string_view what, LabelNumbers& numbers) const {
    std::vector<int> labels;
    for (const auto& [id, key] : keys_) {
      if (!key.is_label() || !key.is_for(what)) continue;
      const auto parse = [&](std::string_view text) { return numbers.number(std::string(text)); };
      const std::vector<int> more = values_of(key, what == "node", parse);
      labels.insert(labels.end(), more.begin(), more.end());
    }
    return labels;
  }

  std::vector<int> node_labels(LabelNumbers& numbers) const { return labels_of("node", numbers); }

  std::vector<int> edge_labels(const std::vector<NamedGraph::NamedEdge>& merged,
                               LabelNumbers& numbers) const {
    const std::vector<int> of_arcs = labels_of("edge", numbers);
    std::vector<int> labels;
    for (const NamedGraph::NamedEdge& edge : merged) {
      if (of_arcs.empty()) break;
      labels.push_back(of_arcs[edge.arc]);
      if (edge.reverse && of_arcs[*edge.reverse] != labels.back()) {
        throw Fault{fmt::format("two labels of edge {}",
                                in_quotes(fmt::format("{}-{}", named_.name(edge.edge.u),
                                                      named_.name(edge.edge.v)))),
                    "the same for both directions", named_.arc_line(*edge.reverse)};
      }
    }
    return labels;
  }

  void set_attributes(Graph& graph) const {
    const auto keys = attribute_keys();
    if (keys.empty() || node_count() == 0) return;
    std::vector<double> numbers(keys.size() * static_cast<std::size_t>(node_count()));
    std::size_t column = 0;
    for (const auto& [name, key] : keys) {
      const std::string what = fmt::format("{} of a node", in_quotes(name));
      std::size_t place = column++;
      const auto parse = [&](std::string_view text) { return parse_real(text, what); };
      for (const double value : values_of(*key, true, parse)) {
        numbers[place] = value;
        place += keys.size();
      }
    }
    graph.set_attributes(static_cast<int>(keys.size()), std::move(numbers));
  }

  XmlReader xml_;
  bool has_root_ = false;
  std::string name_space_;
  bool has_graph_ = false;
  std::map<std::string, GraphmlKey> keys_;
  std::map<std::string, std::set<std::string>> domains_;  // of the keys, by name
  std::string current_key_;
  Owner owner_ = Owner::kNone;
  int owner_number_ = 0;         // of the node, or of the edge as it came
  std::string* text_ = nullptr;  // where text goes
  NamedGraph named_;
  std::vector<bool> declared_;  // nodes that have an element
};

/// Counts the attributes of all nodes of a data set: a <default> gives each node one and costs no
/// bytes there.
class AttributeBudget {
 public:
  AttributeBudget(const ReadOptions& options, std::size_t bytes)
      : bytes_(bytes), most_(bytes + 10 * static_cast<std::size_t>(options.max_nodes)) {}

  void take(const GraphmlParser& parser) {
    const std::size_t width = parser.attribute_count();
    taken_ += width * static_cast<std::size_t>(parser.node_count());
    if (taken_ <= most_) return;
    throw Fault{fmt::format("{} node attributes of {} nodes, {} numbers in all up to here", width,
                            parser.node_count(), taken_),
                fmt::format("at most {} in {} bytes", most_, bytes_)};
  }

 private:
  std::size_t bytes_;
  std::size_t most_;
  std::size_t taken_ = 0;
};

}  // namespace

DataSet parse_graphml(const FileTexts& files, const std::string& place, const std::string& name,
                      const ReadOptions& options) {
  LabelNumbers numbers;
  AttributeBudget attributes(options, size_of(files));
  std::optional<std::string> columns;  // of the first graph with nodes
  return parse_graph_files(
      files, place, name, kGraphmlEndings,
      [&](std::string_view text, const std::string& id, NodeBudget& budget) {
        GraphmlParser parser(text, options.stop);
        parser.parse();
        budget.take(parser.node_count(), id);
        attributes.take(parser);
        const std::string here = parser.attribute_names();
        if (parser.node_count() > 0 && !columns) columns = here;
        if (parser.node_count() > 0 && here != *columns) {
          throw Fault{fmt::format("node attributes {}", here),
                      fmt::format("{}, as in other files", *columns)};
        }
        return parser.graph(numbers);
      },
      options);
}

const Format kGraphml = {
    "graphml",
    "GraphML (folder of .graphml files, or one)",
    "",
    [](const Place& place) { return has_graph_files(place, kGraphmlEndings); },
    [](const std::filesystem::path& path, const ReadOptions& options, std::vector<std::string>*) {
      return parse_graphml(load_graph_files(path, kGraphmlEndings), folder_of(path), name_of(path),
                           options);
    },
    nullptr,
    nullptr,
};

}  // namespace bermuda
