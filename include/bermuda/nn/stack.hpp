#pragma once

#include <torch/types.h>

#include <vector>

#include "bermuda/nn/batch.hpp"
#include "bermuda/nn/operators.hpp"

namespace bermuda::nn {

/// How what the rows of one level say reaches the rows of the next.
enum class Spread {
  kNone,         ///< it does not: the same rows
  kSum,          ///< sum of weight y[u] over neighbours u
  kSumWithSelf,  ///< GIN: (1 + eps) y[v] + sum of y[u]
  kAttention,    ///< GAT: sum of alpha(v, u) y[u]
};

/// x' = activation(norm(spread(x W^T))) + what the layer began with. A layer begins with a step
/// that spreads; GIN's has a second one that does not.
struct StackStep {
  Spread spread = Spread::kNone;
  int level = 1;              ///< of the batch, whose rows it makes
  torch::Tensor weight = {};  ///< W, [width, width]
  torch::Tensor eps = {};     ///< [1], with kSumWithSelf
  torch::Tensor source =
      {};  ///< [size, heads], with kAttention; the head runs fastest in a row of x
  torch::Tensor target = {};  ///< likewise
  double slope = 0.2;         ///< of attention's LeakyReLU
  NormState norm = {};
  Activation activation = Activation::kRelu;
  bool residual = true;
  torch::Tensor mask =
      {};  ///< of dropout: what x' is multiplied with; undefined: nothing is dropped
};

/// All layers of a graph neural network, from the first vectors x [rows of level 0, width] to the
/// pools of those levels that have one, side by side: [graphs, width times levels]. Where `trace`
/// is given, it gets x' of each level (a copy, without a way back).
///
/// As one operator it works through some rows at a time and does with them whatever can be done
/// while they are in cache: O(rows width^2 + entries width) time, and memory for two matrices per
/// step on the way there.
torch::Tensor stack(const torch::Tensor& x, const std::vector<StackStep>& steps, const Batch& batch,
                    bool training, Engine engine, std::vector<torch::Tensor>* trace = nullptr);

}  // namespace bermuda::nn
