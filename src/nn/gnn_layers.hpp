#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "bermuda/nn/gnn.hpp"
#include "bermuda/nn/stack.hpp"

namespace bermuda::nn {

/// The pools that a network's layers give. A Layer's add_steps(level, steps) says what it does to
/// make the rows of that level.
template <class Layer>
torch::Tensor run_layers(Network& network, const Embedding& embedding,
                         const torch::nn::ModuleListImpl& layers, const GnnOptions& options,
                         const Batch& batch) {
  const torch::Tensor x = embedding.forward(batch, options.engine);
  network.keep(x);
  std::vector<StackStep> steps;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const int level = static_cast<int>(l) + 1;
    layers.at<Layer>(l).add_steps(level, steps);
    steps.back().residual = options.residual;
    steps.back().mask =
        network.drop_out_mask(batch.levels[l + 1].rows, options.width, options.dropout, l);
  }
  return stack(x, steps, batch, network.is_training(), options.engine, network.trace);
}

}  // namespace bermuda::nn
