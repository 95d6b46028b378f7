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

  torch::Tensor forward(const torch::Tensor& x, const Level& level, Engine engine) const {
    // A linear map commutes with a weighted sum; in this order it runs on the fewer rows above.
    const Forked ways = fork(x, linear_->weight, {}, engine);
    const torch::Tensor heard = aggregate(ways.first, level.neighbours, engine);
    return norm_->forward(heard, ways.x, level, Activation::kRelu, engine);
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
