// Which rows of the index table nodes get, and networks whose indices are drawn anew every pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <set>

#include "bermuda/core/index.hpp"
#include "bermuda/nn/transformer.hpp"
#include "gradient_check.hpp"
#include "graphs.hpp"

namespace bermuda::nn {
namespace {

using Pass = Network::Pass;

std::vector<int> as_vector(const torch::Tensor& rows) {
  return {rows.data_ptr<int>(), rows.data_ptr<int>() + rows.numel()};
}

/// The rows that the nodes of graph g of the batch get.
std::vector<int> rows_of(const torch::Tensor& drawn, const Batch& batch, int graph) {
  const int begin = batch.graph_offsets[at(graph)];
  return as_vector(drawn.narrow(0, begin, batch.graph_offsets[at(graph) + 1] - begin));
}

TEST(TableRows, AreDistinctWithinAGraph) {
  const Batch batch = whole_graphs(awkward_graphs(false), {});
  for (const int rows : {12, 13, 40}) {
    for (const bool training : {true, false}) {
      for (std::uint32_t i = 0; i < 50; ++i) {
        const torch::Tensor drawn =
            draw_table_rows(batch, rows, {.seed = 2, .epoch = i, .round = i}, training);
        ASSERT_EQ(drawn.numel(), batch.nodes);
        EXPECT_EQ(drawn.scalar_type(), torch::kInt);
        for (int graph = 0; graph < batch.graphs; ++graph) {
          const std::vector<int> own = rows_of(drawn, batch, graph);
          const std::set<int> different(own.begin(), own.end());
          EXPECT_EQ(different.size(), own.size());
          EXPECT_THAT(own, testing::Each(testing::AllOf(testing::Ge(0), testing::Lt(rows))));
        }
      }
    }
  }
}

TEST(TableRows, OfAGraphThatIsLargerThanTheTableAreUsedEquallyOften) {
  const Batch batch = whole_graphs({large_graph(130)}, {});
  for (const int rows : {1, 2, 13, 100, 129, 130}) {
    for (const bool training : {true, false}) {
      const std::vector<int> own = as_vector(draw_table_rows(batch, rows, {.seed = 2}, training));
      std::vector<int> count(at(rows), 0);
      for (const int row : own) {
        ASSERT_TRUE(row >= 0 && row < rows);
        ++count[at(row)];
      }
      EXPECT_EQ(*std::ranges::min_element(count), 130 / rows);
      EXPECT_EQ(*std::ranges::max_element(count), (130 + rows - 1) / rows);
    }
  }
}

TEST(TableRows, OfAnEmptyTableAreNone) {
  const Batch batch = whole_graphs(awkward_graphs(false), {});
  EXPECT_THAT(as_vector(draw_table_rows(batch, 0, {}, true)), testing::Each(-1));
}

TEST(TableRows, AreAFunctionOfSeedPassGraphAndCopy) {
  const Batch batch = whole_graphs({large_graph(30)}, {}, {0, 0, 0});
  const auto draw = [&](const Pass& pass, bool training) {
    return as_vector(draw_table_rows(batch, 40, pass, training));
  };
  const Pass pass{.seed = 5, .step = 9, .epoch = 3, .round = 2};
  for (const bool training : {true, false}) {
    EXPECT_EQ(draw(pass, training), draw(pass, training));
    EXPECT_NE(draw(pass, training), draw({.seed = 6, .step = 9, .epoch = 3, .round = 2}, training));
    EXPECT_EQ(draw(pass, training), draw({.seed = 5, .step = 8, .epoch = 3, .round = 2}, training));
  }
  EXPECT_NE(draw(pass, true), draw(pass, false));
  const Batch once = whole_graphs({large_graph(30)}, {});
  EXPECT_NE(as_vector(draw_table_rows(once, 40, {}, true)),
            as_vector(draw_table_rows(once, 40, {}, false)));
  EXPECT_NE(draw({.epoch = 1}, true), draw({.epoch = 2}, true));
  EXPECT_NE(draw({.epoch = 1}, false), draw({.epoch = 2}, false));
  EXPECT_NE(draw({.round = 1}, false), draw({.round = 2}, false));
  EXPECT_EQ(draw({.round = 1}, true), draw({.round = 2}, true));

  // No copy of any epoch has the rows of another.
  std::set<std::vector<int>> seen;
  for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
    const torch::Tensor drawn = draw_table_rows(batch, 40, {.epoch = epoch}, true);
    for (int copy = 0; copy < 3; ++copy) seen.insert(rows_of(drawn, batch, copy));
  }
  EXPECT_EQ(seen.size(), 60u);
}

TEST(TableRows, DoNotDependOnTheOtherGraphsOfTheBatch) {
  std::vector<Sample> samples = awkward_graphs(false);
  samples.push_back(large_graph(30));
  const Batch batch = whole_graphs(samples, {}, {14, 3, 0, 9, 7, 1, 12});
  const std::vector<int> chosen = {14, 3, 0, 9, 7, 1, 12};
  for (const bool training : {true, false}) {
    const torch::Tensor drawn = draw_table_rows(batch, 20, {.seed = 4, .epoch = 7}, training);
    for (int i = 0; i < batch.graphs; ++i) {
      // In a data set of its own: where a graph stands does not matter either.
      const Batch own = whole_graphs({samples[at(chosen[at(i)])]}, {});
      EXPECT_EQ(as_vector(draw_table_rows(own, 20, {.seed = 4, .epoch = 7}, training)),
                rows_of(drawn, batch, i));
    }
  }
}

/// Rows of the first and the last of three nodes: all 8 * 7 pairs should be equally likely.
TEST(TableRows, AreUniform) {
  const Batch batch = whole_graphs(awkward_graphs(false), {}, {2});
  constexpr int kRows = 8;
  constexpr int kDraws = 5600;
  for (const bool training : {true, false}) {
    std::vector<double> count(kRows * kRows, 0);
    for (std::uint32_t i = 0; i < kDraws; ++i) {
      const std::vector<int> own =
          as_vector(draw_table_rows(batch, kRows, {.seed = 1, .epoch = i, .round = i}, training));
      count[at(own[0] * kRows + own[2])] += 1;
    }
    double chi_square = 0;
    for (int a = 0; a < kRows; ++a) {
      for (int b = 0; b < kRows; ++b) {
        if (a == b) continue;
        const double expected = kDraws / (kRows * (kRows - 1.0));
        const double apart = count[at(a * kRows + b)] - expected;
        chi_square += apart * apart / expected;
      }
    }
    // 55 degrees of freedom: 0.1 % on either side.
    EXPECT_LT(chi_square, 93.2);
    EXPECT_GT(chi_square, 27.9);
  }
}

struct Kind {
  const char* name;
  std::shared_ptr<Network> (*make)(const TopologyOptions& topology);
};

TopologyOptions topology(bool shuffle, int indices = 20) {
  TopologyOptions options;
  options.features.indices = indices;
  options.features.node_labels = {0, 1, 2};
  options.features.edge_labels = {0, 1, 2};
  options.width = 6;
  options.scale = 1;
  options.shuffle = shuffle;
  return options;
}

std::shared_ptr<Network> some_transformer(const TopologyOptions& topology) {
  Initialiser initialiser(3);
  return make_transformer({.topology = topology,
                           .layers = 3,
                           .mask_layers = 2,
                           .shape = {.width = 12, .heads = 3, .hidden = 9}},
                          initialiser);
}

std::shared_ptr<Network> some_fcnn(const TopologyOptions& topology) {
  Initialiser initialiser(3);
  return make_fcnn({.topology = topology, .width = 10}, initialiser);
}

class WholeNetwork : public testing::TestWithParam<Kind> {
 protected:
  Batch batch(const std::vector<int>& chosen = {}) const {
    return whole_graphs(with_edge_labels(awkward_graphs(true)), topology(true).features, chosen);
  }
  static torch::Tensor answers(Network& network, const Batch& batch, const Pass& pass) {
    const torch::NoGradGuard no_grad;
    network.pass = pass;
    return network.forward(batch);
  }
};

TEST_P(WholeNetwork, AnswersDoNotDependOnTheOtherGraphsOfTheBatch) {
  const auto network = GetParam().make(topology(true));
  network->to(torch::kDouble);
  network->train();
  network->forward(batch());  // running statistics
  network->eval();
  const Pass pass{.seed = 3, .round = 1};
  const torch::Tensor all = answers(*network, batch(), pass);
  for (int graph = 0; graph < 14; ++graph) {
    expect_close(answers(*network, batch({graph}), pass).flatten(), all[graph], 1e-12, "alone");
    const torch::Tensor among = answers(*network, batch({5, graph, 8}), pass);
    expect_close(among[1], all[graph], 1e-12, "among others");
  }
}

TEST_P(WholeNetwork, ShufflingDependsOnThePass) {
  const auto network = GetParam().make(topology(true));
  const Batch whole = batch();
  network->eval();
  const torch::Tensor first = answers(*network, whole, {.round = 0});
  EXPECT_TRUE(torch::equal(first, answers(*network, whole, {.round = 0})));
  EXPECT_FALSE(torch::allclose(first, answers(*network, whole, {.epoch = 4}), 1e-3, 1e-3));
  EXPECT_FALSE(torch::allclose(first, answers(*network, whole, {.round = 1}), 1e-3, 1e-3));
  EXPECT_FALSE(torch::allclose(first, answers(*network, whole, {.seed = 1}), 1e-3, 1e-3));
  network->train();
  const torch::Tensor epoch = answers(*network, whole, {.epoch = 1});
  EXPECT_TRUE(torch::equal(epoch, answers(*network, whole, {.step = 7, .epoch = 1})));
  EXPECT_FALSE(torch::allclose(epoch, answers(*network, whole, {.epoch = 2}), 1e-3, 1e-3));
}

TEST_P(WholeNetwork, WithoutShufflingThePassDoesNotMatter) {
  const auto network = GetParam().make(topology(false));
  const Batch whole = batch();
  for (const bool training : {true, false}) {
    network->train(training);
    const torch::Tensor first = answers(*network, whole, {});
    for (const Pass& pass :
         {Pass{.seed = 1}, Pass{.step = 1}, Pass{.epoch = 1}, Pass{.round = 1}}) {
      EXPECT_TRUE(torch::equal(first, answers(*network, whole, pass)));
    }
  }
}

TEST_P(WholeNetwork, AnswersForGraphsLargerThanTheTable) {
  const std::vector<Sample> samples = {large_graph(50), large_graph(21)};
  for (const bool shuffle : {true, false}) {
    for (const int indices : {20, 1, 0}) {  // 0: training saw no node
      const TopologyOptions options = topology(shuffle, indices);
      const auto network = GetParam().make(options);
      network->eval();
      const Batch large = whole_graphs(samples, options.features);
      EXPECT_TRUE(answers(*network, large, {}).isfinite().all().item<bool>());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, WholeNetwork,
                         testing::Values(Kind{"transformer", some_transformer},
                                         Kind{"fcnn", some_fcnn}),
                         [](const testing::TestParamInfo<Kind>& kind) { return kind.param.name; });

TEST(Transformer, ShowsTheAttentionOfItsLayers) {
  const auto network = some_transformer(topology(true));
  const Batch whole =
      whole_graphs(with_edge_labels(awkward_graphs(true)), topology(true).features, {5, 9});
  std::vector<torch::Tensor> trace;
  network->trace = &trace;
  network->eval();
  network->forward(whole);
  ASSERT_EQ(network->attention_layers(), 3);
  ASSERT_EQ(trace.size(), 4u);
  for (int layer = 0; layer < 3; ++layer) {
    const auto maps = network->attention(layer, trace[at(layer)], whole);
    ASSERT_EQ(maps.size(), 2u);
    EXPECT_EQ(maps[0].sizes().vec(), (std::vector<std::int64_t>{3, 5, 5}));
    // The first graph is a path: its ends hear each other in the last layer only.
    EXPECT_EQ((maps[0].select(1, 0).select(1, 4) > 0).all().item<bool>(), layer == 2);
    EXPECT_EQ((maps[0].select(1, 0).select(1, 4) == 0).all().item<bool>(), layer < 2);
  }
}

TEST(Transformer, MatchingMakesLayersLookAtNeighboursFirst) {
  TopologyOptions options;
  options.features.indices = 60;
  const Batch batch = whole_graphs({large_graph(60)}, options.features);
  torch::Tensor adjacent = torch::zeros({60, 60});
  const Relation& relation = *batch.levels.back().neighbours;
  for (int v = 0; v < 60; ++v) {
    for (int e = relation.offsets[at(v)]; e < relation.offsets[at(v) + 1]; ++e) {
      adjacent[v][relation.sources[at(e)]] = 1;
    }
  }
  std::vector<double> shares;
  for (const double matching : {0.0, 3.0}) {
    Initialiser initialiser(3);
    const auto network = make_transformer(
        {.topology = options, .layers = 2, .mask_layers = 1, .shape = {}, .matching = matching},
        initialiser);
    std::vector<torch::Tensor> trace;
    network->trace = &trace;
    network->forward(batch);
    // As if the layer without a mask were the first: it reads the first vectors.
    const torch::Tensor map = network->attention(1, trace[0], batch).front();
    shares.push_back((map * adjacent).sum().item<double>() / map.sum().item<double>());
  }
  EXPECT_GT(shares[1], 3 * shares[0]);
}

TEST(Transformer, LearnsNothingFromRowsThatNoNodeHas) {
  const auto network = some_transformer(topology(false));  // node v has row v
  const Batch whole =
      whole_graphs(with_edge_labels(awkward_graphs(true)), topology(false).features, {2, 7});
  score(network->forward(whole)).backward();
  const torch::Tensor gradient =
      network->named_parameters()["topology.tables"].grad().narrow(0, 0, 20 * 6).view({20, 6});
  EXPECT_TRUE((gradient.narrow(0, 0, 6) != 0).any(1).all().item<bool>());
  EXPECT_TRUE((gradient.narrow(0, 6, 14) == 0).all().item<bool>());
}

}  // namespace
}  // namespace bermuda::nn
