#include <torch/torch.h>

#include "bermuda/nn/gnn.hpp"

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

  torch::Tensor forward(const torch::Tensor& x, const Level& level, Engine engine) const {
    const torch::Tensor heard = aggregate_with_self(linear1_->forward(x), 1 + eps_, level, engine);
    const torch::Tensor inner = norm1_->forward(heard, {}, level, Activation::kRelu, engine);
    return norm_->forward(linear2_->forward(inner), x, level, Activation::kRelu, engine);
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
            .pool_every_level = true};
  }

  torch::Tensor forward(const Batch& batch) override {
    torch::Tensor x = embedding_->forward(batch);
    torch::Tensor logits = scores(x, batch, 0);
    for (std::size_t l = 0; l < layers_->size(); ++l) {
      x = layers_->at<GinLayer>(l).forward(x, batch.levels[l + 1], options_.engine);
      logits = logits + scores(x, batch, l + 1);
    }
    return logits;
  }

 private:
  /// Scoring commutes with the sum pool, and a node's scores are far fewer than its features.
  torch::Tensor scores(const torch::Tensor& x, const Batch& batch, std::size_t depth) {
    const auto& scorer = scorers_->at<Linear>(depth);
    const torch::Tensor of_rows = torch::mm(x, scorer.weight.t());
    return aggregate(of_rows, *batch.levels[depth].pool, options_.engine) + scorer.bias;
  }

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
