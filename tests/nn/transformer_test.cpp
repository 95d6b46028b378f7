// Transformer layers: fused against the reference and finite differences in many shapes and
// batches, and what a row may and may not depend on.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/core/index.hpp"
#include "bermuda/nn/operators.hpp"
#include "gradient_check.hpp"
#include "graphs.hpp"

namespace bermuda::nn {
namespace {

/// Of a size that leaves attention soft. The hidden layer's biases keep most of its units off their
/// kinks, where rounding and finite differences would decide.
torch::Tensor encoder_weights(const EncoderShape& shape) {
  const EncoderLayout layout(shape);
  torch::Tensor weights = 0.3 * numbers({static_cast<std::int64_t>(layout.size)}, 2);
  const auto part = [&](std::size_t begin, std::size_t end) {
    return weights.narrow(0, static_cast<std::int64_t>(begin),
                          static_cast<std::int64_t>(end - begin));
  };
  part(layout.qkv, layout.qkv_bias).mul_(3 / std::sqrt(shape.width));
  part(layout.out, layout.out_bias).mul_(3 / std::sqrt(shape.width));
  part(layout.norm1, layout.norm1_bias).add_(1);
  part(layout.expand, layout.expand_bias).mul_(2 / std::sqrt(shape.width));
  torch::Tensor bias = part(layout.expand_bias, layout.contract);
  bias.add_(1.5 * bias.sign());
  part(layout.contract, layout.contract_bias).mul_(3 / std::sqrt(shape.hidden));
  part(layout.norm2, layout.norm2_bias).add_(1);
  return weights;
}

Operator encoder(const EncoderShape& shape, const Batch& batch, bool masked) {
  return [&, masked](const Inputs& in, Engine engine) {
    return encode(in[0], in[1], shape, batch, masked, engine);
  };
}

struct Graphs {
  const char* name;
  std::vector<int> chosen;  // of awkward_graphs() and the large graph behind them
};

constexpr int kLarge = 14;

std::vector<Graphs> batches() {
  Graphs all{"all", {}};
  for (int graph = 0; graph < kLarge; ++graph) all.chosen.push_back(graph);
  // Layers work on blocks of 96 rows or more, gradients add up 8 blocks at a time.
  Graphs many{"many", {}};
  for (int i = 0; i < 16; ++i) {
    many.chosen.insert(many.chosen.end(), all.chosen.begin(), all.chosen.end());
  }
  return {all,
          many,
          {"one", {7}},
          {"single_node", {1}},
          {"empty", {0}},
          {"isolated_nodes", {4, 1, 0, 3}},
          {"large_then_empty", {2, kLarge, 0, 0}},
          {"large_last", {0, 9, kLarge}}};
}

Batch batch_of(const std::vector<int>& chosen) {
  std::vector<Sample> samples = awkward_graphs(false);
  samples.push_back(large_graph(130));
  return whole_graphs(samples, {}, chosen);
}

Batch batch_named(std::string_view name) {
  for (const Graphs& graphs : batches()) {
    if (name == graphs.name) return batch_of(graphs.chosen);
  }
  throw UsageError("no such batch");
}

TEST(EncoderBatches, HaveTheBlocksThatTheyAreFor) {
  EXPECT_LT(batch_named("all").nodes, 96);
  // A block has fewer than 96 rows before its last graph, which has at most 12.
  EXPECT_GT(batch_named("many").nodes, 8 * (95 + 12));
  EXPECT_EQ(batch_named("empty").nodes, 0);
}

class Encoder : public testing::TestWithParam<std::tuple<std::tuple<int, int, int>, Graphs>> {};

TEST_P(Encoder, FusedReferenceAndFiniteDifferencesAgree) {
  const auto& [sizes, graphs] = GetParam();
  const Batch batch = batch_of(graphs.chosen);
  for (const bool norm_first : {false, true}) {
    const EncoderShape shape{std::get<0>(sizes), std::get<1>(sizes), std::get<2>(sizes),
                             norm_first};
    for (const bool masked : {false, true}) {
      check(encoder(shape, batch, masked),
            {numbers({batch.nodes, shape.width}, 1), encoder_weights(shape)},
            std::string(masked ? "masked" : "full") + (norm_first ? ", norm first" : ""),
            {.exact = 1e-10, .step = 1e-7});
    }
  }
}

std::string name_of_encoder(const testing::TestParamInfo<Encoder::ParamType>& info) {
  const auto& [sizes, graphs] = info.param;
  const auto& [width, heads, hidden] = sizes;
  return "width" + std::to_string(width) + "_heads" + std::to_string(heads) + "_hidden" +
         std::to_string(hidden) + "_" + graphs.name;
}

INSTANTIATE_TEST_SUITE_P(
    ShapesAndBatches, Encoder,
    testing::Combine(testing::Values(std::tuple(32, 4, 128), std::tuple(32, 8, 16),
                                     std::tuple(16, 4, 12), std::tuple(16, 1, 8),
                                     std::tuple(8, 8, 16), std::tuple(64, 2, 32),
                                     std::tuple(12, 3, 5), std::tuple(10, 5, 20),
                                     std::tuple(32, 16, 7), std::tuple(1, 1, 1)),
                     testing::ValuesIn(batches())),
    name_of_encoder);

/// Shapes for which attention has code of its own: whole vectors, and anything else.
const EncoderShape kShapes[] = {{32, 4, 128, false}, {32, 4, 24, true}, {12, 3, 5, false}};

TEST(Encode, ScoresMayBeLarge) {
  const Batch batch = batch_named("all");
  for (const EncoderShape& shape : kShapes) {
    torch::Tensor weights = encoder_weights(shape);
    weights.narrow(0, 0, 2 * shape.width * shape.width).mul_(100);  // queries and keys
    for (const bool masked : {false, true}) {
      check(encoder(shape, batch, masked), {numbers({batch.nodes, shape.width}, 1), weights},
            "large scores", {.exact = 1e-9, .single = false, .smooth = false});
      const torch::Tensor single =
          encode(numbers({batch.nodes, shape.width}, 1).to(torch::kFloat),
                 weights.to(torch::kFloat), shape, batch, masked, Engine::kFused);
      EXPECT_TRUE(single.isfinite().all().item<bool>());
    }
  }
}

TEST(Encode, NumberOfThreadsDoesNotMatter) {
  const Batch batch = batch_named("many");
  for (const EncoderShape& shape : kShapes) {
    for (const torch::ScalarType type : {torch::kFloat, torch::kDouble}) {
      for (const bool masked : {false, true}) {
        const Inputs inputs = {numbers({batch.nodes, shape.width}, 1).to(type),
                               encoder_weights(shape).to(type)};
        const auto run = [&](int threads) {
          at::set_num_threads(threads);
          Inputs found = gradients(encoder(shape, batch, masked), inputs, Engine::kFused, type);
          found.push_back(encode(inputs[0], inputs[1], shape, batch, masked, Engine::kFused));
          at::set_num_threads(1);
          return found;
        };
        const Inputs one = run(1);
        const Inputs two = run(2);
        for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], two[i])) << i;
      }
    }
  }
}

// A row's sums run in the same order wherever its graph stands: the bits are the same.
TEST(Encode, OtherGraphsOfTheBatchDoNotMatter) {
  std::vector<int> chosen = {2, 5, kLarge, 9, 0, 8, 12, 1, 4, 11, 13, 10, 7};
  const Batch batch = batch_of(chosen);
  for (const EncoderShape& shape : kShapes) {
    const torch::Tensor x = numbers({batch.nodes, shape.width}, 1).to(torch::kFloat);
    const torch::Tensor weights = encoder_weights(shape).to(torch::kFloat);
    for (const bool masked : {false, true}) {
      const auto run = [&](torch::Tensor rows, const Batch& some, const torch::Tensor& factors) {
        rows = rows.clone().requires_grad_(true);
        const torch::Tensor y = encode(rows, weights, shape, some, masked, Engine::kFused);
        (y * factors).sum().backward();
        return std::pair(y.detach(), rows.grad());
      };
      const torch::Tensor factors = numbers({batch.nodes, shape.width}, 3).to(torch::kFloat);
      const auto [whole, d_whole] = run(x, batch, factors);
      for (std::size_t g = 0; g < chosen.size(); ++g) {
        const int begin = batch.graph_offsets[g];
        const int size = batch.graph_offsets[g + 1] - begin;
        const Batch own = batch_of({chosen[g]});
        const auto [alone, d_alone] =
            run(x.narrow(0, begin, size), own, factors.narrow(0, begin, size));
        EXPECT_TRUE(torch::equal(alone, whole.narrow(0, begin, size))) << chosen[g];
        EXPECT_TRUE(torch::equal(d_alone, d_whole.narrow(0, begin, size))) << chosen[g];
      }
    }
  }
}

TEST(Encode, RowsHearNeighboursOnlyWhereMaskedAndTheirGraphElse) {
  const Batch batch = batch_of({2, 5, 7});  // a triangle, the path 0-1-2-3-4, a ring
  const int changed = 3 + 4;                // an end of the path
  for (const Engine engine : {Engine::kFused, Engine::kReference}) {
    for (const EncoderShape& shape : kShapes) {
      const torch::Tensor weights = encoder_weights(shape);
      const torch::Tensor x = numbers({batch.nodes, shape.width}, 1);
      torch::Tensor other = x.clone();
      other[changed] += numbers({shape.width}, 4);
      for (const bool masked : {false, true}) {
        const torch::Tensor before = encode(x, weights, shape, batch, masked, engine);
        const torch::Tensor after = encode(other, weights, shape, batch, masked, engine);
        for (int row = 0; row < batch.nodes; ++row) {
          const bool same_graph = row >= 3 && row < 8;
          const bool hears = masked ? row == changed || row == changed - 1 : same_graph;
          EXPECT_EQ(torch::equal(before[row], after[row]), !hears) << "row " << row;
        }
      }
    }
  }
}

TEST(AttentionMaps, RowsAddUpToOneWithinTheMask) {
  const std::vector<int> chosen = {0, 1, 2, 4, 5, 9, kLarge};
  const Batch batch = batch_of(chosen);
  const Relation& neighbours = *batch.levels.back().neighbours;
  for (const EncoderShape& shape : kShapes) {
    for (const bool masked : {false, true}) {
      const auto maps = attention_maps(numbers({batch.nodes, shape.width}, 1),
                                       encoder_weights(shape), shape, batch, masked);
      ASSERT_EQ(maps.size(), chosen.size());
      for (std::size_t g = 0; g < maps.size(); ++g) {
        const int begin = batch.graph_offsets[g];
        const int size = batch.graph_offsets[g + 1] - begin;
        torch::Tensor allowed = masked ? torch::eye(size) : torch::ones({size, size});
        for (int row = 0; row < size; ++row) {
          for (int e = neighbours.offsets[at(begin + row)];
               e < neighbours.offsets[at(begin + row) + 1]; ++e) {
            allowed[row][neighbours.sources[at(e)] - begin] = 1;
          }
        }
        expect_close(maps[g].sum(2), torch::ones({shape.heads, size}, torch::kDouble), 1e-12,
                     "sums of rows");
        EXPECT_TRUE(torch::equal(maps[g] > 0, (allowed > 0).expand_as(maps[g]))) << chosen[g];
      }
    }
  }
}

TEST(AttentionMaps, AreWhatTheLayerUses) {
  const Batch batch = batch_of({7});
  const EncoderShape shape{12, 2, 4, true};
  const EncoderLayout layout(shape);
  const auto offset = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  torch::Tensor weights = encoder_weights(shape);
  const torch::Tensor x = numbers({6, 12}, 1);
  // What attention gives reaches y as it is: an identity behind it, a feed-forward half of zeros.
  weights.narrow(0, offset(layout.out), 144).copy_(torch::eye(12).flatten());
  weights.narrow(0, offset(layout.out_bias), 12).zero_();
  weights.narrow(0, offset(layout.contract), 48 + 12).zero_();
  for (const bool masked : {false, true}) {
    const auto map = attention_maps(x, weights, shape, batch, masked).front();
    const torch::Tensor asked =
        torch::layer_norm(x, {12}, weights.narrow(0, offset(layout.norm1), 12),
                          weights.narrow(0, offset(layout.norm1_bias), 12));
    const torch::Tensor values =
        torch::addmm(weights.narrow(0, offset(layout.qkv_bias) + 24, 12), asked,
                     weights.narrow(0, offset(layout.qkv) + 24 * 12, 144).view({12, 12}).t());
    const torch::Tensor heard = encode(x, weights, shape, batch, masked, Engine::kFused) - x;
    for (int head = 0; head < shape.heads; ++head) {
      const auto numbers_of_head = [&](const torch::Tensor& all) {
        return all.slice(1, head, 12, shape.heads);
      };
      expect_close(numbers_of_head(heard), torch::mm(map[head], numbers_of_head(values)), 1e-12,
                   "head " + std::to_string(head));
    }
  }
}

}  // namespace
}  // namespace bermuda::nn
