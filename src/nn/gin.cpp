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

  const torch::Tensor& first_weight() const { return linear1_->weight; }

  /// ways.first is x times first_weight().
  torch::Tensor forward(const Forked& ways, const Level& level, Engine engine) const {
    const torch::Tensor heard = aggregate_with_self(ways.first, 1 + eps_, level, engine);
    const torch::Tensor inner = norm1_->forward(heard, {}, level, Activation::kRelu, engine);
    return norm_->forward(linear2_->forward(inner), ways.x, level, Activation::kRelu, engine);
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
    torch::Tensor x = embedding_->forward(batch);
    keep(x);
    torch::Tensor logits;
    for (std::size_t l = 0; l < layers_->size(); ++l) {
      const auto& layer = layers_->at<GinLayer>(l);
      const Linear& scorer = scorers_->at<Linear>(l);
      // Scoring commutes with the sum pool, and a node's scores are far fewer than its features.
      const Forked ways = fork(x, layer.first_weight(), scorer.weight, options_.engine);
      logits = added(logits, pooled(ways.second, scorer, batch.levels[l]));
      x = drop_out(layer.forward(ways, batch.levels[l + 1], options_.engine), options_.dropout, l);
      keep(x);
    }
    const Linear& scorer = scorers_->at<Linear>(layers_->size());
    return added(logits, pooled(torch::mm(x, scorer.weight.t()), scorer, batch.levels.back()));
  }

 private:
  torch::Tensor pooled(const torch::Tensor& scores, const Linear& scorer,
                       const Level& level) const {
    return aggregate(scores, level.pool, options_.engine) + scorer.bias;
  }
  static torch::Tensor added(const torch::Tensor& sum, const torch::Tensor& more) {
    return sum.defined() ? sum + more : more;
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
