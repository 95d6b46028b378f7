// igraph as an independent oracle: 10,000 graphs of each task.
#include <gtest/gtest.h>
#include <igraph.h>

#include <algorithm>

#include "bermuda/generate/generate.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kGraphs = 10000;

class IgraphGraph {
 public:
  explicit IgraphGraph(const Graph& graph) {
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 0);
    for (const Edge& edge : graph.edges()) {
      igraph_vector_int_push_back(&ends, edge.u);
      igraph_vector_int_push_back(&ends, edge.v);
    }
    igraph_create(&graph_, &ends, graph.node_count(), IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&ends);
  }
  ~IgraphGraph() { igraph_destroy(&graph_); }
  IgraphGraph(const IgraphGraph&) = delete;
  IgraphGraph& operator=(const IgraphGraph&) = delete;

  std::size_t triangles() const {
    igraph_vector_int_t corners;
    igraph_vector_int_init(&corners, 0);
    igraph_list_triangles(&graph_, &corners);
    const auto count = static_cast<std::size_t>(igraph_vector_int_size(&corners)) / 3;
    igraph_vector_int_destroy(&corners);
    return count;
  }

  std::vector<std::vector<int>> cliques(int size) const {
    igraph_vector_int_list_t found;
    igraph_vector_int_list_init(&found, 0);
    igraph_cliques(&graph_, &found, size, 0);
    std::vector<std::vector<int>> cliques;
    for (igraph_integer_t i = 0; i < igraph_vector_int_list_size(&found); ++i) {
      const igraph_vector_int_t* clique = igraph_vector_int_list_get_ptr(&found, i);
      cliques.emplace_back();
      for (igraph_integer_t j = 0; j < igraph_vector_int_size(clique); ++j) {
        cliques.back().push_back(static_cast<int>(VECTOR(*clique)[j]));
      }
    }
    igraph_vector_int_list_destroy(&found);
    return cliques;
  }

  std::size_t largest_clique() const {
    igraph_integer_t size = 0;
    igraph_clique_number(&graph_, &size);
    return static_cast<std::size_t>(size);
  }

  /// Where this graph occurs in it as a subgraph, other edges allowed.
  bool contains(const IgraphGraph& part) const {
    igraph_bool_t found = false;
    igraph_subisomorphic_lad(&part.graph_, &graph_, nullptr, &found, nullptr, nullptr, false, 0);
    return found;
  }

  bool is_connected() const {
    igraph_bool_t connected = false;
    igraph_is_connected(&graph_, &connected, IGRAPH_WEAK);
    return connected;
  }

  std::size_t bridges() const {
    igraph_vector_int_t found;
    igraph_vector_int_init(&found, 0);
    igraph_bridges(&graph_, &found);
    const auto count = static_cast<std::size_t>(igraph_vector_int_size(&found));
    igraph_vector_int_destroy(&found);
    return count;
  }

  bool is_bipartite() const {
    igraph_bool_t bipartite = false;
    igraph_is_bipartite(&graph_, &bipartite, nullptr);
    return bipartite;
  }

  int distance(const std::vector<int>& from, const std::vector<int>& to) const {
    igraph_matrix_t distances;
    igraph_matrix_init(&distances, 0, 0);
    igraph_distances(&graph_, &distances, igraph_vss_all(), igraph_vss_all(), IGRAPH_ALL);
    double shortest = 1e9;
    for (const int u : from) {
      for (const int v : to) shortest = std::min(shortest, MATRIX(distances, u, v));
    }
    igraph_matrix_destroy(&distances);
    return static_cast<int>(shortest);
  }

  int diameter() const {
    double longest = 0;
    igraph_diameter(&graph_, &longest, nullptr, nullptr, nullptr, nullptr, false, false);
    return static_cast<int>(longest);
  }

  /// By VF2, which shares nothing with the canonical forms that BLISS finds for us.
  bool is_isomorphic_to(const IgraphGraph& other) const {
    igraph_bool_t same = false;
    igraph_isomorphic_vf2(&graph_, &other.graph_, nullptr, nullptr, nullptr, nullptr, &same,
                          nullptr, nullptr, nullptr, nullptr, nullptr);
    return same;
  }

  std::vector<std::vector<int>> pieces() const {
    igraph_vector_int_t piece_of;
    igraph_vector_int_t sizes;
    igraph_vector_int_init(&piece_of, 0);
    igraph_vector_int_init(&sizes, 0);
    igraph_connected_components(&graph_, &piece_of, &sizes, nullptr, IGRAPH_WEAK);
    std::vector<std::vector<int>> pieces(static_cast<std::size_t>(igraph_vector_int_size(&sizes)));
    for (igraph_integer_t node = 0; node < igraph_vector_int_size(&piece_of); ++node) {
      pieces[static_cast<std::size_t>(VECTOR(piece_of)[node])].push_back(static_cast<int>(node));
    }
    igraph_vector_int_destroy(&piece_of);
    igraph_vector_int_destroy(&sizes);
    return pieces;
  }

 private:
  igraph_t graph_;
};

/// The graph between these nodes.
Graph part_of(const Graph& graph, const std::vector<int>& nodes) {
  std::vector<Edge> edges;
  for (int j = 0; j < static_cast<int>(nodes.size()); ++j) {
    for (int i = 0; i < j; ++i) {
      if (graph.has_edge(nodes[static_cast<std::size_t>(i)], nodes[static_cast<std::size_t>(j)])) {
        edges.push_back({i, j});
      }
    }
  }
  return Graph(static_cast<int>(nodes.size()), std::move(edges));
}

DataSet make(const char* name) {
  const auto task = make_task(name);
  Execution execution;
  execution.threads = 2;
  return generate_candidates(*task, 42, kGraphs, execution);
}

TEST(IgraphAgrees, OnTriangleCounts) {
  const DataSet data = make("triangles");
  for (const Sample* sample : data.all()) {
    ASSERT_EQ(IgraphGraph(sample->graph).triangles(), static_cast<std::size_t>(sample->label))
        << sample->id;
  }
}

TEST(IgraphAgrees, OnCliquesAndTheirDistance) {
  const DataSet data = make("clique-distance");
  for (const Sample* sample : data.all()) {
    const IgraphGraph graph(sample->graph);
    const auto cliques = graph.cliques(4);
    ASSERT_EQ(cliques.size(), 2U) << sample->id;
    ASSERT_EQ(cliques[0].size(), 4U);
    ASSERT_EQ(cliques[1].size(), 4U);
    const int distance = graph.distance(cliques[0], cliques[1]);
    ASSERT_EQ(distance, static_cast<int>(sample->witness.edges.size()) - 12) << sample->id;
    ASSERT_EQ(distance >= 4 ? 1 : 0, sample->label) << sample->id;
  }
}

TEST(IgraphAgrees, OnCyclesOfLengthK) {
  for (int k = 4; k <= 8; ++k) {
    std::vector<Edge> ring = {{0, k - 1}};
    for (int v = 1; v < k; ++v) ring.push_back({v - 1, v});
    const IgraphGraph cycle(Graph(k, std::move(ring)));
    const auto task = make_task("cycle-k");
    task->parameters().get("k").set(std::to_string(k));
    const DataSet data = generate_candidates(*task, 42, k == 4 ? kGraphs : 300, {});
    for (const Sample* sample : data.all()) {
      ASSERT_EQ(IgraphGraph(sample->graph).contains(cycle), sample->label == 1)
          << k << " " << sample->id;
    }
  }
}

TEST(IgraphAgrees, OnCliquesOfKNodes) {
  for (int k = 3; k <= 5; ++k) {
    const auto task = make_task("clique-k");
    task->parameters().get("k").set(std::to_string(k));
    const DataSet data = generate_candidates(*task, 42, k == 4 ? kGraphs : 300, {});
    for (const Sample* sample : data.all()) {
      const std::size_t largest = IgraphGraph(sample->graph).largest_clique();
      ASSERT_EQ(largest >= static_cast<std::size_t>(k), sample->label == 1)
          << k << " " << sample->id;
    }
  }
}

TEST(IgraphAgrees, OnConnectedGraphs) {
  const DataSet data = make("connected");
  for (const Sample* sample : data.all()) {
    ASSERT_EQ(IgraphGraph(sample->graph).is_connected(), sample->label == 1) << sample->id;
  }
}

TEST(IgraphAgrees, OnBridges) {
  const DataSet data = make("bridge");
  for (const Sample* sample : data.all()) {
    const IgraphGraph graph(sample->graph);
    ASSERT_TRUE(graph.is_connected()) << sample->id;
    ASSERT_EQ(graph.bridges() > 0, sample->label == 1) << sample->id;
  }
}

TEST(IgraphAgrees, OnBipartiteGraphs) {
  const DataSet data = make("bipartite");
  for (const Sample* sample : data.all()) {
    const IgraphGraph graph(sample->graph);
    ASSERT_TRUE(graph.is_connected()) << sample->id;
    ASSERT_EQ(graph.is_bipartite(), sample->label == 1) << sample->id;
  }
}

TEST(IgraphAgrees, OnDiameters) {
  const DataSet data = make("diameter");
  for (const Sample* sample : data.all()) {
    const int diameter = IgraphGraph(sample->graph).diameter();
    ASSERT_EQ(diameter, static_cast<int>(sample->witness.edges.size())) << sample->id;
    ASSERT_EQ(diameter >= 6 ? 1 : 0, sample->label) << sample->id;
  }
}

TEST(IgraphAgrees, OnIsomorphicHalves) {
  const DataSet data = make("isomorphic-pair");
  for (const Sample* sample : data.all()) {
    const auto pieces = IgraphGraph(sample->graph).pieces();
    ASSERT_EQ(pieces.size(), 2U) << sample->id;
    const IgraphGraph first(part_of(sample->graph, pieces[0]));
    const IgraphGraph second(part_of(sample->graph, pieces[1]));
    ASSERT_EQ(first.is_isomorphic_to(second) ? 1 : 0, sample->label) << sample->id;
  }
}

TEST(IgraphAgrees, OnSkipLinks) {
  const DataSet data = make("csl");
  for (const Sample* sample : data.all()) {
    const int nodes = sample->graph.node_count();
    for (int label = 0; label < 2; ++label) {
      std::vector<Edge> edges;
      for (int place = 0; place < nodes; ++place) {
        edges.push_back({place, (place + 1) % nodes});
        edges.push_back({place, (place + 2 + label) % nodes});
      }
      const IgraphGraph ring(Graph(nodes, std::move(edges)));
      ASSERT_EQ(IgraphGraph(sample->graph).is_isomorphic_to(ring), label == sample->label)
          << sample->id;
    }
  }
}

}  // namespace
}  // namespace bermuda
