#include <torch/torch.h>

#include "bermuda/nn/gnn.hpp"

namespace bermuda::nn {
namespace {

class GcnLayer : public torch::nn::Module {
 public:
  GcnLayer(int width, Initialiser& initialiser)
      : linear_(
            register_module("linear", std::make_shared<Linear>(width, width, false, initialiser))),
        norm_(register_module("norm", std::make_shared<Norm>(width))) {}

  torch::Tensor forward(const torch::Tensor& x, const Level& level, Engine engine) const {
    // A linear map commutes with a weighted sum; in this order it runs on the fewer rows above.
    const Forked ways = fork(x, linear_->weight, {}, engine);
    const torch::Tensor heard = aggregate(ways.first, *level.neighbours, engine);
    return norm_->forward(heard, ways.x, level, Activation::kRelu, engine);
  }

 private:
  std::shared_ptr<Linear> linear_;
  std::shared_ptr<Norm> norm_;
};

class Gcn : public Network {
 public:
  Gcn(const GnnOptions& options, Initialiser& initialiser)
      : options_(options),
        embedding_(register_module("embedding", std::make_shared<Embedding>(
                                                    options.features, options.width, initialiser))),
        layers_(register_module("layers", torch::nn::ModuleList())) {
    for (int l = 0; l < options.layers; ++l) {
      layers_->push_back(std::make_shared<GcnLayer>(options.width, initialiser));
    }
    readout_ = register_module(
        "readout", std::make_shared<Readout>(options.width, options.classes, initialiser));
  }

  BatchRecipe recipe() const override {
    return {.layers = options_.layers,
            .aggregation = options_.symmetric ? Aggregation::kSymmetric : Aggregation::kMean};
  }

  torch::Tensor forward(const Batch& batch) override {
    torch::Tensor x = embedding_->forward(batch);
    keep(x);
    for (std::size_t l = 0; l < layers_->size(); ++l) {
      x = layers_->at<GcnLayer>(l).forward(x, batch.levels[l + 1], options_.engine);
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

std::shared_ptr<Network> make_gcn(const GnnOptions& options, Initialiser& initialiser) {
  return std::make_shared<Gcn>(options, initialiser);
}

}  // namespace bermuda::nn
