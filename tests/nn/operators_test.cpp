// Every fused operator against its reference in LibTorch's own operators, value and gradients, and
// against finite differences, on batches with empty graphs, single and isolated nodes.
#include "bermuda/nn/operators.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "gradient_check.hpp"
#include "graphs.hpp"

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

TEST_P(Operators, AggregateWithSelf) {
  const Batch whole = batch(Aggregation::kSum);
  for (std::size_t l = 1; l < whole.levels.size(); ++l) {
    const Level& level = whole.levels[l];
    check([&](const Inputs& in,
              Engine engine) { return aggregate_with_self(in[0], in[1], level, engine); },
          {numbers({level.neighbours->source_count(), 21}, 1), numbers({1}, 2)}, "with self");
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

TEST_P(Operators, Fork) {
  const Batch whole = batch(Aggregation::kSum);
  const int rows = whole.levels[0].rows;
  const auto joined = [](const Forked& ways) {
    const torch::Tensor x = ways.x.sin();
    return ways.second.defined() ? torch::cat({ways.first, ways.second, x}, 1)
                                 : torch::cat({ways.first, x}, 1);
  };
  const Inputs values = {numbers({rows, 5}, 1), numbers({7, 5}, 2), numbers({2, 5}, 3)};
  check([&](const Inputs& in, Engine engine) { return joined(fork(in[0], in[1], in[2], engine)); },
        values, "fork");
  check([&](const Inputs& in, Engine engine) { return joined(fork(in[0], in[1], {}, engine)); },
        {values[0], values[1]}, "fork without a second");
  // Ways that lead nowhere.
  check([&](const Inputs& in, Engine engine) { return fork(in[0], in[1], in[2], engine).second; },
        values, "fork, second way only");
  check([&](const Inputs& in, Engine engine) { return fork(in[0], in[1], in[2], engine).x; },
        values, "fork, x only");
}

TEST(Fork, LeavesGradientsThatOthersHoldAlone) {
  const torch::Tensor x = numbers({4, 3}, 1).requires_grad_(true);
  const torch::Tensor weight = numbers({3, 3}, 2).requires_grad_(true);
  const Forked ways = fork(x, weight, {}, Engine::kFused);
  ways.x.retain_grad();
  (ways.x.sum() + ways.first.sum()).backward();
  EXPECT_TRUE(torch::equal(ways.x.grad(), torch::ones({4, 3}, torch::kDouble)));
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

TEST_P(Operators, Attend) {
  const Batch whole = batch(Aggregation::kAttention);
  for (std::size_t l = 1; l < whole.levels.size(); ++l) {
    const Level& level = whole.levels[l];
    for (const auto& [size, heads] : {std::pair{4, 3}, {18, 1}, {2, 8}, {1, 1}, {3, 11}}) {
      check([&](const Inputs& in,
                Engine engine) { return attend(in[0], in[1], in[2], level, 0.2, engine); },
            {numbers({level.neighbours->source_count(), size * heads}, 1),
             numbers({size, heads}, 2), numbers({size, heads}, 3)},
            "attention with " + std::to_string(heads) + " heads");
    }
  }
}

TEST_P(Operators, AnswersDoNotDependOnThreads) {
  const Batch whole = batch(Aggregation::kAttention);
  const Level& level = whole.levels.back();
  const auto run = [&] {
    Inputs inputs = {numbers({level.neighbours->source_count(), 24}, 1).to(torch::kFloat),
                     numbers({3, 8}, 2).to(torch::kFloat), numbers({3, 8}, 3).to(torch::kFloat)};
    for (torch::Tensor& input : inputs) input.requires_grad_(true);
    score(attend(inputs[0], inputs[1], inputs[2], level, 0.2, Engine::kFused)).backward();
    return std::pair(inputs[0].grad(), inputs[1].grad());
  };
  at::set_num_threads(1);
  const auto one = run();
  at::set_num_threads(4);
  const auto four = run();
  at::set_num_threads(1);
  EXPECT_TRUE(torch::equal(one.first, four.first));
  EXPECT_TRUE(torch::equal(one.second, four.second));
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

}  // namespace
}  // namespace bermuda::nn
