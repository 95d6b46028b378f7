#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/graph/graph6.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "losses.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kGraph6Ending = ".g6";
constexpr std::string_view kSparse6Ending = ".s6";
constexpr std::string_view kLabelsEnding = ".labels";
constexpr std::array<std::string_view, 2> kGraph6Headers = {">>graph6<<", ">>sparse6<<"};
constexpr std::string_view kLineEnds = " \t\r\n";
/// A graph of more nodes is written as sparse6: graph6 takes a character per six pairs of nodes.
constexpr int kMostDenseNodes = 1000;

/// The rest of a line, or a line of its own; "?" stands for none.
int named_class(std::string_view text, ClassNames& classes, const ReadOptions& options) {
  if (text.empty()) return no_class(options, "no class");
  if (text == kUnknownClass) return no_class(options, in_quotes(text));
  check_field_text(text, "a class");
  return classes.add(text);
}

class Graph6Parser {
 public:
  Graph6Parser(std::string file, const ReadOptions& options, std::size_t bytes)
      : file_(std::move(file)), options_(options), budget_(options, bytes) {}

  void read_graphs(std::string_view text, bool classes_elsewhere) {
    for (const std::string_view header : kGraph6Headers) {
      if (text.starts_with(header)) text.remove_prefix(header.size());
    }
    // nauty goes on behind its header; others begin a line.
    const bool header_alone = text.starts_with('\n') || text.starts_with("\r\n");
    each_line(text, file_, [&](std::string_view line, long number) {
      if (number == 1 && header_alone) return;
      const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
      const std::string_view class_name = trimmed(line.substr(end));
      Sample sample;
      sample.id = std::to_string(samples_.size() + 1);
      sample.graph = graph(line.substr(0, end), sample.id);
      if (!classes_elsewhere) {
        sample.label = named_class(class_name, classes_, options_);
      } else if (!class_name.empty()) {
        throw Fault{fmt::format("class {} behind a graph", in_quotes(class_name)),
                    fmt::format("none, for there is a file of classes (*{})", kLabelsEnding)};
      }
      samples_.push_back(std::move(sample));
    });
    if (samples_.empty()) throw InputError(file_, 0, "no graph", "one graph per line");
  }

  void read_classes(std::string_view text, const std::string& file) {
    std::size_t next = 0;
    each_line(text, file, [&](std::string_view line, long) {
      if (next == samples_.size()) {
        throw Fault{"one more line", fmt::format("{}, one for each graph", samples_.size())};
      }
      samples_[next++].label = named_class(trimmed(line), classes_, options_);
    });
    if (next < samples_.size()) {
      throw InputError(file, 0, fmt::format("{} classes", next),
                       fmt::format("{}, one for each graph", samples_.size()));
    }
  }

  DataSet finish(const std::string& name) {
    DataSet data;
    data.name = name;
    data.splits.push_back({kUnsplit, std::move(samples_)});
    classes_.settle(data);
    return data;
  }

 private:
  template <typename ParseLine>
  void each_line(std::string_view text, const std::string& file, ParseLine parse_line) {
    LineReader lines(text.substr(0, text.find_last_not_of(kLineEnds) + 1), options_.stop);
    std::string_view line;
    try {
      while (lines.next(line)) parse_line(line, lines.number());
    } catch (const Fault& fault) {
      throw fault.at(file, lines.number());
    }
  }

  Graph graph(std::string_view text, const std::string& id) {
    try {
      Graph graph = decode_graph6(text, kMostNodes);
      budget_.take(graph.node_count(), id);
      return graph;
    } catch (const Graph6Error& error) {
      throw Fault{error.what(), "a simple graph as graph6 or sparse6"};
    }
  }

  std::string file_;
  const ReadOptions& options_;
  NodeBudget budget_;
  ClassNames classes_;
  std::vector<Sample> samples_;
};

std::string labels_file_of(const std::string& file) {
  return std::filesystem::path(file).replace_extension(kLabelsEnding).string();
}

bool has_class_named_unknown(const DataSet& data) {
  return std::ranges::find(data.class_names, kUnknownClass) != data.class_names.end();
}

/// Whoever reads the file at the path would take its classes from an older file beside it.
void check_no_labels_beside(const std::filesystem::path& path) {
  const std::string labels_file = labels_file_of(path.string());
  std::error_code error;
  if (!std::filesystem::exists(labels_file, error)) return;
  throw UsageError(
      fmt::format("{}: exists already, and would be read as the classes of the graphs in {}; move "
                  "it away or choose another name",
                  labels_file, path.string()));
}

std::vector<std::string> graph6_losses(const DataSet& data) {
  LossList list(data);
  list.count("node labels", [](const Sample& s) { return s.graph.has_node_labels(); });
  list.count_edge_labels();
  list.count("node attributes", [](const Sample& s) { return s.graph.attribute_width() > 0; });
  list.count_witnesses_hits_and_origins();
  list.count_ids_and_splits();
  if (list.samples().empty()) list.add("everything (there is no graph: refused)");
  if (has_class_named_unknown(data)) list.add("class name '?' (it stands for none: refused)");
  return list.finish(false);
}

}  // namespace

DataSet parse_graph6(std::string_view text, const std::string& file, const std::string* labels,
                     const std::string& name, const ReadOptions& options) {
  Graph6Parser parser(file, options, text.size());
  parser.read_graphs(text, labels != nullptr);
  if (labels != nullptr) parser.read_classes(*labels, labels_file_of(file));
  return parser.finish(name);
}

std::string graph6_text(const DataSet& data) {
  if (data.size() == 0) throw UsageError("a data set without graphs: a graph6 file needs one");
  if (has_class_named_unknown(data)) {
    throw UsageError("a class named '?': in graph6 files that stands for no class");
  }
  const bool has_classes = graphs_without_class(data) < data.size();
  std::string out(kGraph6Headers[0]);
  for (const Sample* sample : data.all()) {
    if (sample->graph.node_count() <= kMostDenseNodes) {
      append_dense_graph6(out, sample->graph);
    } else {
      append_graph6(out, sample->graph);
    }
    if (has_classes) {
      out += '\t';
      out += sample->label == Sample::kNoClass
                 ? kUnknownClass
                 : std::string_view(data.class_names[static_cast<std::size_t>(sample->label)]);
    }
    out += '\n';
  }
  return out;
}

const Format kGraph6 = {
    "graph6",
    ".g6 or .s6 file (graph6, sparse6)",
    kGraph6Ending,
    [](const Place& place) {
      return !place.is_folder &&
             (place.path.extension() == kGraph6Ending || place.path.extension() == kSparse6Ending);
    },
    [](const std::filesystem::path& path, const ReadOptions& options, std::vector<std::string>*) {
      const std::string text = read_file(path);
      const std::string labels_file = labels_file_of(path.string());
      std::optional<std::string> labels;
      std::error_code error;
      if (std::filesystem::exists(labels_file, error)) labels = read_file(labels_file);
      return parse_graph6(text, path.string(), labels ? &*labels : nullptr, name_of(path), options);
    },
    [](const DataSet& data, const std::filesystem::path& path, bool overwrite) {
      check_no_labels_beside(path);
      write_file_atomically(path, graph6_text(data), overwrite);
    },
    graph6_losses,
};

}  // namespace bermuda
