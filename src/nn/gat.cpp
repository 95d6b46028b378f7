#include <torch/torch.h>

#include <cmath>

#include "bermuda/nn/gnn.hpp"

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
  GatLayer(int width, int heads, double slope, Initialiser& initialiser)
      : slope_(slope),
        linear_(
            register_module("linear", std::make_shared<Linear>(width, width, false, initialiser))),
        attention_(register_module(
            "attention", std::make_shared<AttentionVectors>(width / heads, heads, initialiser))),
        norm_(register_module("norm", std::make_shared<Norm>(width))) {
    const torch::NoGradGuard no_grad;
    linear_->weight.copy_(initialiser.normal({width, width}, std::sqrt(2.0 / width)));
  }

  torch::Tensor forward(const torch::Tensor& x, const Level& level, Engine engine) const {
    const Forked ways = fork(x, linear_->weight, {}, engine);
    const torch::Tensor heard =
        attend(ways.first, attention_->source, attention_->target, level, slope_, engine);
    return norm_->forward(heard, ways.x, level, Activation::kElu, engine);
  }

 private:
  double slope_;
  std::shared_ptr<Linear> linear_;
  std::shared_ptr<AttentionVectors> attention_;
  std::shared_ptr<Norm> norm_;
};

class Gat : public Network {
 public:
  Gat(const GnnOptions& options, Initialiser& initialiser)
      : options_(options),
        embedding_(register_module("embedding", std::make_shared<Embedding>(
                                                    options.features, options.width, initialiser))),
        layers_(register_module("layers", torch::nn::ModuleList())) {
    for (int l = 0; l < options.layers; ++l) {
      const int heads = l + 1 == options.layers ? 1 : options.heads;
      layers_->push_back(
          std::make_shared<GatLayer>(options.width, heads, options.slope, initialiser));
    }
    readout_ = register_module(
        "readout", std::make_shared<Readout>(options.width, options.classes, initialiser));
  }

  BatchRecipe recipe() const override {
    return {.layers = options_.layers, .aggregation = Aggregation::kAttention};
  }

  torch::Tensor forward(const Batch& batch) override {
    torch::Tensor x = embedding_->forward(batch);
    keep(x);
    for (std::size_t l = 0; l < layers_->size(); ++l) {
      x = layers_->at<GatLayer>(l).forward(x, batch.levels[l + 1], options_.engine);
      keep(x);
    }
    return readout_->forward(aggregate(x, *batch.levels.back().pool, options_.engine));
  }

 private:
  GnnOptions options_;
  std::shared_ptr<Embedding> embedding_;
  torch::nn::ModuleList layers_;
  std::shared_ptr<Readout> readout_;
};

}  // namespace

std::shared_ptr<Network> make_gat(const GnnOptions& options, Initialiser& initialiser) {
  return std::make_shared<Gat>(options, initialiser);
}

}  // namespace bermuda::nn
