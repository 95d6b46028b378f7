// The witnesses of the tasks beside the paper's two: each right once, then with one fault each.
#include <gtest/gtest.h>

#include <map>

#include "verify/expectations.hpp"

namespace bermuda {
namespace {

using test::expect_only;
using test::listed;
using test::verified;

/// One graph of each class, so that the data set is balanced.
DataSet pair_of(const std::string& task, Sample zero, Sample one,
                const std::map<std::string, int>& parameters = {}) {
  zero.id = "zero";
  zero.label = 0;
  one.id = "one";
  one.label = 1;
  DataSet data;
  data.name = task;
  data.class_names = {"0", "1"};
  data.splits = {{"all", {std::move(zero), std::move(one)}}};
  data.provenance["task"] = task;
  for (const auto& [key, value] : parameters) data.provenance["parameters"][key] = value;
  return data;
}

Sample sample_with(int nodes, std::vector<Edge> edges, Witness witness = {}) {
  Sample sample;
  sample.graph = Graph(nodes, std::move(edges));
  sample.witness = std::move(witness);
  return sample;
}

/// `data` is right; with this witness of graph `id` it has one problem, which says `detail`.
void expect_fault(DataSet data, const std::string& id, Witness witness, const std::string& detail) {
  EXPECT_EQ(listed(verified(data)), "");
  test::sample_of(data, id).witness = std::move(witness);
  expect_only(data, "all/" + id, "witness", detail);
}

void expect_wrong_class(DataSet data, const std::string& id, const Graph& graph,
                        const std::string& detail) {
  EXPECT_EQ(listed(verified(data)), "");
  test::sample_of(data, id).graph = graph;
  expect_only(data, "all/" + id, "class", detail);
}

const std::vector<Edge> kPentagon = {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 4}};

// A square 0-1-2-3 and a tail to node 5.
const std::vector<Edge> kSquareAndTail = {{0, 1}, {0, 3}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};

DataSet good_cycles() {
  return pair_of("cycle-k", sample_with(5, kPentagon),
                 sample_with(6, kSquareAndTail, {{0, 1, 2, 3}, {{0, 1}, {0, 3}, {1, 2}, {2, 3}}}));
}

TEST(VerifyMoreTasks, CycleOfLengthK) {
  expect_wrong_class(good_cycles(), "zero", Graph(6, kSquareAndTail),
                     "found a cycle of 4 edges, expected no cycle of 4 edges in class 0");
  expect_wrong_class(good_cycles(), "one", Graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}),
                     "found no cycle of 4 edges, expected a cycle of 4 edges in class 1");
  expect_fault(good_cycles(), "one", {}, "found none");
  expect_fault(good_cycles(), "zero", {{0, 1}, {{0, 1}}}, "expected none in this class");
  expect_fault(good_cycles(), "one", {{0, 1, 2}, {{0, 1}, {1, 2}}},
               "found 3 nodes, expected the 4 of a cycle");
  expect_fault(good_cycles(), "one", {{0, 1, 2, 3}, {{0, 1}, {1, 2}, {2, 3}}},
               "found 3 edges for 4 nodes, expected as many in a cycle");
  // Chords are allowed in the graph, not in place of the cycle's edges.
  DataSet chord = good_cycles();
  test::sample_of(chord, "one").graph =
      Graph(6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  expect_fault(chord, "one", {{0, 1, 2, 3}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}}},
               "node 0 has 3 edges, expected 2 in a cycle");
  // Of another length where the settings say so.
  const DataSet five = pair_of("cycle-k", sample_with(6, kSquareAndTail),
                               sample_with(5, kPentagon, {{0, 1, 2, 3, 4}, kPentagon}), {{"k", 5}});
  EXPECT_EQ(listed(verified(five)), "");
}

TEST(VerifyMoreTasks, CycleOfTwoPieces) {
  std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}, {0, 4}};
  const Witness good = {{0, 1, 2, 3, 4, 5}, {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 5}, {4, 5}}};
  const DataSet data =
      pair_of("cycle-k", sample_with(5, kPentagon), sample_with(6, edges, good), {{"k", 6}});
  expect_fault(data, "one", {{0, 1, 2, 3, 4, 5}, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}},
               "the cycle through node 0 has 3 edges, expected all 6 in one cycle");
}

TEST(VerifyMoreTasks, CliqueOfKNodes) {
  const std::vector<Edge> clique = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  std::vector<Edge> edges = clique;
  edges.push_back({3, 4});
  const DataSet data =
      pair_of("clique-k", sample_with(5, kPentagon), sample_with(5, edges, {{0, 1, 2, 3}, clique}));
  expect_wrong_class(data, "zero", Graph(5, edges), "found a clique of 4 nodes");
  expect_wrong_class(data, "one", Graph(4, {{0, 1}, {1, 2}, {2, 3}}),
                     "found no clique of 4 nodes, expected a clique of 4 nodes in class 1");
  expect_fault(data, "one", {}, "found none");
  expect_fault(data, "one", {{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}},
               "found 3 nodes, expected the 4 of a clique");
  expect_fault(data, "one", {{0, 1, 2, 3}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}},
               "edge 2-3 of the clique 0-1-2-3 is missing");
  expect_fault(data, "one", {{1, 2, 3, 4}, {{1, 2}, {1, 3}, {2, 3}, {3, 4}}},
               "edge 1-4 of the clique 1-2-3-4 is missing");
}

TEST(VerifyMoreTasks, Connected) {
  const std::vector<Edge> apart = {{0, 1}, {0, 2}, {1, 2}, {3, 4}};
  const DataSet data =
      pair_of("connected", sample_with(5, apart, {{3, 4}, {}}),
              sample_with(5, kPentagon, {{0, 1, 2, 3, 4}, {{0, 1}, {0, 4}, {1, 2}, {2, 3}}}));
  expect_wrong_class(data, "zero", Graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}),
                     "found 1 component, expected several components in class 0");
  expect_wrong_class(data, "one", Graph(5, {{0, 1}, {1, 2}}),
                     "found 3 components, expected 1 component in class 1");
  expect_fault(data, "zero", {}, "found none");
  expect_fault(data, "zero", {{0, 1}, {}}, "its 2 nodes are no whole component");
  expect_fault(data, "zero", {{0, 1, 2, 3, 4}, {}}, "its 5 nodes are no whole component");
  expect_fault(data, "zero", {{3, 4}, {{3, 4}}}, "found 1 edge, expected the nodes");
  expect_fault(data, "one", {}, "found none");
  expect_fault(data, "one", {{0, 1, 2, 3}, {{0, 1}, {1, 2}, {2, 3}}},
               "found 4 nodes, expected a spanning tree of 5");
  expect_fault(data, "one", {{0, 1, 2, 3, 4}, kPentagon},
               "found 5 edges, expected the 4 of a spanning tree");
  DataSet chord = data;
  test::sample_of(chord, "one").graph = Graph(5, {{0, 1}, {0, 2}, {0, 4}, {1, 2}, {2, 3}, {3, 4}});
  expect_fault(chord, "one", {{0, 1, 2, 3, 4}, {{0, 1}, {0, 2}, {1, 2}, {3, 4}}},
               "node 3 is not on the tree of node 0");
}

TEST(VerifyMoreTasks, Bridge) {
  const std::vector<Edge> joined = {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}};
  const DataSet data =
      pair_of("bridge", sample_with(5, kPentagon), sample_with(6, joined, {{2, 3}, {{2, 3}}}));
  expect_wrong_class(data, "zero", Graph(6, kSquareAndTail),
                     "found 2 bridges, expected a connected graph with no bridge in class 0");
  expect_wrong_class(data, "one", Graph(6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}),
                     "found 2 components, expected a connected graph with a bridge in class 1");
  expect_fault(data, "one", {}, "found none");
  expect_fault(data, "zero", {{0, 1}, {{0, 1}}}, "expected none in this class");
  expect_fault(data, "one", {{0, 1}, {{0, 1}}}, "edge 0-1 is no bridge");
  expect_fault(data, "one", {{0, 2, 3}, {{2, 3}}}, "found 3 nodes and 1 edge");
  expect_fault(data, "one", {{2, 3}, {}}, "found 2 nodes and 0 edges");
}

TEST(VerifyMoreTasks, Bipartite) {
  const DataSet data = pair_of("bipartite", sample_with(5, kPentagon, {{0, 1, 2, 3, 4}, kPentagon}),
                               sample_with(6, kSquareAndTail, {{0, 2, 4}, {}}));
  expect_wrong_class(data, "zero", Graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}),
                     "found no odd cycle, expected an odd cycle in class 0");
  expect_wrong_class(data, "one", Graph(6, {{0, 1}, {0, 5}, {1, 2}, {1, 5}, {2, 3}, {3, 4}}),
                     "found an odd cycle, expected no odd cycle in class 1");
  expect_fault(data, "zero", {}, "found none");
  expect_fault(data, "zero", {{0, 1, 2, 3}, {{0, 1}, {1, 2}, {2, 3}}},
               "found 4 nodes, expected a cycle of an odd number");
  expect_fault(data, "zero", {{0, 1, 2}, {{0, 1}, {1, 2}}}, "found 2 edges for 3 nodes");
  expect_fault(data, "one", {}, "found none");
  expect_fault(data, "one", {{0, 2}, {}}, "edge 3-4 has two ends of one colour");
  expect_fault(data, "one", {{0, 2, 3, 4}, {}}, "edge 0-3 has two ends of one colour");
  expect_fault(data, "one", {{0, 1, 2}, {{0, 1}}},
               "found 1 edge, expected the nodes of one colour");
}

}  // namespace
}  // namespace bermuda
