// A network of one's own on Bermuda's engine, as a plug-in: deep sets (Zaheer et al. 2017). Nodes
// are transformed each for itself and added up; no node ever hears of another, so that all it can
// know of the edges is how many each node has.
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "bermuda/method/plugin.hpp"
#include "bermuda/train/neural_method.hpp"

namespace {

using namespace bermuda;

class DeepSets : public nn::Network {
 public:
  DeepSets(const nn::FeatureSpec& spec, int layers, int width, int classes, nn::Engine engine,
           nn::Initialiser& initialiser)
      : engine_(engine) {
    embedding_ =
        register_module("embedding", std::make_shared<nn::Embedding>(spec, width, initialiser));
    for (int l = 0; l < layers; ++l) {
      const std::string number = std::to_string(l);
      linear_.push_back(register_module(
          "linear" + number, std::make_shared<nn::Linear>(width, width, false, initialiser)));
      norm_.push_back(register_module("norm" + number, std::make_shared<nn::Norm>(width)));
    }
    readout_ =
        register_module("readout", std::make_shared<nn::Readout>(width, classes, initialiser));
  }

  // No rounds of message passing: the features' rows are the only ones. Pools add up.
  nn::BatchRecipe recipe() const override { return {.layers = 0, .mean_pool = false}; }

  torch::Tensor forward(const nn::Batch& batch) override {
    const nn::Level& nodes = batch.levels.front();
    torch::Tensor x = embedding_->forward(batch);
    for (std::size_t l = 0; l < linear_.size(); ++l) {
      x = norm_[l]->forward(linear_[l]->forward(x), x, nodes, nn::Activation::kRelu, engine_);
    }
    return readout_->forward(nn::aggregate(x, nodes.pool, engine_));
  }

 private:
  nn::Engine engine_;
  std::shared_ptr<nn::Embedding> embedding_;
  std::vector<std::shared_ptr<nn::Linear>> linear_;
  std::vector<std::shared_ptr<nn::Norm>> norm_;
  std::shared_ptr<nn::Readout> readout_;
};

class DeepSetsMethod : public train::NeuralMethod {
 public:
  DeepSetsMethod() : NeuralMethod("deep-sets", {.degree = true}) {}

 protected:
  void add_parameters(ParameterSet& set) override {
    set.add("layers", layers_, 1, 64, "that each node goes through")
        .add("width", width_, 1, 4096, "of a node's vector");
  }

  std::shared_ptr<nn::Network> make_network(const nn::FeatureSpec& spec, int classes,
                                            nn::Initialiser& initialiser) const override {
    return std::make_shared<DeepSets>(spec, layers_, width_, classes, engine(), initialiser);
  }

  double least_parameters() const override {
    return static_cast<double>(layers_) * width_ * width_;
  }

 private:
  int layers_ = 2;
  int width_ = 64;
};

}  // namespace

BERMUDA_PLUGIN(registry) {
  registry.add({"deep-sets", "Nodes each for itself, added up: blind to edges but for degrees",
                [] { return std::make_unique<DeepSetsMethod>(); }});
}
