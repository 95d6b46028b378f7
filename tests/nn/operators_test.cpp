// Every fused operator against its reference in LibTorch's own operators, value and gradients, and
// against finite differences, on batches with empty graphs, single and isolated nodes.
#include "bermuda/nn/operators.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <atomic>

#include "gradient_check.hpp"
#include "graphs.hpp"
#include "parallel.hpp"

namespace bermuda::nn {
namespace {

struct Setting {
  bool compress;
  std::vector<int> graphs;  // empty: all
};

class Operators : public testing::TestWithParam<Setting> {
 protected:
  Batch batch(Aggregation aggregation) {
    spec_.degree = true;
    graphs_ = pack(awkward_graphs(false), spec_);
    BatchMaker maker(graphs_, spec_,
                     {.layers = 4, .aggregation = aggregation, .pool_every_level = true},
                     GetParam().compress);
    return maker.make(GetParam().graphs.empty() ? all_of(graphs_) : GetParam().graphs);
  }

  FeatureSpec spec_;
  PackedGraphs graphs_;
};

TEST_P(Operators, Aggregate) {
  for (const Aggregation aggregation :
       {Aggregation::kMean, Aggregation::kSum, Aggregation::kSymmetric}) {
    const Batch whole = batch(aggregation);
    for (std::size_t l = 1; l < whole.levels.size(); ++l) {
      for (const int width : {1, 7, 45}) {
        const auto& relation = whole.levels[l].neighbours;
        check([&](const Inputs& in, Engine engine) { return aggregate(in[0], relation, engine); },
              {numbers({relation->source_count(), width}, 1)}, "neighbours");
        const auto& pool = whole.levels[l].pool;
        check([&](const Inputs& in, Engine engine) { return aggregate(in[0], pool, engine); },
              {numbers({pool->source_count(), width}, 1)}, "pool");
      }
    }
  }
}

TEST(TableRows, AreAdded) {
  for (const int width : {1, 7, 45}) {
    for (const std::vector<int>& places :
         {std::vector<int>{}, {2, 0, 2, 2, 1}, {-1, 3, -1, 0}, {-1, -1}}) {
      const auto rows = static_cast<std::int64_t>(places.size());
      check([&](const Inputs& in,
                Engine engine) { return add_table_rows(in[0], in[1], places, engine); },
            {numbers({rows, width}, 1), numbers({4, width}, 2)}, "rows of a table");
    }
  }
}

TEST_P(Operators, Normalise) {
  const Batch whole = batch(Aggregation::kSum);
  for (std::size_t l = 1; l < whole.levels.size(); ++l) {
    const Level& level = whole.levels[l];
    const int above = whole.levels[l - 1].rows;
    for (const Activation activation : {Activation::kNone, Activation::kRelu, Activation::kElu}) {
      for (const bool training : {true, false}) {
        const Operator run = [&](const Inputs& in, Engine engine) {
          NormState state{.weight = in[1],
                          .bias = in[2],
                          .running_mean = numbers({13}, 8).to(in[0].scalar_type()),
                          .running_variance = numbers({13}, 9).square().to(in[0].scalar_type())};
          return normalise(in[0], state, in.size() > 3 ? in[3] : torch::Tensor(), level, activation,
                           training, engine);
        };
        const Inputs plain = {numbers({level.rows, 13}, 1), numbers({13}, 2), numbers({13}, 3)};
        Inputs added = plain;
        added.push_back(numbers({above, 13}, 4));
        // A single row has no variance: the slope there is 1 / sqrt(epsilon), too steep to step.
        const bool smooth = !training || level.rows > 1;
        check(run, plain, "normalise", {.smooth = smooth});
        check(run, added, "normalise with residual", {.smooth = smooth});
      }
    }
  }
}

TEST_P(Operators, RunningStatistics) {
  const Batch whole = batch(Aggregation::kSum);
  const Level& level = whole.levels.back();
  std::vector<torch::Tensor> seen;
  for (const Engine engine : {Engine::kFused, Engine::kReference}) {
    const auto zeros = torch::zeros({5}, torch::kDouble);
    NormState state{torch::ones({5}, torch::kDouble), zeros, zeros.clone(), zeros.clone()};
    normalise(numbers({level.rows, 5}, 1), state, {}, level, Activation::kNone, true, engine);
    seen.push_back(state.running_mean);
    seen.push_back(state.running_variance);
  }
  expect_close(seen[0], seen[2], 1e-12, "running mean");
  expect_close(seen[1], seen[3], 1e-12, "running variance");
}

INSTANTIATE_TEST_SUITE_P(Batches, Operators,
                         testing::Values(Setting{false, {}}, Setting{true, {}}, Setting{false, {7}},
                                         Setting{true, {7}}, Setting{false, {1}},
                                         Setting{true, {4, 1, 0}}, Setting{false, {0}}),
                         [](const testing::TestParamInfo<Setting>& setting) {
                           std::string name = setting.param.compress ? "compressed" : "plain";
                           if (setting.param.graphs.empty()) return name + "_all";
                           for (const int graph : setting.param.graphs)
                             name += "_" + std::to_string(graph);
                           return name;
                         });

TEST(Rows, AreSummedInParts) {
  // The table of a data set with large graphs has millions of numbers: its sums are few.
  constexpr int kRows = 2'000'000;
  EXPECT_EQ(rows_of_a_part(kRows, 100), 512);
  const int part = rows_of_a_part(kRows, 1'600'000);
  EXPECT_LE(std::size_t{kRows} / static_cast<std::size_t>(part) * 1'600'000, std::size_t{1} << 26);
  EXPECT_GE(rows_of_a_part(3, std::size_t{1} << 40), 3);
  const auto sums = sum_over_rows<float>(1500, 2, [](Rows rows, float* part_sums) {
    for (int row = rows.begin; row < rows.end; ++row) {
      part_sums[0] += 1;
      part_sums[1] += static_cast<float>(row);
    }
  });
  EXPECT_EQ(sums, (std::vector<double>{1500, 1500.0 * 1499 / 2}));
}

TEST(Rows, AreLeftWhenTheUserStops) {
  std::atomic<bool> stop{false};
  const OperatorStop watched(Execution{.stop = &stop});
  std::atomic<int> begun{0};
  EXPECT_THROW(for_rows(1'000'000,
                        [&](Rows) {
                          ++begun;
                          stop = true;
                        }),
               Interrupted);
  EXPECT_LE(begun, at::get_num_threads());
}

}  // namespace
}  // namespace bermuda::nn
