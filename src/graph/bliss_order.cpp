#include <fmt/format.h>
#include <igraph.h>

#include <mutex>

#include "bermuda/graph/canonical.hpp"
#include "canonical_order.hpp"

namespace bermuda {
namespace {

/// What igraph's callback looks at. Global, because BLISS hands no pointer of ours to it; guarded
/// by the mutex of IgraphSession.
struct SearchWatch {
  const StopPoll* stop = nullptr;
  long steps_left = 0;
  bool gave_up = false;
};
SearchWatch search_watch;

/// Called between the steps of BLISS's search, which ends when this does not say "success"; igraph
/// then calls the unfinished order a success too, so that we have to remember.
igraph_error_t watch_search(void*) {
  if (search_watch.stop->requested() || search_watch.steps_left-- <= 0) search_watch.gave_up = true;
  return search_watch.gave_up ? IGRAPH_INTERRUPTED : IGRAPH_SUCCESS;
}

/// igraph's own handlers print and abort, and the library keeps them, like its stack of things to
/// free, in globals unless it was built thread-safe (Debian's is not). So: one caller at a time,
/// our handlers while it lives, the previous ones afterwards.
class IgraphSession {
 public:
  IgraphSession(const StopPoll& stop, long most_steps)
      : lock_(mutex()),
        interruption_(igraph_set_interruption_handler(watch_search)),
        error_(igraph_set_error_handler(igraph_error_handler_ignore)),
        warning_(igraph_set_warning_handler(igraph_warning_handler_ignore)) {
    search_watch = {&stop, most_steps};
  }
  ~IgraphSession() {
    igraph_set_interruption_handler(interruption_);
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
  igraph_interruption_handler_t* interruption_;
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

std::vector<int> bliss_canonical_order(const ColouredGraph& graph, const StopPoll& stop,
                                       long most_steps) {
  const IgraphSession session(stop, most_steps);
  stop.now();  // others may have had their turn for long
  const IgraphGraph topology(graph);
  const std::vector<igraph_integer_t> colours(graph.colours.begin(), graph.colours.end());
  const igraph_vector_int_t colour_view = view_of(colours);
  IgraphVector labelling;
  const igraph_error_t code =
      igraph_canonical_permutation(topology.get(), colours.empty() ? nullptr : &colour_view,
                                   labelling.get(), IGRAPH_BLISS_F, nullptr);
  stop.now();
  if (search_watch.gave_up) {
    throw CanonicalFormError(
        fmt::format("its {} nodes are too symmetric to compare it with others: given up after {} "
                    "steps of search",
                    graph.node_count, most_steps));
  }
  check(code, "find the canonical order of a graph");
  std::vector<int> positions(static_cast<std::size_t>(graph.node_count));
  for (int v = 0; v < graph.node_count; ++v) {
    positions[static_cast<std::size_t>(v)] = static_cast<int>(labelling[v]);
  }
  return positions;
}

}  // namespace bermuda
