#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arcs.hpp"
#include "bermuda/graph/graph.hpp"

namespace bermuda {

/// A graph whose nodes have names, put together while a file is read.
class NamedGraph {
 public:
  /// The node's number; a new name gets the next.
  int node(std::string_view name);
  int node_count() const { return static_cast<int>(names_.size()); }
  const std::string& name(int node) const { return names_[static_cast<std::size_t>(node)]; }

  /// Throws Fault when both ends are the same node.
  void add_edge(int from, int to, long line);
  std::size_t arc_count() const { return arcs_.size(); }
  long arc_line(std::size_t arc) const { return arcs_[arc].line; }
  /// The line of the first edge at this node.
  long line_at(int node) const;

  /// Where all names are integers, nodes are put in their order.
  void sort_by_number();

  /// An edge and which calls of add_edge() gave it.
  struct NamedEdge {
    Edge edge;
    std::size_t arc = 0;
    std::optional<std::size_t> reverse;
  };
  /// Ascending. Every edge may stand there once or, all of them, in both directions. Throws Fault
  /// with its line for a direction that comes twice and for a mixture of the two.
  std::vector<NamedEdge> edges() const;

 private:
  std::string words(const Arc& arc) const;

  std::map<std::string, int, std::less<>> numbers_;
  std::vector<std::string> names_;
  std::vector<Arc> arcs_;
};

}  // namespace bermuda
