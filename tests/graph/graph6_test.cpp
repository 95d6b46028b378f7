#include "bermuda/graph/graph6.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bermuda/core/random.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;

Graph random_graph(int nodes, double density, std::uint64_t item) {
  RandomStream random(1, Purpose::kTest, item);
  std::vector<Edge> edges;
  for (int u = 0; u < nodes; ++u) {
    for (int v = u + 1; v < nodes; ++v) {
      if (random.uniform() < density) edges.push_back({u, v});
    }
  }
  return Graph(nodes, edges);
}

/// By the definition: every edge is one record, and so is every step of more than one to the next
/// larger end.
std::size_t sparse6_bits(const Graph& graph) {
  std::size_t width = 0;
  while (1 << width < graph.node_count()) ++width;
  std::vector<int> larger_ends;
  for (const Edge edge : graph.edges()) larger_ends.push_back(edge.v);
  std::sort(larger_ends.begin(), larger_ends.end());
  std::size_t records = larger_ends.size();
  int current = 0;
  for (const int end : larger_ends) {
    if (end > current + 1) ++records;
    current = end;
  }
  return records * (width + 1);
}

std::string error_of(std::string_view text, int max_nodes = 1 << 20) {
  try {
    decode_graph6(text, max_nodes);
  } catch (const Graph6Error& error) {
    return error.what();
  }
  return "";
}

// The example of nauty's formats.txt: n = 5, edges 0-2, 0-4, 1-3, 3-4 is DQc.
TEST(Graph6, ReadsAndWritesTheExampleOfTheDefinition) {
  const Graph graph(5, {{0, 2}, {0, 4}, {1, 3}, {3, 4}});
  EXPECT_EQ(encode_graph6(graph), "DQc");
  EXPECT_EQ(decode_graph6("DQc"), graph);
}

// The example of nauty's formats.txt: n = 7, edges 0-1, 0-2, 1-2, 5-6 is :Fa@x^.
TEST(Sparse6, ReadsTheExampleOfTheDefinition) {
  EXPECT_EQ(decode_graph6(":Fa@x^"), Graph(7, {{0, 1}, {0, 2}, {1, 2}, {5, 6}}));
}

// nauty's examples of sizes: 30 is ']', 12345 is "~B?x", 460175067 is "~~?ZZZZZ".
TEST(Graph6, SizesOfTheDefinition) {
  EXPECT_EQ(decode_graph6(":]").node_count(), 30);
  EXPECT_EQ(decode_graph6(":~B?x").node_count(), 12345);
  EXPECT_THAT(error_of(":~~?ZZZZZ"), HasSubstr("460175067 nodes"));
  EXPECT_EQ(decode_graph6(":~~?ZZZZZ", 460175067).node_count(), 460175067);
}

TEST(Graph6, SmallGraphsByName) {
  EXPECT_EQ(encode_graph6(Graph(0, {})), "?");
  EXPECT_EQ(encode_graph6(Graph(1, {})), "@");
  EXPECT_EQ(encode_graph6(Graph(2, {})), "A?");
  EXPECT_EQ(encode_graph6(Graph(2, {{0, 1}})), "A_");
  EXPECT_EQ(encode_graph6(Graph(3, {{0, 1}, {0, 2}, {1, 2}})), "Bw");
  EXPECT_EQ(decode_graph6("?"), Graph(0, {}));
  EXPECT_EQ(decode_graph6(":?"), Graph(0, {}));
  EXPECT_EQ(decode_graph6(":@"), Graph(1, {}));
}

TEST(Graph6, RandomGraphsSurvive) {
  std::uint64_t item = 0;
  for (int nodes = 0; nodes <= 300; nodes += nodes < 70 ? 1 : 23) {
    for (const double density : {0.0, 0.01, 0.05, 0.3, 0.9, 1.0}) {
      const Graph graph = random_graph(nodes, density, item++);
      const std::string text = encode_graph6(graph);
      ASSERT_EQ(decode_graph6(text), graph) << text;
    }
  }
}

TEST(Graph6, TheShorterOfBothIsWritten) {
  EXPECT_FALSE(encode_graph6(random_graph(30, 0.5, 1)).starts_with(':'));
  EXPECT_TRUE(encode_graph6(random_graph(300, 0.01, 1)).starts_with(':'));
  EXPECT_EQ(encode_graph6(Graph(1 << 20, {})), ":~~??C???");
  for (std::uint64_t item = 0; item < 2000; ++item) {
    const Graph graph = random_graph(10 + static_cast<int>(item % 60), 0.11, item);
    const auto pairs = static_cast<std::size_t>(graph.node_count() * (graph.node_count() - 1) / 2);
    const std::size_t size_characters = graph.node_count() > 62 ? 4 : 1;
    const std::size_t dense = size_characters + (pairs + 5) / 6;
    const std::size_t sparse = 1 + size_characters + (sparse6_bits(graph) + 5) / 6;
    const std::string text = encode_graph6(graph);
    EXPECT_EQ(text.size(), std::min(dense, sparse));
    EXPECT_EQ(text.starts_with(':'), sparse < dense);
  }
}

// With n a power of two, padding with ones would read as a loop at the last node when node n-2 has
// an edge and node n-1 none, and k+1 bits or more are left.
TEST(Sparse6, PaddingOfPowersOfTwo) {
  for (const int nodes : {2, 4, 8, 16, 32, 64, 128}) {
    for (int edge_count = 1; edge_count < std::min(nodes - 2, 14); ++edge_count) {
      std::vector<Edge> edges;
      for (int u = 0; u < edge_count; ++u) edges.push_back({u, nodes - 2});
      const Graph graph(nodes, edges);
      const std::string text = encode_graph6(graph);
      EXPECT_EQ(decode_graph6(text), graph) << text;
    }
  }
  const Graph star(16, {{0, 14}, {1, 14}, {2, 14}, {3, 14}});
  EXPECT_EQ(encode_graph6(star), ":O{?G`n");
  EXPECT_EQ(decode_graph6(":O{?G`n"), star);
  EXPECT_THAT(error_of(":O{?G`~"), HasSubstr("self loop at node 15"));
}

TEST(Sparse6, EdgesOfOneNodeInAnyOrder) {
  EXPECT_EQ(decode_graph6(":Bd"), Graph(3, {{0, 1}, {1, 2}}));
  const Graph triangle(3, {{0, 1}, {0, 2}, {1, 2}});
  EXPECT_EQ(decode_graph6(":BcN"), triangle);
  EXPECT_EQ(decode_graph6(":BdF"), triangle);
}

TEST(Graph6Errors, Characters) {
  EXPECT_THAT(error_of(""), HasSubstr("no graph6 text"));
  EXPECT_THAT(error_of(":"), HasSubstr("no graph6 text"));
  EXPECT_THAT(error_of("B!"), HasSubstr("character '!'"));
  EXPECT_THAT(error_of("B\x7f"), HasSubstr("character '\\x7f'"));
  EXPECT_THAT(error_of("B\xff"), HasSubstr("character '\\xff'"));
  EXPECT_THAT(error_of(">>graph6<<Bw"), HasSubstr("character '>'"));
  EXPECT_THAT(error_of(":Fa @"), HasSubstr("character ' '"));
  EXPECT_THAT(error_of("::Fa"), HasSubstr("character ':'"));
}

TEST(Graph6Errors, Lengths) {
  EXPECT_THAT(error_of("B"), HasSubstr("has 1 characters, 3 nodes need 2"));
  EXPECT_THAT(error_of("Bww"), HasSubstr("has 3 characters, 3 nodes need 2"));
  EXPECT_THAT(error_of("~??"), HasSubstr("ends too early"));
  EXPECT_THAT(error_of("~~?????"), HasSubstr("ends too early"));
  EXPECT_THAT(error_of(":~?"), HasSubstr("ends too early"));
}

TEST(Graph6Errors, PaddingAndSize) {
  EXPECT_THAT(error_of("B~"), HasSubstr("padding that is not zero"));
  EXPECT_THAT(error_of("A`"), HasSubstr("padding that is not zero"));
  EXPECT_THAT(error_of("~~~~~~~~"), HasSubstr("more than 1048576"));
  EXPECT_THAT(error_of("DQc", 4), HasSubstr("5 nodes, more than 4"));
  EXPECT_EQ(error_of("DQc", 5), "");
}

TEST(Graph6Errors, SparseGraphsThatAreNotSimple) {
  EXPECT_THAT(error_of(":@~"), HasSubstr("edges with 1 nodes"));
  EXPECT_THAT(error_of(":A?"), HasSubstr("self loop at node 0"));
  // n = 3 (two bits per node): 1 00 is 0-1, 0 00 is 0-1 again.
  EXPECT_THAT(error_of(":B_"), HasSubstr("edge 0-1 stands twice"));
  EXPECT_THAT(error_of(":B~~"), HasSubstr("beyond 3 nodes"));
}

}  // namespace
}  // namespace bermuda
