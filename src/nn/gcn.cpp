#include <torch/torch.h>

#include "bermuda/nn/gnn.hpp"
#include "mean_readout.hpp"

namespace bermuda::nn {
namespace {

class GcnLayer : public torch::nn::Module {
 public:
  GcnLayer(const GnnOptions& options, int /*place*/, Initialiser& initialiser)
      : linear_(register_module(
            "linear", std::make_shared<Linear>(options.width, options.width, false, initialiser))),
        norm_(register_module("norm", std::make_shared<Norm>(options.width))) {}

  void add_steps(int level, std::vector<StackStep>& steps) const {
    steps.push_back({.spread = Spread::kSum,
                     .level = level,
                     .weight = linear_->weight,
                     .norm = norm_->state(),
                     .activation = Activation::kRelu});
  }

 private:
  std::shared_ptr<Linear> linear_;
  std::shared_ptr<Norm> norm_;
};

}  // namespace

std::shared_ptr<Network> make_gcn(const GnnOptions& options, Initialiser& initialiser) {
  return std::make_shared<MeanReadoutNetwork<GcnLayer>>(
      options, options.symmetric ? Aggregation::kSymmetric : Aggregation::kMean, initialiser);
}

}  // namespace bermuda::nn
