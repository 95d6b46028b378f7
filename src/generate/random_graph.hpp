#pragma once

#include <functional>
#include <string>

#include "bermuda/core/parameter.hpp"
#include "bermuda/core/random.hpp"
#include "bit_graph.hpp"

namespace bermuda {

/// How many nodes the graphs of a task have, and how many edges for these: the four parameters that
/// tasks share.
class SizeRange {
 public:
  struct Size {
    int nodes;
    int edges;
  };

  /// `fewest_nodes`: below that the task has no graphs. The others are defaults.
  SizeRange(int fewest_nodes, int min_nodes, int max_nodes, double min_degree, double max_degree)
      : fewest_nodes_(fewest_nodes),
        min_nodes_(min_nodes),
        max_nodes_(max_nodes),
        min_degree_(min_degree),
        max_degree_(max_degree) {}

  /// min-nodes, max-nodes, min-degree and max-degree, bound to this object.
  void add_to(ParameterSet& set);
  /// `spare_edges`: what a graph of the task needs beyond one edge per node. Throws UsageError when
  /// a range is empty, or holds a number of nodes for which it does not allow that many.
  void validate(int spare_edges) const;
  /// Throws UsageError when even the fewest edges, at every number of nodes, are more than the task
  /// can have: `most_edges` says how many, `who` whose graphs these are ("planar graphs").
  void check_room(int spare_edges, const std::function<double(int nodes)>& most_edges,
                  const std::string& who) const;
  /// The most edges beyond one per node that a graph can have, at any number of nodes.
  int most_spare_edges() const;
  /// Nodes are uniform in their range, then edges in what the mean degree allows for these nodes
  /// and the task (nodes + spare_edges or more).
  Size draw(RandomStream& random, int spare_edges) const;
  /// The most edges that the smallest graphs can have: for a task whose graphs have a bound there.
  Size densest_of_fewest_nodes() const { return most(min_nodes_); }

 private:
  Size fewest(int nodes, int spare_edges) const;
  Size most(int nodes) const;

  int fewest_nodes_;
  int min_nodes_;
  int max_nodes_;
  double min_degree_;
  double max_degree_;
};

/// Joins each of the nodes first + 1 .. end - 1 to one that is drawn from those before it, from
/// `first` on. Nodes that are joined already, as a clique that was planted at `first`, go ahead:
/// then only those from `grown` on are joined.
void grow_tree(BitGraph& graph, int first, int end, int grown, RandomStream& random);

/// Adds so many edges between nodes first .. end - 1, uniformly drawn from the pairs without one.
/// There must be that many.
void add_random_edges(BitGraph& graph, int first, int end, int count, RandomStream& random);

/// How many nodes can be reached from this one, itself included.
int reachable_from(const BitGraph& graph, int node);
inline bool is_connected(const BitGraph& graph) {
  return graph.node_count() == 0 || reachable_from(graph, 0) == graph.node_count();
}

int component_count(const BitGraph& graph);

/// The same graph with its nodes in a random order.
Graph shuffled_graph(const BitGraph& graph, RandomStream& random);

}  // namespace bermuda
