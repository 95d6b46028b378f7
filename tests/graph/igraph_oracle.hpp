#pragma once

#include <igraph.h>

#include <vector>

#include "bermuda/graph/graph.hpp"

namespace bermuda::test {

/// A graph in igraph's hands, for answers that do not come from our code.
class IgraphCopy {
 public:
  explicit IgraphCopy(const Graph& graph) {
    std::vector<igraph_integer_t> ends;
    for (const Edge& edge : graph.edges()) ends.insert(ends.end(), {edge.u, edge.v});
    igraph_vector_int_t view;
    igraph_vector_int_view(&view, ends.data(), static_cast<igraph_integer_t>(ends.size()));
    igraph_create(&graph_, &view, graph.node_count(), IGRAPH_UNDIRECTED);
  }
  ~IgraphCopy() { igraph_destroy(&graph_); }
  IgraphCopy(const IgraphCopy&) = delete;
  IgraphCopy& operator=(const IgraphCopy&) = delete;
  const igraph_t* get() const { return &graph_; }

  int isoclass() const {
    igraph_integer_t result = 0;
    igraph_isoclass(&graph_, &result);
    return static_cast<int>(result);
  }

  /// hist[isoclass] = connected induced subgraphs of `size` nodes (3 or 4).
  std::vector<double> motifs(int size) const {
    igraph_vector_t histogram;
    igraph_vector_t cut;
    igraph_vector_init(&histogram, 0);
    igraph_vector_init(&cut, size);
    igraph_motifs_randesu(&graph_, &histogram, size, &cut);
    std::vector<double> result(VECTOR(histogram),
                               VECTOR(histogram) + igraph_vector_size(&histogram));
    igraph_vector_destroy(&cut);
    igraph_vector_destroy(&histogram);
    return result;
  }

 private:
  igraph_t graph_;
};

/// VF2, which is not the algorithm behind canonical_form. Both graphs have labels or neither has.
inline bool isomorphic(const Graph& a, const Graph& b) {
  if (a.node_count() != b.node_count() || a.edge_count() != b.edge_count()) return false;
  const IgraphCopy first(a);
  const IgraphCopy second(b);
  std::vector<std::vector<igraph_integer_t>> storage;
  for (const Graph* graph : {&a, &b}) {
    storage.emplace_back(graph->node_labels().begin(), graph->node_labels().end());
    storage.emplace_back(graph->edge_labels().begin(), graph->edge_labels().end());
  }
  std::vector<igraph_vector_int_t> views(storage.size());
  for (std::size_t i = 0; i < storage.size(); ++i) {
    igraph_vector_int_view(&views[i], storage[i].data(),
                           static_cast<igraph_integer_t>(storage[i].size()));
  }
  const bool nodes = a.has_node_labels();
  const bool edges = a.has_edge_labels();
  igraph_bool_t result = false;
  igraph_isomorphic_vf2(first.get(), second.get(), nodes ? &views[0] : nullptr,
                        nodes ? &views[2] : nullptr, edges ? &views[1] : nullptr,
                        edges ? &views[3] : nullptr, &result, nullptr, nullptr, nullptr, nullptr,
                        nullptr);
  return result;
}

}  // namespace bermuda::test
