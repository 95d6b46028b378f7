#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "bermuda/nn/network.hpp"

namespace bermuda::train {

/// The parameters of a network laid end to end in one tensor, and their gradients in another: the
/// optimiser, checkpoints and model files then handle one array. The network keeps working as
/// before; its parameters have become views. One for the life of the network.
class FlatParameters {
 public:
  explicit FlatParameters(nn::Network& network);
  torch::Tensor values;
  torch::Tensor gradients;

  /// Running statistics and the like, laid end to end (a copy).
  std::vector<float> buffers() const;
  /// Throws BytesError when there are more or fewer, or a variance is below zero.
  void set_buffers(const std::vector<float>& values);
  std::size_t buffer_count() const;

 private:
  std::vector<torch::Tensor> buffers_;
  std::vector<torch::Tensor> variances_;  // among them
};

struct WeightDecay {
  double inside = 0;     ///< enters the gradient (torch::optim::Adam)
  double decoupled = 0;  ///< rate x decay x weight goes off beside it (AdamW)
};

/// Adam over flat parameters, one fused pass per step; equal to torch::optim::Adam, or AdamW, up to
/// rounding.
class Adam {
 public:
  Adam(FlatParameters& parameters, WeightDecay decay);
  void step(double learning_rate);

  torch::Tensor first;
  torch::Tensor second;
  std::int64_t steps = 0;

 private:
  FlatParameters& parameters_;
  WeightDecay decay_;
};

/// Weights averaged over steps: after step t, w <- d w + (1 - d) weights with
/// d = min(decay, (1 + t) / (10 + t)), so that the first ones are soon forgotten.
class WeightAverage {
 public:
  WeightAverage(const FlatParameters& parameters, double decay);
  void observe(const FlatParameters& parameters, std::int64_t step);
  bool is_on() const { return decay_ > 0; }

  torch::Tensor values;  ///< undefined where it is off

 private:
  double decay_;
};

}  // namespace bermuda::train
