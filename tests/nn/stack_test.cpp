// The layers of graph neural networks as one operator, against the same in LibTorch's own
// operators, values and gradients of everything, and against finite differences; on batches with
// empty graphs, single and isolated nodes, on one block of rows and on many.
#include "bermuda/nn/stack.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "gradient_check.hpp"
#include "graphs.hpp"

namespace bermuda::nn {
namespace {

enum class LayerKind { kGcn, kGin, kGat };

struct StackSetting {
  std::string name = {};
  LayerKind kind = LayerKind::kGcn;
  int size = 5;   // numbers per head
  int heads = 1;  // in all layers but the last
  bool compress = false;
  std::vector<int> graphs = {};  // empty: all
  bool training = true;
  bool pool_every_level = false;
  bool dropout = false;
  bool residual = true;
  int times = 1;  // how often the graphs are in the batch
};

void PrintTo(const StackSetting& setting, std::ostream* out) { *out << setting.name; }

class Stack : public testing::TestWithParam<StackSetting> {
 protected:
  static constexpr int kLayers = 3;

  void SetUp() override {
    const StackSetting& setting = GetParam();
    spec_.degree = true;
    std::vector<Sample> samples = awkward_graphs(false);
    if (setting.times > 1) samples.push_back(large_graph(150));
    graphs_ = pack(samples, spec_);
    const Aggregation aggregation = setting.kind == LayerKind::kGin   ? Aggregation::kSum
                                    : setting.kind == LayerKind::kGat ? Aggregation::kAttention
                                                                      : Aggregation::kMean;
    BatchMaker maker(graphs_, spec_,
                     {.layers = kLayers,
                      .aggregation = aggregation,
                      .pool_every_level = setting.pool_every_level},
                     setting.compress);
    std::vector<int> chosen;
    for (int i = 0; i < setting.times; ++i) {
      const std::vector<int> more = setting.graphs.empty() ? all_of(graphs_) : setting.graphs;
      chosen.insert(chosen.end(), more.begin(), more.end());
    }
    batch_ = maker.make(chosen);
    one_way_ = maker.make(chosen, false);
    width_ = setting.size * setting.heads;
  }

  /// x, then what the steps need.
  Inputs inputs() const {
    Inputs all = {numbers({batch_.levels[0].rows, width_}, 1)};
    std::uint64_t item = 2;
    // As large as a network's: the reference's softmax knows no bounds.
    const auto add = [&](std::initializer_list<std::int64_t> shape) {
      const double scale = shape.size() > 1 ? 1 / std::sqrt(double(*shape.begin())) : 1;
      all.push_back(numbers(shape, item++) * scale);
    };
    for (int l = 0; l < kLayers; ++l) {
      add({width_, width_});
      add({width_});
      add({width_});
      if (GetParam().kind == LayerKind::kGin) {
        add({1});
        add({width_, width_});
        add({width_});
        add({width_});
      }
      if (GetParam().kind == LayerKind::kGat) {
        add({width_ / heads(l), heads(l)});
        add({width_ / heads(l), heads(l)});
      }
    }
    return all;
  }

  int heads(int layer) const { return layer + 1 == kLayers ? 1 : GetParam().heads; }

  std::vector<StackStep> steps(const Inputs& in) const {
    std::size_t next = 1;
    const auto norm = [&](const torch::Tensor& weight, const torch::Tensor& bias) {
      return NormState{weight, bias, numbers({width_}, 50).to(weight.scalar_type()),
                       numbers({width_}, 51).square().to(weight.scalar_type())};
    };
    std::vector<StackStep> all;
    for (int l = 0; l < kLayers; ++l) {
      StackStep step;
      step.level = l + 1;
      step.spread = Spread::kSum;
      step.weight = in[next];
      step.norm = norm(in[next + 1], in[next + 2]);
      next += 3;
      if (GetParam().kind == LayerKind::kGat) {
        step.spread = Spread::kAttention;
        step.activation = Activation::kElu;
        step.source = in[next];
        step.target = in[next + 1];
        next += 2;
      }
      if (GetParam().kind == LayerKind::kGin) {
        step.spread = Spread::kSumWithSelf;
        step.residual = false;
        step.eps = in[next];
        all.push_back(step);
        StackStep second;
        second.level = l + 1;
        second.weight = in[next + 1];
        second.norm = norm(in[next + 2], in[next + 3]);
        step = second;
        next += 4;
      }
      step.residual = GetParam().residual;
      if (GetParam().dropout) {
        step.mask = numbers({batch_.levels[static_cast<std::size_t>(l) + 1].rows, width_}, 60)
                        .gt(0)
                        .to(torch::kFloat);
      }
      all.push_back(step);
    }
    return all;
  }

  Operator run() const {
    return [this](const Inputs& in, Engine engine) {
      return stack(in[0], steps(in), batch_, GetParam().training, engine);
    };
  }

  FeatureSpec spec_;
  PackedGraphs graphs_;
  Batch batch_;
  Batch one_way_;
  int width_ = 0;
};

TEST_P(Stack, AgreesWithTheReference) {
  // A single row has no variance: the slope there is 1 / sqrt(epsilon), too steep to step. Three
  // norms with few rows each are steep enough for single precision to say nothing.
  const bool steep = GetParam().training && !GetParam().graphs.empty();
  // With given statistics, what many rows add up to is too large for so small a step to show.
  const bool large = !GetParam().training && GetParam().times > 1;
  check(run(), inputs(), GetParam().name,
        {.exact = steep ? 1e-4 : 1e-6, .single = !steep, .smooth = !steep && !large, .step = 1e-7});
}

TEST_P(Stack, LeavesTheSameStatisticsAndLevels) {
  Inputs in = inputs();
  std::vector<std::vector<StackStep>> used;
  std::vector<std::vector<torch::Tensor>> traces(2);
  for (const Engine engine : {Engine::kFused, Engine::kReference}) {
    used.push_back(steps(in));
    const torch::NoGradGuard no_grad;  // nothing is kept for a way back
    stack(in[0], used.back(), batch_, GetParam().training, engine, &traces[used.size() - 1]);
  }
  for (std::size_t s = 0; s < used[0].size(); ++s) {
    expect_close(used[0][s].norm.running_mean, used[1][s].norm.running_mean, 1e-4, "mean");
    expect_close(used[0][s].norm.running_variance, used[1][s].norm.running_variance, 1e-4, "var");
  }
  ASSERT_EQ(traces[0].size(), static_cast<std::size_t>(kLayers));
  ASSERT_EQ(traces[1].size(), static_cast<std::size_t>(kLayers));
  for (std::size_t l = 0; l < traces[0].size(); ++l) {
    expect_close(traces[0][l], traces[1][l], 1e-4, "level");
  }
}

TEST_P(Stack, MakesTheSameWithoutAWayBack) {
  Inputs in = inputs();
  for (torch::Tensor& each : in) each = each.to(torch::kFloat).requires_grad_();
  const bool training = GetParam().training;
  const torch::Tensor kept = stack(in[0], steps(in), batch_, training, Engine::kFused);
  EXPECT_ANY_THROW(stack(in[0], steps(in), one_way_, training, Engine::kFused));
  const torch::NoGradGuard no_grad;
  for (const int threads : {1, 4}) {
    at::set_num_threads(threads);
    EXPECT_TRUE(torch::equal(stack(in[0], steps(in), one_way_, training, Engine::kFused), kept));
  }
  at::set_num_threads(1);
}

TEST_P(Stack, DoesNotDependOnThreads) {
  const auto all = [&](int threads) {
    at::set_num_threads(threads);
    const Inputs result = gradients(run(), inputs(), Engine::kFused, torch::kFloat);
    at::set_num_threads(1);
    return result;
  };
  const Inputs one = all(1);
  const Inputs four = all(4);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], four[i])) << i;
}

std::vector<StackSetting> stack_settings() {
  std::vector<StackSetting> all;
  for (const auto& [kind, name] :
       {std::pair{LayerKind::kGcn, "gcn"}, {LayerKind::kGin, "gin"}, {LayerKind::kGat, "gat"}}) {
    const std::string text = name;
    const int heads = kind == LayerKind::kGat ? 2 : 1;
    const auto add = [&](const std::string& what, StackSetting setting) {
      setting.name = text + "_" + what;
      setting.kind = kind;
      if (setting.heads == 1) setting.heads = heads;
      all.push_back(setting);
    };
    add("plain", {});
    add("compressed", {.compress = true});
    add("pools", {.size = 9, .pool_every_level = true});
    add("pools_compressed", {.compress = true, .pool_every_level = true});
    add("evaluated", {.compress = true, .training = false});
    add("evaluated_blocks", {.size = 9, .training = false, .times = 8});
    add("dropout", {.dropout = true});
    add("no_residual", {.compress = true, .pool_every_level = true, .residual = false});
    add("no_residual_many_blocks", {.size = 17, .residual = false, .times = 8});
    add("many_blocks", {.size = 17, .times = 8});
    add("many_blocks_compressed", {.compress = true, .pool_every_level = true, .times = 8});
    add("one_node", {.graphs = {1}});
    add("few", {.compress = true, .graphs = {4, 1, 0}});
    add("nothing", {.graphs = {0}});
  }
  for (const int heads : {3, 4, 8, 11, 16, 20}) {
    all.push_back({.name = "gat_heads_" + std::to_string(heads),
                   .kind = LayerKind::kGat,
                   .size = heads == 8 ? 18 : 2,
                   .heads = heads,
                   .compress = heads % 2 == 0});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Networks, Stack, testing::ValuesIn(stack_settings()),
                         [](const testing::TestParamInfo<StackSetting>& setting) {
                           return setting.param.name;
                         });

}  // namespace
}  // namespace bermuda::nn
