#include "bermuda/generate/pairs.hpp"

#include <gtest/gtest.h>

#include "verify/expectations.hpp"

namespace bermuda {
namespace {

using test::expect_only;
using test::listed;
using test::verified;

DataSet twins(const std::string& same, const std::string& task = "triangles",
              std::size_t count = 30) {
  return make_pairs(*make_task(task), Sameness::parse("same", same), 3, count, {});
}

Sample& twin(DataSet& data, std::size_t place) { return data.splits[0].samples.at(place); }

TEST(VerifyPairs, GoodOnesOfEveryTask) {
  for (const TaskInfo& info : tasks()) {
    for (const std::string same : {"degrees", "degree-pairs", "wl-1", "wl-2", "wl-3"}) {
      const VerifyReport report = verified(twins(same, std::string(info.name)));
      EXPECT_EQ(listed(report), "") << info.name << " " << same;
      EXPECT_EQ(report.pairs_checked, 30u);
    }
  }
}

TEST(VerifyPairs, OrderOfTwins) {
  DataSet data = twins("degrees");
  std::swap(twin(data, 0), twin(data, 1));
  const VerifyReport report = verified(data);
  EXPECT_EQ(report.problems.size(), 2u) << listed(report);
  EXPECT_NE(listed(report).find("all/TR0000000-b pair: found this id, expected a first twin's"),
            std::string::npos);
  EXPECT_NE(listed(report).find("found TR0000001-a after it, expected its twin TR0000000-b"),
            std::string::npos);
}

TEST(VerifyPairs, MissingTwin) {
  DataSet data = twins("degrees");
  data.splits[0].samples.pop_back();
  const VerifyReport report = verified(data);
  EXPECT_NE(listed(report).find("found nothing after it, expected its twin TR0000029-b"),
            std::string::npos);
  EXPECT_NE(listed(report).find("count of pairs: found"), std::string::npos);
}

TEST(VerifyPairs, EqualClasses) {
  DataSet data = twins("degrees");
  data.provenance["pairs"]["same"] = "none";
  // Two graphs, each of its class, that are no twins of each other.
  const int label = twin(data, 0).label;
  const std::size_t other = twin(data, 2).label == label ? 2 : 3;
  const std::string id = twin(data, 1).id;
  const std::string other_id = twin(data, other).id;
  std::swap(twin(data, 1), twin(data, other));
  twin(data, 1).id = id;
  twin(data, other).id = other_id;
  const VerifyReport report = verified(data);
  EXPECT_EQ(report.problems.size(), 2u) << listed(report);
  EXPECT_NE(listed(report).find("of both twins, expected different classes"), std::string::npos);
}

TEST(VerifyPairs, Components) {
  // A ring of six and two of three: the same degrees, and colours after any number of rounds.
  const Graph ring(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}});
  const Graph two_rings(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}});
  DataSet data = twins("wl-3", "bipartite");
  const std::size_t even = twin(data, 0).label == 1 ? 0 : 1;
  const auto task = make_task("bipartite");
  for (const auto& [place, graph] : {std::pair(even, ring), std::pair(1 - even, two_rings)}) {
    twin(data, place).graph = graph;
    twin(data, place).witness = task->answer(graph)->witness;
  }
  expect_only(data, "all/BI0000000-a", "pair", "components in the twins, expected the same number");
  data.provenance["pairs"]["same_components"] = false;
  EXPECT_EQ(listed(verified(data)), "");
  data.provenance["pairs"]["same_components"] = "yes";
  expect_only(data, "/", "manifest", "same_components of pairs: found '\"yes\"', expected true or");
}

TEST(VerifyPairs, WhatIsNotTheSame) {
  // Twins that agree in less than the manifest claims: each claim is found out.
  DataSet degrees = twins("degrees", "triangles", 60);
  for (const std::string claim : {"degree-pairs", "wl-2"}) {
    degrees.provenance["pairs"]["same"] = claim;
    EXPECT_NE(listed(verified(degrees)).find("in the twins, expected the same " + claim),
              std::string::npos);
  }
  DataSet colours = twins("wl-2", "triangles", 60);
  colours.provenance["pairs"]["same"] = "degree-pairs";  // follows from two rounds
  EXPECT_EQ(listed(verified(colours)), "");
  colours.provenance["pairs"]["same"] = "wl-4";
  EXPECT_NE(listed(verified(colours)).find("found after "), std::string::npos);

  DataSet data = twins("degrees");
  data.provenance["pairs"]["same_components"] = false;
  Graph& graph = twin(data, 0).graph;
  graph = Graph(graph.node_count() + 1, graph.edges());
  expect_only(data, "all/TR0000000-a", "pair", "degree 0 1 and 0 times");
}

TEST(VerifyPairs, Manifest) {
  using Json = nlohmann::ordered_json;
  for (const Json& same : {Json("wl-0"), Json("looks"), Json(), Json(3)}) {
    DataSet data = twins("degrees");
    data.provenance["pairs"]["same"] = same;
    expect_only(data, "/", "manifest", "same of pairs: found");
  }
  DataSet data = twins("degrees");
  data.provenance["pairs"]["count"] = 31;
  expect_only(data, "/", "manifest", "count of pairs: found '31', expected half of 60 graphs");
  data.provenance["pairs"] = "degrees";
  EXPECT_EQ(verified(data).problems.size(), 2u);
}

}  // namespace
}  // namespace bermuda
