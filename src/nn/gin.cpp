#include <torch/torch.h>

#include "bermuda/nn/gnn.hpp"
#include "gnn_layers.hpp"

namespace bermuda::nn {
namespace {

class GinLayer : public torch::nn::Module {
 public:
  GinLayer(int width, Initialiser& initialiser)
      : eps_(register_parameter("eps", torch::zeros({1}))),
        linear1_(
            register_module("linear1", std::make_shared<Linear>(width, width, false, initialiser))),
        norm1_(register_module("norm1", std::make_shared<Norm>(width))),
        linear2_(
            register_module("linear2", std::make_shared<Linear>(width, width, false, initialiser))),
        norm_(register_module("norm", std::make_shared<Norm>(width))) {}

  void add_steps(int level, std::vector<StackStep>& steps) const {
    steps.push_back({.spread = Spread::kSumWithSelf,
                     .level = level,
                     .weight = linear1_->weight,
                     .eps = eps_,
                     .norm = norm1_->state(),
                     .activation = Activation::kRelu,
                     .residual = false});
    steps.push_back({.spread = Spread::kNone,
                     .level = level,
                     .weight = linear2_->weight,
                     .norm = norm_->state(),
                     .activation = Activation::kRelu});
  }

 private:
  torch::Tensor eps_;
  std::shared_ptr<Linear> linear1_;
  std::shared_ptr<Norm> norm1_;
  std::shared_ptr<Linear> linear2_;
  std::shared_ptr<Norm> norm_;
};

class Gin : public Network {
 public:
  Gin(const GnnOptions& options, Initialiser& initialiser)
      : options_(options),
        embedding_(register_module("embedding", std::make_shared<Embedding>(
                                                    options.features, options.width, initialiser))),
        layers_(register_module("layers", torch::nn::ModuleList())),
        scorers_(register_module("scorers", torch::nn::ModuleList())) {
    for (int l = 0; l < options.layers; ++l) {
      layers_->push_back(std::make_shared<GinLayer>(options.width, initialiser));
    }
    for (int l = 0; l <= options.layers; ++l) {
      scorers_->push_back(
          std::make_shared<Linear>(options.width, options.classes, true, initialiser));
    }
  }

  BatchRecipe recipe() const override {
    return {.layers = options_.layers,
            .aggregation = Aggregation::kSum,
            .mean_pool = false,
            .pool_every_level = true,
            .each_its_own = options_.dropout > 0};
  }

  torch::Tensor forward(const Batch& batch) override {
    const torch::Tensor pools = run_layers<GinLayer>(*this, *embedding_, *layers_, options_, batch);
    std::vector<torch::Tensor> weights;
    torch::Tensor bias;
    for (std::size_t l = 0; l < scorers_->size(); ++l) {
      const Linear& scorer = scorers_->at<Linear>(l);
      weights.push_back(scorer.weight);
      bias = l == 0 ? scorer.bias : bias + scorer.bias;
    }
    return torch::addmm(bias, pools, torch::cat(weights, 1).t());
  }

 private:
  GnnOptions options_;
  std::shared_ptr<Embedding> embedding_;
  torch::nn::ModuleList layers_;
  torch::nn::ModuleList scorers_;
};

}  // namespace

std::shared_ptr<Network> make_gin(const GnnOptions& options, Initialiser& initialiser) {
  return std::make_shared<Gin>(options, initialiser);
}

}  // namespace bermuda::nn
