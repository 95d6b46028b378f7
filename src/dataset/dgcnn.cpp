#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>
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

constexpr std::string_view kEnding = ".txt";

/// No size that the file tells is believed: memory grows with the lines and words that are there.
class DgcnnParser {
 public:
  DgcnnParser(std::string_view text, const std::string& file, const ReadOptions& options)
      : lines_(text.substr(0, text.find_last_not_of(" \t\r\n") + 1), options.stop),
        file_(file),
        budget_(options, text.size()) {}

  DataSet parse(const std::string& name) {
    DataSet data;
    data.name = name;
    data.splits = {{kUnsplit, {}}};
    std::vector<Sample>& samples = data.splits[0].samples;
    ClassNames classes;
    try {
      const int graphs = parse_integer(trimmed(next_line("the number of graphs")), 1,
                                       std::numeric_limits<int>::max(), "the number of graphs");
      for (int number = 1; number <= graphs; ++number) {
        samples.push_back(parse_graph(number, graphs, classes));
      }
      std::string_view line;
      if (lines_.next(line)) {
        throw Fault{in_quotes(line), fmt::format("the end after {} graphs (line 1)", graphs)};
      }
    } catch (const Fault& fault) {
      throw fault.at(file_, lines_.number());
    }
    if (!has_tags_) remove_node_labels(samples);
    classes.settle(data);
    return data;
  }

 private:
  std::string_view next_line(const std::string& expected) {
    std::string_view line;
    if (!lines_.next(line)) throw Fault{"the end of the file", expected};
    return line;
  }

  Sample parse_graph(int number, int graphs, ClassNames& classes) {
    const std::vector<std::string_view> words =
        words_of(next_line(fmt::format("graph {} of {} (line 1)", number, graphs)));
    const long header = lines_.number();
    if (words.size() != 2) {
      throw Fault{fmt::format("{} words", words.size()),
                  fmt::format("the number of nodes and the class of graph {}", number)};
    }
    const int nodes = parse_integer(words[0], 0, kMostNodes, "the number of nodes");
    Sample sample;
    sample.id = std::to_string(number);
    sample.label = classes.add(std::to_string(parse_integer(words[1], "a class")));
    std::vector<int> tags;
    std::vector<Arc> arcs;
    std::vector<double> attributes;
    for (int node = 0; node < nodes; ++node) {
      const std::string_view line =
          next_line(fmt::format("node {} of {} (line {})", node + 1, nodes, header));
      parse_node(words_of(line), node, nodes, tags, arcs, attributes);
    }
    try {
      budget_.take(nodes, sample.id);
    } catch (Fault& fault) {
      fault.line = header;
      throw;
    }
    sample.graph = Graph(nodes, edges_of(arcs), std::move(tags));
    if (nodes > 0) sample.graph.set_attributes(attribute_width_, std::move(attributes));
    return sample;
  }

  void parse_node(const std::vector<std::string_view>& words, int node, int nodes,
                  std::vector<int>& tags, std::vector<Arc>& arcs, std::vector<double>& attributes) {
    if (words.size() < 2) {
      throw Fault{fmt::format("{} words", words.size()), "tag, degree and neighbours of a node"};
    }
    tags.push_back(parse_integer(words[0], "a node tag"));
    has_tags_ = has_tags_ || tags.back() != 0;
    const auto degree = static_cast<std::size_t>(parse_integer(words[1], 0, nodes - 1, "a degree"));
    if (words.size() - 2 < degree) {
      throw Fault{fmt::format("{} neighbours", words.size() - 2),
                  fmt::format("{}, the degree", degree)};
    }
    for (std::size_t i = 2; i < 2 + degree; ++i) {
      const int neighbour = parse_integer(words[i], 0, nodes - 1, "a neighbour");
      if (neighbour == node) {
        throw Fault{fmt::format("self loop at node {}", node), "two different nodes"};
      }
      arcs.push_back({node, neighbour, lines_.number()});
    }
    const int width = static_cast<int>(words.size() - 2 - degree);
    if (attribute_width_ < 0) attribute_width_ = width;
    if (width != attribute_width_) {
      throw Fault{fmt::format("{} numbers behind the neighbours", width),
                  fmt::format("{}, as many attributes as the first node has", attribute_width_)};
    }
    for (std::size_t i = 2 + degree; i < words.size(); ++i) {
      attributes.push_back(parse_real(words[i], "a node attribute"));
    }
  }

  static std::vector<Edge> edges_of(std::vector<Arc>& arcs) {
    std::vector<Edge> edges;
    for (const MergedEdge& merged : merge_arcs(arcs)) {
      if (merged.reverse_line == 0) {
        throw Fault{fmt::format("edge {}-{} without its reverse", merged.edge.u, merged.edge.v),
                    "each of two neighbours to list the other", merged.line};
      }
      edges.push_back(merged.edge);
    }
    return edges;
  }

  static void remove_node_labels(std::vector<Sample>& samples) {
    for (Sample& sample : samples) {
      Graph plain(sample.graph.node_count(), sample.graph.edges());
      plain.set_attributes(sample.graph.attribute_width(), sample.graph.attributes());
      sample.graph = std::move(plain);
    }
  }

  LineReader lines_;
  const std::string& file_;
  NodeBudget budget_;
  bool has_tags_ = false;     // other than 0
  int attribute_width_ = -1;  // not known before the first node
};

void append_graph(std::string& out, const Graph& graph, std::size_t attribute_width) {
  const Adjacency adjacency(graph);
  for (int node = 0; node < graph.node_count(); ++node) {
    const auto row = static_cast<std::size_t>(node);
    append_integer(out, graph.has_node_labels() ? graph.node_labels()[row] : 0);
    out += ' ';
    append_integer(out, adjacency.degree(node));
    for (const int neighbour : adjacency.of(node)) {
      out += ' ';
      append_integer(out, neighbour);
    }
    for (std::size_t i = 0; i < attribute_width; ++i) {
      out += ' ';
      append_real(out, graph.attributes()[row * attribute_width + i]);
    }
    out += '\n';
  }
}

/// A text file may be anything, so the first two lines must have the shape of this format: the
/// number of graphs, then two words.
bool looks_like_dgcnn(const Place& place) {
  if (place.is_folder || place.path.extension() != kEnding) return false;
  std::array<char, 256> start;
  std::ifstream file(place.path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  LineReader lines({start.data(), static_cast<std::size_t>(file.gcount())});
  std::string_view graphs;
  std::string_view first_graph;
  return lines.next(graphs) && parse_number<long>(trimmed(graphs)) && lines.next(first_graph) &&
         words_of(first_graph).size() == 2;
}

void count_tags(LossList& list) {
  const auto& samples = list.samples();
  const auto has_tags = [](const Sample* sample) {
    const std::vector<int>& labels = sample->graph.node_labels();
    return std::any_of(labels.begin(), labels.end(), [](int label) { return label != 0; });
  };
  if (std::any_of(samples.begin(), samples.end(), has_tags)) {
    list.count("that there are no node labels (0 is written)", [](const Sample& s) {
      return s.graph.node_count() > 0 && !s.graph.has_node_labels();
    });
  } else {
    list.count("node labels (all are 0, which stands for none)",
               [](const Sample& s) { return s.graph.has_node_labels(); });
  }
}

std::vector<std::string> dgcnn_losses(const DataSet& data) {
  LossList list(data);
  count_tags(list);
  list.count_edge_labels();
  if (common_columns(list.samples()).attribute_width == 0) {
    list.count("node attributes (not all graphs have them, equally many)",
               [](const Sample& s) { return s.graph.attribute_width() > 0; });
  }
  list.count_witnesses_hits_and_origins();
  list.count_ids_and_splits();
  if (list.samples().empty()) list.add("everything (there is no graph: refused)");
  list.count("all (no class: refused)",
             [](const Sample& s) { return s.label == Sample::kNoClass; });
  return list.finish(true);
}

}  // namespace

DataSet parse_dgcnn(std::string_view text, const std::string& file, const std::string& name,
                    const ReadOptions& options) {
  return DgcnnParser(text, file, options).parse(name);
}

std::string dgcnn_text(const DataSet& data) {
  check_class_numbers(data, "the format of DGCNN");
  const std::vector<const Sample*> samples = data.all();
  if (samples.empty()) throw UsageError("a data set without graphs: DGCNN's format needs one");
  if (graphs_without_class(data) > 0) {
    throw UsageError("a graph without a class: DGCNN's format cannot carry it");
  }
  const auto width = static_cast<std::size_t>(common_columns(samples).attribute_width);
  std::string out = fmt::format("{}\n", samples.size());
  for (const Sample* sample : samples) {
    out += fmt::format("{} {}\n", sample->graph.node_count(),
                       data.class_names[static_cast<std::size_t>(sample->label)]);
    append_graph(out, sample->graph, width);
  }
  return out;
}

const Format kDgcnn = {
    "dgcnn",
    ".txt file of DGCNN and GIN",
    kEnding,
    looks_like_dgcnn,
    [](const std::filesystem::path& path, const ReadOptions& options, std::vector<std::string>*) {
      return parse_dgcnn(read_file(path), path.string(), name_of(path), options);
    },
    [](const DataSet& data, const std::filesystem::path& path, bool overwrite) {
      write_file_atomically(path, dgcnn_text(data), overwrite);
    },
    dgcnn_losses,
};

}  // namespace bermuda
