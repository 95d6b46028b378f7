#include <fmt/format.h>
#include <igraph.h>

#include <mutex>

#include "canonical_order.hpp"

namespace bermuda {
namespace {

/// igraph's own handlers print and abort, and the library keeps them, like its stack of things to
/// free, in globals unless it was built thread-safe (Debian's is not). So: one caller at a time,
/// our handlers while it lives, the previous ones afterwards.
class IgraphSession {
 public:
  IgraphSession()
      : lock_(mutex()),
        error_(igraph_set_error_handler(igraph_error_handler_ignore)),
        warning_(igraph_set_warning_handler(igraph_warning_handler_ignore)) {}
  ~IgraphSession() {
    igraph_set_error_handler(error_);
    igraph_set_warning_handler(warning_);
  }
  IgraphSession(const IgraphSession&) = delete;
  IgraphSession& operator=(const IgraphSession&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  std::lock_guard<std::mutex> lock_;
  igraph_error_handler_t* error_;
  igraph_warning_handler_t* warning_;
};

void check(igraph_error_t code, const char* action) {
  if (code != IGRAPH_SUCCESS) {
    throw Error(fmt::format("igraph cannot {}: {}", action, igraph_strerror(code)));
  }
}

/// Borrows the numbers; they must outlive it.
igraph_vector_int_t view_of(const std::vector<igraph_integer_t>& numbers) {
  igraph_vector_int_t view;
  igraph_vector_int_view(&view, numbers.data(), static_cast<igraph_integer_t>(numbers.size()));
  return view;
}

class IgraphGraph {
 public:
  explicit IgraphGraph(const ColouredGraph& graph) {
    std::vector<igraph_integer_t> ends;
    ends.reserve(graph.edges.size() * 2);
    for (const Edge& edge : graph.edges) ends.insert(ends.end(), {edge.u, edge.v});
    const igraph_vector_int_t view = view_of(ends);
    check(igraph_create(&graph_, &view, graph.node_count, IGRAPH_UNDIRECTED), "create a graph");
  }
  ~IgraphGraph() { igraph_destroy(&graph_); }
  IgraphGraph(const IgraphGraph&) = delete;
  IgraphGraph& operator=(const IgraphGraph&) = delete;
  const igraph_t* get() const { return &graph_; }

 private:
  igraph_t graph_;
};

class IgraphVector {
 public:
  IgraphVector() { check(igraph_vector_int_init(&vector_, 0), "allocate a vector"); }
  ~IgraphVector() { igraph_vector_int_destroy(&vector_); }
  IgraphVector(const IgraphVector&) = delete;
  IgraphVector& operator=(const IgraphVector&) = delete;
  igraph_vector_int_t* get() { return &vector_; }
  igraph_integer_t operator[](int index) const { return VECTOR(vector_)[index]; }

 private:
  igraph_vector_int_t vector_;
};

}  // namespace

std::vector<int> bliss_canonical_order(const ColouredGraph& graph) {
  const IgraphSession session;
  const IgraphGraph topology(graph);
  const std::vector<igraph_integer_t> colours(graph.colours.begin(), graph.colours.end());
  const igraph_vector_int_t colour_view = view_of(colours);
  IgraphVector labelling;
  check(igraph_canonical_permutation(topology.get(), colours.empty() ? nullptr : &colour_view,
                                     labelling.get(), IGRAPH_BLISS_F, nullptr),
        "find the canonical order of a graph");
  std::vector<int> positions(static_cast<std::size_t>(graph.node_count));
  for (int v = 0; v < graph.node_count; ++v) {
    positions[static_cast<std::size_t>(v)] = static_cast<int>(labelling[v]);
  }
  return positions;
}

}  // namespace bermuda
