#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/index.hpp"
#include "bermuda/generate/task.hpp"
#include "random_graph.hpp"
#include "switches.hpp"
#include "two_parts.hpp"

namespace bermuda {
namespace {

/// Two connected graphs side by side (class 0), and the same with an edge of each switched so that
/// one connected graph comes out (class 1). They agree in degrees, degree pairs and every connected
/// subgraph of up to four nodes.
class ConnectedTask : public Task {
 public:
  static constexpr std::string_view kName = "connected";

  std::string_view name() const override { return kName; }
  ParameterSet parameters() override {
    ParameterSet set;
    size_.add_to(set);
    return set;
  }
  void validate() const override {
    size_.validate(kSpareEdges);
    size_.check_room(
        kSpareEdges,
        [](int nodes) {
          return std::min(most_edges_of_parts(nodes), most_switchable_edges(nodes));
        },
        "two graphs that a switch can join");
  }
  std::vector<std::string> class_meanings() const override {
    return {"more than one component", "connected"};
  }
  bool tells_components() const override { return true; }

  std::optional<TaskAnswer> answer(const Graph& graph, StopPoll stop) const override {
    if (graph.node_count() == 0) return {};
    const BitGraph bits(graph);
    TaskAnswer answer;
    std::vector<int>& nodes = answer.witness.nodes;
    std::vector<std::uint64_t> seen(bits.words(), 0);
    seen[0] = 1;
    nodes = {0};
    for (std::size_t done = 0; done < nodes.size(); ++done) {
      stop(bits.words());
      const int node = nodes[done];
      bits.for_new_neighbours(node, seen.data(), [&](int neighbour) {
        nodes.push_back(neighbour);
        answer.witness.edges.push_back({std::min(node, neighbour), std::max(node, neighbour)});
      });
    }
    answer.label = nodes.size() == at(graph.node_count()) ? 1 : 0;
    if (answer.label == 0) answer.witness.edges.clear();  // the cut is what proves it
    std::sort(nodes.begin(), nodes.end());
    std::sort(answer.witness.edges.begin(), answer.witness.edges.end());
    return answer;
  }

 private:
  static constexpr int kSpareEdges = -1;  // a tree on one side, a tree and an edge on the other
  std::string_view id_prefix() const override { return "CO"; }

  std::optional<Sample> attempt(RandomStream random, int wanted, StopPoll stop) const override {
    const auto [nodes, edges] = size_.draw(random, kSpareEdges);
    const auto parts = divide(nodes, edges, -1, random);
    if (!parts) return {};
    BitGraph graph(nodes);
    for (const Part& part : *parts) {
      grow_tree(graph, part.first, part.end, part.first, random);
      add_random_edges(graph, part.first, part.end, part.edges - (part.size() - 1), random);
    }
    const auto joined =
        decide_by_switch(graph, edges_within(graph, (*parts)[0]), edges_within(graph, (*parts)[1]),
                         4, random, stop, [](const BitGraph& now) { return is_connected(now); });
    if (!joined) return {};
    if (wanted == 0) apply(graph, joined->undone());
    return answered(shuffled_graph(graph, random), wanted, stop);
  }

  std::string failure(std::uint32_t attempts, const RandomStream&, int) const override {
    return fmt::format("{} pairs of graphs in a row could not be joined by a switch", attempts);
  }

  SizeRange size_{10, 10, 20, 2, 3};
};

}  // namespace

TaskInfo connected_task() {
  return {ConnectedTask::kName, "is this graph connected?",
          [] { return std::make_unique<ConnectedTask>(); }};
}

}  // namespace bermuda
