// What an operator needs of a batch on the way back is its own: the batch may be gone by then.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <memory>

#include "bermuda/nn/network.hpp"
#include "bermuda/nn/operators.hpp"
#include "bermuda/nn/stack.hpp"
#include "gradient_check.hpp"
#include "graphs.hpp"

namespace bermuda::nn {
namespace {

constexpr EncoderShape kShape{8, 2, 12, false};

struct Case {
  const char* name;
  bool whole_graphs;
  std::function<Inputs(const Batch&)> inputs;
  std::function<torch::Tensor(const Inputs&, const Batch&)> run;
};

std::unique_ptr<Batch> make_batch(bool whole) {
  const std::vector<Sample> samples = with_edge_labels(awkward_graphs(true));
  FeatureSpec spec;
  spec.node_labels = {0, 1, 2};
  spec.edge_labels = {0, 1, 2};
  if (whole) return std::make_unique<Batch>(whole_graphs(samples, spec));
  const PackedGraphs graphs = pack(samples, spec);
  BatchMaker maker(graphs, spec, {.layers = 2, .aggregation = Aggregation::kSum}, true);
  return std::make_unique<Batch>(maker.make(all_of(graphs)));
}

Inputs rows_above(const Batch& batch) {
  return {numbers({batch.levels.back().neighbours->source_count(), 6}, 1)};
}

Inputs with(Inputs inputs, const Inputs& more) {
  inputs.insert(inputs.end(), more.begin(), more.end());
  return inputs;
}

const TopologyShape kTopology{
    .indices = 5, .width = 3, .node_labels = 3, .node_width = 2, .edge_labels = 3, .edge_width = 2};

std::vector<Case> cases() {
  return {
      {"aggregate", false, rows_above,
       [](const Inputs& in, const Batch& batch) {
         return aggregate(in[0], batch.levels.back().neighbours, Engine::kFused);
       }},
      {"normalise", false,
       [](const Batch& batch) {
         return with({numbers({batch.levels.back().rows, 6}, 1), numbers({6}, 2), numbers({6}, 3)},
                     rows_above(batch));
       },
       [](const Inputs& in, const Batch& batch) {
         const torch::Tensor zeros = torch::zeros({6}, torch::kDouble);
         const NormState state{in[1], in[2], zeros.clone(), zeros.clone()};
         return normalise(in[0], state, in[3], batch.levels.back(), Activation::kElu, true,
                          Engine::kFused);
       }},
      {"stack", false,
       [](const Batch& batch) {
         return with(rows_above(batch), {numbers({6, 6}, 2), numbers({6}, 3), numbers({6}, 4),
                                         numbers({3, 2}, 5), numbers({3, 2}, 6)});
       },
       [](const Inputs& in, const Batch& batch) {
         const torch::Tensor zeros = torch::zeros({6}, torch::kDouble);
         const StackStep step{.spread = Spread::kAttention,
                              .level = static_cast<int>(batch.levels.size()) - 1,
                              .weight = in[1],
                              .source = in[4],
                              .target = in[5],
                              .norm = {in[2], in[3], zeros.clone(), zeros.clone()}};
         return stack(in[0], {step}, batch, true, Engine::kFused);
       }},
      {"embed_topology", true,
       [](const Batch&) -> Inputs {
         return {numbers({static_cast<std::int64_t>(TopologyLayout(kTopology).size)}, 1)};
       },
       [](const Inputs& in, const Batch& batch) {
         const TopologyShape passing = kTopology;
         const torch::Tensor rows = torch::arange(batch.nodes).remainder(5).to(torch::kInt);
         return embed_topology(in[0], passing, rows, batch, Engine::kFused);
       }},
      {"encode", true,
       [](const Batch& batch) -> Inputs {
         return {numbers({batch.nodes, kShape.width}, 1),
                 numbers({static_cast<std::int64_t>(EncoderLayout(kShape).size)}, 2)};
       },
       [](const Inputs& in, const Batch& batch) {
         return encode(in[0], in[1], kShape, batch, true, Engine::kFused);
       }},
  };
}

class Ownership : public testing::TestWithParam<Case> {};

TEST_P(Ownership, TheBatchMayBeGoneBeforeTheWayBack) {
  const Case& one = GetParam();
  std::unique_ptr<Batch> batch = make_batch(one.whole_graphs);
  const Inputs values = one.inputs(*batch);
  const Inputs expected = gradients([&](const Inputs& in, Engine) { return one.run(in, *batch); },
                                    values, Engine::kFused, torch::kDouble);

  Inputs inputs;
  for (const torch::Tensor& value : values) {
    inputs.push_back(value.clone().requires_grad_(true));
  }
  torch::Tensor total = score(one.run(inputs, *batch));
  const std::weak_ptr<const Relation> neighbours = batch->levels.back().neighbours;
  batch.reset();
  const auto other = make_batch(!one.whole_graphs);  // takes the memory that the batch had
  EXPECT_FALSE(neighbours.expired());
  total.backward();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_TRUE(torch::equal(inputs[i].grad(), expected[i])) << i;
  }
  total.reset();
  EXPECT_TRUE(neighbours.expired());
}

TEST(Ownership, OfTheFeaturesIsSharedByTheEmbedding) {
  FeatureSpec spec;
  spec.node_labels = {0, 1, 2};
  Initialiser initialiser(1);
  Embedding embedding(spec, 4, initialiser);
  std::unique_ptr<Batch> batch = make_batch(false);
  score(embedding.forward(*batch)).backward();
  const torch::Tensor expected = embedding.parameters().front().grad().clone();
  embedding.zero_grad();

  torch::Tensor total = score(embedding.forward(*batch));
  batch.reset();
  const auto other = make_batch(false);  // takes the memory that the batch had
  total.backward();
  EXPECT_TRUE(torch::equal(embedding.parameters().front().grad(), expected));
}

INSTANTIATE_TEST_SUITE_P(Operators, Ownership, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& one) {
                           return std::string(one.param.name);
                         });

}  // namespace
}  // namespace bermuda::nn
