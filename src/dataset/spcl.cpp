#include "spcl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arcs.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "losses.hpp"

namespace bermuda {
namespace {

struct PendingGraph {
  std::string id;
  int label;
  long class_line;
  std::vector<Arc> arcs;
};

struct SplitFiles {
  std::string prefix;
  std::string edge_file;
  std::string class_file;
};

/// "0", "1.0" and "-1" all name integer classes; the name kept is the integer.
std::string class_name(std::string_view text) {
  const std::optional<double> value = parse_number<double>(text);
  constexpr double kLargest = 1e9;
  if (!value || !(*value >= -kLargest && *value <= kLargest) ||
      *value != static_cast<double>(static_cast<long>(*value))) {
    throw Fault{in_quotes(text), "a class such as 0, 1.0 or -1"};
  }
  return std::to_string(static_cast<long>(*value));
}

class SplitParser {
 public:
  SplitParser(SplitFiles files, ClassNames& classes, NodeBudget& budget, const ReadOptions& options)
      : files_(std::move(files)), classes_(classes), budget_(budget), options_(options) {}

  void read_classes(std::string_view text) {
    parse_lines(text, files_.class_file, [&](std::string_view line, long number) {
      std::array<std::string_view, 2> fields;
      const std::size_t count = split_into(fields, line, '\t');
      if (count != 2) throw Fault{fmt::format("{} columns", count), "graph id and class"};
      const std::string id(checked_id(fields[0]));
      const int label = classes_.add(class_name(trimmed(fields[1])));
      if (by_id_.contains(id)) {
        throw Fault{fmt::format("graph {} again", in_quotes(id)), "every graph once"};
      }
      add(id, label, number);
    });
  }

  void read_edges(std::string_view text) {
    std::string current_id;
    PendingGraph* current = nullptr;
    parse_lines(text, files_.edge_file, [&](std::string_view line, long number) {
      std::array<std::string_view, 4> fields;
      const std::size_t count = split_into(fields, line, '\t');
      if (count != 4) {
        throw Fault{fmt::format("{} columns", count), "graph id, node, node and weight"};
      }
      if (current == nullptr || fields[0] != current_id) {
        current_id = checked_id(fields[0]);
        const auto known = by_id_.find(current_id);
        if (known == by_id_.end() && !options_.may_lack_class) {
          throw Fault{fmt::format("graph {}", in_quotes(current_id)),
                      fmt::format("a graph that {} gives a class", files_.class_file)};
        }
        current =
            known == by_id_.end() ? &add(current_id, Sample::kNoClass, 0) : &graphs_[known->second];
      }
      const Arc arc{node(fields[1]), node(fields[2]), number};
      if (arc.from == arc.to) {
        throw Fault{fmt::format("self loop at node {}", arc.from), "two different nodes"};
      }
      if (parse_real(trimmed(fields[3]), "an edge weight") != 1.0) {
        throw Fault{fmt::format("weight {}", in_quotes(fields[3])),
                    "1.0: weights are not supported"};
      }
      current->arcs.push_back(arc);
    });
  }

  Split finish() {
    Split split;
    std::string_view name = files_.prefix;
    if (name.ends_with('_')) name.remove_suffix(1);
    split.name = name.empty() ? kUnsplit : std::string(name);
    for (PendingGraph& graph : graphs_) {
      Sample sample;
      sample.graph = assemble(graph);
      sample.id = std::move(graph.id);
      sample.label = graph.label;
      split.samples.push_back(std::move(sample));
    }
    return split;
  }

 private:
  PendingGraph& add(const std::string& id, int label, long class_line) {
    by_id_.emplace(id, graphs_.size());
    return graphs_.emplace_back(PendingGraph{id, label, class_line, {}});
  }

  template <typename ParseLine>
  void parse_lines(std::string_view text, const std::string& file, ParseLine parse_line) const {
    LineReader lines(text, options_.stop);
    std::string_view line;
    long count = 0;
    try {
      while (lines.next(line)) {
        if (trimmed(line).empty()) continue;
        parse_line(line, lines.number());
        ++count;
      }
    } catch (const Fault& fault) {
      throw fault.at(file, lines.number());
    }
    if (count == 0) throw InputError(file, 0, "an empty file", "one line or more");
  }

  static std::string_view checked_id(std::string_view text) {
    check_field_text(text, "a graph id");
    return text;
  }

  static int node(std::string_view text) {
    return parse_integer(trimmed(text), 0, kMostNodes - 1, "a node number");
  }

  // Node numbers stay as they are, so gaps become isolated nodes: released files have such gaps,
  // and renumbering would change what a model that sees node numbers is given.
  Graph assemble(PendingGraph& graph) {
    std::vector<Arc>& arcs = graph.arcs;
    if (arcs.empty()) {
      throw InputError(
          files_.class_file, graph.class_line,
          fmt::format("graph {} without edges in {}", in_quotes(graph.id), files_.edge_file),
          "one edge or more: the format cannot say how many nodes it has");
    }
    const auto number = [](const Arc& arc) { return std::max(arc.from, arc.to); };
    const Arc& largest = *std::ranges::max_element(arcs, {}, number);
    try {
      budget_.take(number(largest) + 1, graph.id);
    } catch (const Fault& fault) {
      throw fault.at(files_.edge_file, largest.line);
    }
    try {
      return from_both_directions(arcs);
    } catch (Fault& fault) {
      fault.found += fmt::format(" in graph {}", in_quotes(graph.id));
      throw fault.at(files_.edge_file, 0);
    }
  }

  static Graph from_both_directions(std::vector<Arc>& arcs) {
    std::vector<Edge> edges;
    edges.reserve(arcs.size() / 2);
    int largest = 0;
    for (const MergedEdge& merged : merge_arcs(arcs)) {
      if (merged.reverse_line == 0) {
        throw Fault{fmt::format("edge {}-{} without its reverse", merged.edge.u, merged.edge.v),
                    "both directions of every edge", merged.line};
      }
      edges.push_back(merged.edge);
      largest = std::max(largest, merged.edge.v);
    }
    return Graph(largest + 1, std::move(edges));
  }

  SplitFiles files_;
  ClassNames& classes_;
  NodeBudget& budget_;
  const ReadOptions& options_;
  std::vector<PendingGraph> graphs_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

std::optional<std::string> prefix_of(std::string_view file, std::string_view suffix) {
  if (!file.ends_with(suffix)) return std::nullopt;
  return std::string(file.substr(0, file.size() - suffix.size()));
}

/// The prefixes of the folder. "grasp.txt" alone is no SP/CL file; "train_sp.txt" alone is half
/// of one, which the reader then misses by name.
std::set<std::string> prefixes(const std::vector<std::string>& file_names) {
  std::set<std::string> with_edges;
  std::set<std::string> with_classes;
  for (const std::string& name : file_names) {
    if (name.starts_with('.')) continue;
    if (const auto prefix = prefix_of(name, kSpclEdges)) with_edges.insert(*prefix);
    if (const auto prefix = prefix_of(name, kSpclClasses)) with_classes.insert(*prefix);
  }
  std::set<std::string> found;
  const auto take = [&](const std::set<std::string>& some, const std::set<std::string>& others) {
    for (const std::string& prefix : some) {
      if (prefix.empty() || prefix.ends_with('_') || others.contains(prefix)) found.insert(prefix);
    }
  };
  take(with_edges, with_classes);
  take(with_classes, with_edges);
  return found;
}

/// train, valid, test first, as everywhere in this program; others behind, by name.
int rank(std::string_view prefix) {
  const std::array<std::string_view, 3> known = {"train_", "valid_", "test_"};
  return static_cast<int>(std::find(known.begin(), known.end(), prefix) - known.begin());
}

}  // namespace

DataSet parse_spcl(const FileTexts& files, const std::string& place, const std::string& name,
                   const ReadOptions& options) {
  std::vector<std::string> names;
  for (const auto& [file, text] : files) names.push_back(file);
  const std::set<std::string> found = prefixes(names);
  if (found.empty()) throw InputError(place, 0, "no *sp.txt and *cl.txt", "an SP/CL data set");
  std::vector<std::string> ordered(found.begin(), found.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  DataSet data;
  data.name = name;
  ClassNames classes;
  NodeBudget budget(options, size_of(files));
  for (const std::string& prefix : ordered) {
    const auto text_of = [&](std::string_view suffix) -> const std::string& {
      const auto file = files.find(prefix + std::string(suffix));
      if (file != files.end()) return file->second;
      throw InputError(place, 0, fmt::format("no {}{}", prefix, suffix),
                       fmt::format("{0}{1} and {0}{2}", prefix, kSpclEdges, kSpclClasses));
    };
    if (!prefix.empty() && !is_plain_name(prefix)) {
      throw InputError(place, 0, fmt::format("file name {}", in_quotes(prefix + "sp.txt")),
                       "letters, digits, '.', '_' and '-'");
    }
    const std::string path = place + "/" + prefix;
    SplitParser parser({prefix, path + std::string(kSpclEdges), path + std::string(kSpclClasses)},
                       classes, budget, options);
    const std::string& edges = text_of(kSpclEdges);
    if (!options.may_lack_class || files.contains(prefix + std::string(kSpclClasses))) {
      parser.read_classes(text_of(kSpclClasses));
    }
    parser.read_edges(edges);
    data.splits.push_back(parser.finish());
    if (data.find(data.splits.back().name) != &data.splits.back()) {
      throw InputError(place, 0,
                       fmt::format("two prefixes for split {}", in_quotes(data.splits.back().name)),
                       "one");
    }
  }
  classes.settle(data);
  return data;
}

namespace {

DataSet read_spcl(const std::filesystem::path& folder, const ReadOptions& options,
                  std::vector<std::string>*) {
  check_folder(folder);
  FileTexts files;
  const std::vector<std::string> names = files_in(folder);
  for (const std::string& prefix : prefixes(names)) {
    for (const std::string_view suffix : {kSpclEdges, kSpclClasses}) {
      const std::string name = prefix + std::string(suffix);
      if (std::binary_search(names.begin(), names.end(), name)) {
        files[name] = read_file(folder / name);
      }
    }
  }
  return parse_spcl(files, folder.string(), name_of(folder), options);
}

bool has_trailing_isolated_nodes(const Sample& sample) {
  const Graph& graph = sample.graph;
  int largest = -1;
  for (const Edge edge : graph.edges()) largest = std::max(largest, edge.v);
  return largest >= 0 && largest + 1 < graph.node_count();
}

/// The graphs of a split are read in the order of the class file, others behind them.
bool has_class_behind_none(const Split& split) {
  const auto lacks_class = [](const Sample& s) { return s.label == Sample::kNoClass; };
  return !std::ranges::is_partitioned(split.samples, std::not_fn(lacks_class));
}

std::vector<std::string> spcl_losses(const DataSet& data) {
  LossList list(data);
  if (std::ranges::any_of(data.splits, has_class_behind_none)) {
    list.add("the order of the graphs (those without a class come last)");
  }
  list.count("node labels", [](const Sample& s) { return s.graph.has_node_labels(); });
  list.count_edge_labels();
  list.count("node attributes", [](const Sample& s) { return s.graph.attribute_width() > 0; });
  list.count_witnesses_hits_and_origins();
  list.count("isolated nodes at the end", has_trailing_isolated_nodes);
  list.count("all (no edges: refused)", [](const Sample& s) { return s.graph.edge_count() == 0; });
  return list.finish(true);
}

}  // namespace

const Format kSpCl = {
    "spcl",
    "SP/CL folder (*sp.txt and *cl.txt)",
    "",
    [](const Place& place) { return place.is_folder && !prefixes(place.files).empty(); },
    read_spcl,
    [](const DataSet& data, const std::filesystem::path& path, bool overwrite) {
      write_folder(spcl_files(data), path, overwrite);
    },
    spcl_losses,
};

}  // namespace bermuda
