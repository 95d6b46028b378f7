#include "tu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arcs.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/tu_archive.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

std::size_t at(long index) { return static_cast<std::size_t>(index); }

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Prefixes ("MUTAG/MUTAG") of the TU data sets among these files; archives made on a Mac hold
/// shadows of every file that are none.
std::vector<std::string> tu_prefixes(const std::vector<std::string>& names) {
  std::vector<std::string> prefixes;
  for (const std::string& name : names) {
    if (!name.ends_with(kTuEdges) || base_name(name).starts_with('.')) continue;
    if (name.starts_with("__MACOSX/")) continue;
    prefixes.push_back(name.substr(0, name.size() - std::string_view(kTuEdges).size()));
  }
  return prefixes;
}

std::string only_prefix(const std::vector<std::string>& names, const std::string& place) {
  const std::vector<std::string> prefixes = tu_prefixes(names);
  if (prefixes.empty()) throw InputError(place, 0, "no *_A.txt", "a TU data set");
  if (prefixes.size() > 1) {
    throw InputError(place, 0,
                     fmt::format("{} and {}", in_quotes(prefixes[0] + kTuEdges),
                                 in_quotes(prefixes[1] + kTuEdges)),
                     "one TU data set");
  }
  return prefixes.front();
}

class TuParser {
 public:
  TuParser(const FileTexts& files, const std::string& place, std::string prefix,
           const ReadOptions& options)
      : files_(files),
        place_(place),
        prefix_(std::move(prefix)),
        name_(base_name(prefix_)),
        options_(options),
        budget_(options, size_of(files)) {
    check_name(name_, place_);
    if (!is_field_text(name_)) name_ = kTuDefaultName;
  }

  DataSet parse() {
    read_indicator();
    read_arcs();
    read_node_labels();
    read_edge_labels();
    read_attributes();
    DataSet data;
    data.name = name_;
    ClassNames classes;
    std::vector<Sample> samples = read_classes(classes);
    for (std::size_t g = 0; g < samples.size(); ++g) samples[g].graph = graph(g);
    check_directions();
    distribute(std::move(samples), data);
    classes.settle(data);
    return data;
  }

 private:
  std::string path(const char* suffix) const { return place_ + "/" + prefix_ + suffix; }
  bool has(const char* suffix) const { return files_.contains(prefix_ + suffix); }

  /// Calls parse_line(line) for every line; checks that there are `expected` of them.
  template <typename ParseLine>
  void read_lines(const char* suffix, std::optional<std::size_t> expected, const char* what,
                  ParseLine parse_line) {
    const auto file = files_.find(prefix_ + suffix);
    if (file == files_.end()) {
      throw InputError(
          place_, 0, fmt::format("no {}{}", prefix_, suffix),
          fmt::format("{0}{1}, {0}{2} and {0}{3}", name_, kTuEdges, kTuIndicator, kTuClasses));
    }
    std::string_view text = file->second;
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    if (text.empty()) throw InputError(path(suffix), 0, "an empty file", "one line or more");
    LineReader lines(text, options_.stop);
    std::string_view line;
    try {
      while (lines.next(line)) {
        if (expected && at(lines.number()) > *expected) {
          throw Fault{"one more line", fmt::format("{} lines, one for each {}", *expected, what)};
        }
        line_ = lines.number();
        parse_line(trimmed(line));
      }
      if (expected && at(lines.number()) < *expected) {
        throw Fault{fmt::format("the end after {} lines", lines.number()),
                    fmt::format("{} lines, one for each {}", *expected, what)};
      }
    } catch (const Fault& fault) {
      throw fault.at(path(suffix), lines.number());
    }
  }

  void read_indicator() {
    read_lines(kTuIndicator, std::nullopt, "node", [&](std::string_view line) {
      const int graph = parse_integer(line, "a graph number");
      const int last = static_cast<int>(first_node_.size());
      if (graph != last + 1 && (graph != last || last == 0)) {
        throw Fault{fmt::format("graph {}", graph),
                    last == 0 ? "graph 1"
                              : fmt::format("graph {} or {}: ascending, none without nodes", last,
                                            last + 1)};
      }
      if (graph > last) first_node_.push_back(static_cast<int>(line_));
      graph_of_.push_back(graph - 1);
    });
    check_sizes();
    arcs_.resize(first_node_.size());
  }

  /// Here each node is a line of its own: this comes late, but costs no more than the file.
  void check_sizes() {
    for (std::size_t i = 0; i < first_node_.size(); ++i) {
      try {
        budget_.take(end_of(i) - first_node_[i], fmt::format("{}", i + 1));
      } catch (const Fault& fault) {
        throw fault.at(path(kTuIndicator), first_node_[i]);
      }
    }
  }

  /// One more than the last node of a graph.
  int end_of(std::size_t graph) const {
    return graph + 1 < first_node_.size() ? first_node_[graph + 1]
                                          : static_cast<int>(graph_of_.size()) + 1;
  }

  int node(std::string_view text) const {
    const auto largest = static_cast<int>(graph_of_.size());
    return parse_integer(trimmed(text), 1, largest, "a node of the graph indicator");
  }

  void read_arcs() {
    read_lines(kTuEdges, std::nullopt, "edge", [&](std::string_view line) {
      std::array<std::string_view, 2> fields;
      const std::size_t count = split_into(fields, line, ',');
      if (count != 2) throw Fault{in_quotes(line), "two nodes such as 3, 5"};
      const Arc arc{node(fields[0]), node(fields[1]), line_};
      if (arc.from == arc.to) {
        throw Fault{fmt::format("self loop at node {}", arc.from), "two different nodes"};
      }
      const int graph = graph_of_[at(arc.from) - 1];
      const int other = graph_of_[at(arc.to) - 1];
      if (graph != other) {
        throw Fault{fmt::format("edge {}-{} from graph {} to graph {}", arc.from, arc.to, graph + 1,
                                other + 1),
                    "two nodes of one graph"};
      }
      arcs_[at(graph)].push_back(arc);
      ++arc_count_;
    });
  }

  static int label(std::string_view line, const char* what) {
    if (line.find(',') != std::string_view::npos) {
      throw Fault{fmt::format("several {} labels {}", what, in_quotes(line)),
                  "one: sets with several columns of labels are not supported"};
    }
    return parse_integer(line, fmt::format("a {} label", what));
  }

  void read_node_labels() {
    if (!has(kTuNodeLabels)) return;
    read_lines(kTuNodeLabels, graph_of_.size(), "node",
               [&](std::string_view line) { node_labels_.push_back(label(line, "node")); });
  }

  void read_edge_labels() {
    if (!has(kTuEdgeLabels)) return;
    read_lines(kTuEdgeLabels, arc_count_, "line of _A.txt",
               [&](std::string_view line) { arc_labels_.push_back(label(line, "edge")); });
  }

  void read_attributes() {
    if (!has(kTuAttributes)) return;
    read_lines(kTuAttributes, graph_of_.size(), "node", [&](std::string_view line) {
      const std::vector<std::string_view> fields = split_fields(line, ',');
      if (line_ == 1) attribute_width_ = fields.size();
      if (fields.size() != attribute_width_) {
        throw Fault{fmt::format("{} attributes", fields.size()),
                    fmt::format("{}, as many as line 1 has", attribute_width_)};
      }
      for (const std::string_view field : fields) {
        attributes_.push_back(parse_real(trimmed(field), "a node attribute"));
      }
    });
  }

  std::vector<Sample> read_classes(ClassNames& classes) {
    std::vector<Sample> samples(first_node_.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      samples[i].id = fmt::format("{}_{}", name_, i + 1);
      samples[i].label = Sample::kNoClass;
    }
    if (options_.may_lack_class && !has(kTuClasses)) return samples;
    read_lines(kTuClasses, samples.size(), "graph", [&](std::string_view line) {
      samples[at(line_) - 1].label = classes.add(std::to_string(parse_integer(line, "a class")));
    });
    return samples;
  }

  Graph graph(std::size_t index) {
    const int first = first_node_[index];
    const int end = end_of(index);
    std::vector<Edge> edges;
    std::vector<int> edge_labels;
    try {
      for (const MergedEdge& merged : merge_arcs(arcs_[index])) {
        edges.push_back({merged.edge.u - first, merged.edge.v - first});
        if (merged.reverse_line == 0) {
          single_line_ = single_line_ == 0 ? merged.line : std::min(single_line_, merged.line);
        } else {
          has_pairs_ = true;
        }
        if (!arc_labels_.empty()) edge_labels.push_back(edge_label(merged));
      }
    } catch (const Fault& fault) {
      throw fault.at(path(kTuEdges), 0);
    }
    std::vector<int> node_labels;
    if (!node_labels_.empty()) {
      node_labels.assign(node_labels_.begin() + first - 1, node_labels_.begin() + end - 1);
    }
    Graph graph(end - first, std::move(edges), std::move(node_labels), std::move(edge_labels));
    if (attribute_width_ > 0) {
      const auto row = [&](int n) {
        return attributes_.begin() + static_cast<std::ptrdiff_t>(at(n - 1) * attribute_width_);
      };
      graph.set_attributes(static_cast<int>(attribute_width_), {row(first), row(end)});
    }
    return graph;
  }

  int edge_label(const MergedEdge& merged) const {
    const int label = arc_labels_[at(merged.line) - 1];
    if (merged.reverse_line == 0) return label;
    const int reverse = arc_labels_[at(merged.reverse_line) - 1];
    if (reverse != label) {
      throw InputError(
          path(kTuEdgeLabels), merged.reverse_line,
          fmt::format("label {} for edge {}-{}", reverse, merged.edge.u, merged.edge.v),
          fmt::format("{} as for its other direction (line {})", label, merged.line));
    }
    return label;
  }

  /// Files list every edge in both directions or every edge once; half of each is damage.
  void check_directions() const {
    if (single_line_ == 0 || !has_pairs_) return;
    throw InputError(path(kTuEdges), single_line_, "an edge without its reverse",
                     "both directions, as for other edges of this file");
  }

  void distribute(std::vector<Sample> samples, DataSet& data) {
    if (!has(kTuIds)) {
      data.splits.push_back({kUnsplit, std::move(samples)});
      return;
    }
    read_lines(kTuIds, samples.size(), "graph", [&](std::string_view line) {
      std::array<std::string_view, 5> fields;
      const std::size_t count = split_into(fields, line, '\t');
      if (count != 5) {
        throw Fault{fmt::format("{} columns", count), "id, split, hits, origin and witness"};
      }
      Sample& sample = samples[at(line_) - 1];
      check_field_text(fields[0], "an id");
      if (!is_plain_name(fields[1])) throw Fault{in_quotes(fields[1]), "the name of a split"};
      sample.id = fields[0];
      sample.hits = parse_hits(fields[2]);
      sample.origin = parse_origin(fields[3]);
      sample.witness = parse_witness(fields[4], sample.graph.node_count());
      auto split = std::find_if(data.splits.begin(), data.splits.end(),
                                [&](const Split& known) { return known.name == fields[1]; });
      if (split == data.splits.end()) {
        split = data.splits.insert(split, Split{std::string(fields[1]), {}});
      }
      split->samples.push_back(std::move(sample));
    });
  }

  const FileTexts& files_;
  const std::string& place_;
  std::string prefix_;
  std::string name_;
  const ReadOptions& options_;
  NodeBudget budget_;
  long line_ = 0;
  std::vector<int> first_node_;  ///< of each graph, from 1
  std::vector<int> graph_of_;    ///< of each node, from 0
  std::vector<std::vector<Arc>> arcs_;
  std::size_t arc_count_ = 0;
  std::vector<int> node_labels_;
  std::vector<int> arc_labels_;
  std::size_t attribute_width_ = 0;
  std::vector<double> attributes_;
  long single_line_ = 0;
  bool has_pairs_ = false;
};

}  // namespace

DataSet parse_tu(const FileTexts& files, const std::string& place, const ReadOptions& options) {
  std::vector<std::string> names;
  for (const auto& [name, text] : files) names.push_back(name);
  return TuParser(files, place, only_prefix(names, place), options).parse();
}

TuArchive read_tu_archive(std::string_view bytes, const std::string& place,
                          const ReadOptions& options) {
  const std::vector<std::string> names = list_archive(bytes, place);
  const std::string prefix = only_prefix(names, place);
  const std::string folder = prefix.substr(0, prefix.size() - base_name(prefix).size());
  const auto is_wanted = [&](const std::string& name) {
    const bool ours = name.starts_with(prefix + "_") && name.ends_with(".txt");
    return (ours && name.find('/', folder.size()) == name.npos) || name == folder + "README.txt";
  };
  TuArchive archive;
  archive.name = base_name(prefix);
  FileTexts files = parse_archive(bytes, place, {}, is_wanted, options.stop);
  archive.data = parse_tu(files, place, options);
  for (auto& [name, text] : files) {
    archive.files.emplace(base_name(name), std::move(text));
  }
  return archive;
}

namespace {

DataSet read_tu(const std::filesystem::path& folder_or_zip, const ReadOptions& options,
                std::vector<std::string>*) {
  const std::string place = folder_or_zip.string();
  const bool from_folder = is_folder(folder_or_zip);
  const std::vector<std::string> names =
      from_folder ? files_in(folder_or_zip) : list_archive(folder_or_zip);
  const std::string prefix = only_prefix(names, place);
  std::set<std::string> wanted;
  for (const char* suffix :
       {kTuEdges, kTuIndicator, kTuClasses, kTuNodeLabels, kTuEdgeLabels, kTuAttributes, kTuIds}) {
    wanted.insert(prefix + suffix);
  }
  const auto is_wanted = [&](const std::string& name) { return wanted.contains(name); };
  if (!from_folder) {
    return parse_tu(read_archive(folder_or_zip, {}, is_wanted, options.stop), place, options);
  }
  FileTexts files;
  for (const std::string& name : names) {
    if (is_wanted(name)) files[name] = read_file(folder_or_zip / name);
  }
  return parse_tu(files, place, options);
}

}  // namespace

const Format kTu = {
    "tu",
    "TU folder or .zip (*_A.txt)",
    "",
    [](const Place& place) { return !tu_prefixes(place.files).empty(); },
    read_tu,
    [](const DataSet& data, const std::filesystem::path& path, bool overwrite) {
      write_folder(tu_files(data), path, overwrite);
    },
    tu_losses,
};

}  // namespace bermuda
