#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "graph_files.hpp"
#include "named_graph.hpp"

namespace bermuda {
namespace {

constexpr std::array<std::string_view, 2> kEdgeListEndings = {".edges", ".edgelist"};

/// networkx writes {} for an edge without data; a weight of 1 says nothing either.
void check_third_word(std::string_view word) {
  if (word == "{}") return;
  if (parse_number<double>(word) != 1.0) {
    throw Fault{fmt::format("{} behind two nodes", in_quotes(word)),
                "nothing, {} or 1: weights are not supported"};
  }
}

Graph parse_edge_list(std::string_view text, const std::string& id, NodeBudget& budget,
                      const ReadOptions& options) {
  NamedGraph named;
  LineReader lines(text, options.stop);
  std::string_view line;
  try {
    while (lines.next(line)) {
      const std::vector<std::string_view> words = words_of(line, " \t\r,");
      if (words.empty() || words[0].starts_with('#') || words[0].starts_with('%')) continue;
      if (words.size() > 3) {
        throw Fault{fmt::format("{} words", words.size()), "two nodes, or one without edges"};
      }
      for (std::size_t i = 0; i < words.size() && i < 2; ++i) check_field_text(words[i], "a node");
      const int from = named.node(words[0]);
      if (words.size() == 1) continue;
      if (words.size() == 3) check_third_word(words[2]);
      named.add_edge(from, named.node(words[1]), lines.number());
    }
  } catch (Fault& fault) {
    fault.line = lines.number();
    throw;
  }
  budget.take(named.node_count(), id);
  named.sort_by_number();
  std::vector<Edge> edges;
  for (const NamedGraph::NamedEdge& edge : named.edges()) edges.push_back(edge.edge);
  return Graph(named.node_count(), std::move(edges));
}

}  // namespace

DataSet parse_edge_lists(const FileTexts& files, const std::string& place, const std::string& name,
                         const ReadOptions& options) {
  return parse_graph_files(
      files, place, name, kEdgeListEndings,
      [&](std::string_view text, const std::string& id, NodeBudget& budget) {
        return parse_edge_list(text, id, budget, options);
      },
      options);
}

const Format kEdgeList = {
    "edgelist",
    "edge lists (folder of .edges or .edgelist files, or one)",
    "",
    [](const Place& place) { return has_graph_files(place, kEdgeListEndings); },
    [](const std::filesystem::path& path, const ReadOptions& options, std::vector<std::string>*) {
      return parse_edge_lists(load_graph_files(path, kEdgeListEndings), folder_of(path),
                              name_of(path), options);
    },
    nullptr,
    nullptr,
};

}  // namespace bermuda
