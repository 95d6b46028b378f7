#include <torch/torch.h>

#include <cmath>

#include "bermuda/nn/gnn.hpp"
#include "mean_readout.hpp"

namespace bermuda::nn {
namespace {

/// The two vectors of additive attention, [size, heads].
class AttentionVectors : public torch::nn::Module {
 public:
  AttentionVectors(int size, int heads, Initialiser& initialiser) {
    const double deviation = std::sqrt(2.0) * std::sqrt(2.0 / (size * heads + size));
    source = register_parameter("source", initialiser.normal({size, heads}, deviation));
    target = register_parameter("target", initialiser.normal({size, heads}, deviation));
  }
  torch::Tensor source;
  torch::Tensor target;
};

class GatLayer : public torch::nn::Module {
 public:
  GatLayer(const GnnOptions& options, int place, Initialiser& initialiser)
      : slope_(options.slope),
        linear_(register_module(
            "linear", std::make_shared<Linear>(options.width, options.width, false, initialiser))) {
    const int heads = place + 1 == options.layers ? 1 : options.heads;
    attention_ = register_module(
        "attention", std::make_shared<AttentionVectors>(options.width / heads, heads, initialiser));
    norm_ = register_module("norm", std::make_shared<Norm>(options.width));
    const torch::NoGradGuard no_grad;
    linear_->weight.copy_(
        initialiser.normal({options.width, options.width}, std::sqrt(2.0 / options.width)));
  }

  void add_steps(int level, std::vector<StackStep>& steps) const {
    steps.push_back({.spread = Spread::kAttention,
                     .level = level,
                     .weight = linear_->weight,
                     .source = attention_->source,
                     .target = attention_->target,
                     .slope = slope_,
                     .norm = norm_->state(),
                     .activation = Activation::kElu});
  }

 private:
  double slope_;
  std::shared_ptr<Linear> linear_;
  std::shared_ptr<AttentionVectors> attention_;
  std::shared_ptr<Norm> norm_;
};

}  // namespace

std::shared_ptr<Network> make_gat(const GnnOptions& options, Initialiser& initialiser) {
  return std::make_shared<MeanReadoutNetwork<GatLayer>>(options, Aggregation::kAttention,
                                                        initialiser);
}

}  // namespace bermuda::nn
