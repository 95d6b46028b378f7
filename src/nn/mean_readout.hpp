#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "gnn_layers.hpp"

namespace bermuda::nn {

/// Embedding, layers, mean of each graph's nodes, fully connected readout. A Layer is made of
/// (options, its place, initialiser); see run_layers().
template <class Layer>
class MeanReadoutNetwork : public Network {
 public:
  MeanReadoutNetwork(const GnnOptions& options, Aggregation aggregation, Initialiser& initialiser)
      : options_(options),
        aggregation_(aggregation),
        embedding_(register_module("embedding", std::make_shared<Embedding>(
                                                    options.features, options.width, initialiser))),
        layers_(register_module("layers", torch::nn::ModuleList())) {
    for (int l = 0; l < options.layers; ++l) {
      layers_->push_back(std::make_shared<Layer>(options, l, initialiser));
    }
    readout_ = register_module(
        "readout", std::make_shared<Readout>(options.width, options.classes, initialiser));
  }

  BatchRecipe recipe() const override {
    return {.layers = options_.layers,
            .aggregation = aggregation_,
            .each_its_own = options_.dropout > 0};
  }

  torch::Tensor forward(const Batch& batch) override {
    return readout_->forward(run_layers<Layer>(*this, *embedding_, *layers_, options_, batch));
  }

 private:
  GnnOptions options_;
  Aggregation aggregation_;
  std::shared_ptr<Embedding> embedding_;
  torch::nn::ModuleList layers_;
  std::shared_ptr<Readout> readout_;
};

}  // namespace bermuda::nn
