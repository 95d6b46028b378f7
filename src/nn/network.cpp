#include "bermuda/nn/network.hpp"

#include <torch/torch.h>

#include <cmath>

namespace bermuda::nn {
namespace {

template <class Draw>
torch::Tensor filled(std::initializer_list<std::int64_t> shape, const Draw& draw) {
  torch::Tensor values = torch::empty(shape, torch::kFloat);
  float* numbers = values.data_ptr<float>();
  for (std::int64_t i = 0; i < values.numel(); ++i) numbers[i] = static_cast<float>(draw());
  return values;
}

}  // namespace

torch::Tensor Initialiser::uniform(std::initializer_list<std::int64_t> shape, double bound) {
  RandomStream stream(seed_, Purpose::kWeights, drawn_++);
  return filled(shape, [&] { return bound * (2 * stream.uniform() - 1); });
}

torch::Tensor Initialiser::normal(std::initializer_list<std::int64_t> shape, double deviation) {
  RandomStream stream(seed_, Purpose::kWeights, drawn_++);
  return filled(shape, [&] { return deviation * stream.normal(); });
}

void Network::set_norm_momentum(double momentum) {
  for (const auto& module : modules()) {
    if (auto* norm = module->as<Norm>()) norm->set_momentum(momentum);
  }
}

torch::Tensor Network::drop_out_mask(std::int64_t rows, std::int64_t width, double probability,
                                     std::size_t place) const {
  if (!is_training() || probability <= 0) return {};
  RandomStream stream(pass.seed, Purpose::kDropout, pass.step, static_cast<std::uint32_t>(place));
  torch::Tensor mask = torch::empty({rows, width}, torch::kFloat);
  float* numbers = mask.data_ptr<float>();
  const auto kept = static_cast<float>(1 / (1 - probability));
  for (std::int64_t i = 0; i < mask.numel(); ++i) {
    numbers[i] = stream.uniform() < probability ? 0 : kept;
  }
  return mask;
}

torch::Tensor Network::drop_out(const torch::Tensor& x, double probability,
                                std::size_t place) const {
  const torch::Tensor mask = drop_out_mask(x.size(0), x.size(1), probability, place);
  return mask.defined() ? x * mask.to(x.device(), x.scalar_type()) : x;
}

Linear::Linear(int inputs, int outputs, bool with_bias, Initialiser& initialiser) {
  const double bound = 1 / std::sqrt(static_cast<double>(std::max(inputs, 1)));
  weight = register_parameter("weight", initialiser.uniform({outputs, inputs}, bound));
  if (with_bias) bias = register_parameter("bias", initialiser.uniform({outputs}, bound));
}

torch::Tensor Linear::forward(const torch::Tensor& x) const {
  return bias.defined() ? torch::addmm(bias, x, weight.t()) : torch::mm(x, weight.t());
}

Norm::Norm(int width) {
  state_.weight = register_parameter("weight", torch::ones({width}));
  state_.bias = register_parameter("bias", torch::zeros({width}));
  state_.running_mean = register_buffer("running_mean", torch::zeros({width}));
  state_.running_variance = register_buffer("running_var", torch::ones({width}));
}

torch::Tensor Norm::forward(const torch::Tensor& z, const torch::Tensor& residual,
                            const Level& level, Activation activation, Engine engine) const {
  return normalise(z, state_, residual, level, activation, is_training(), engine);
}

Embedding::Embedding(const FeatureSpec& spec, int width, Initialiser& initialiser)
    : dense_(spec.dense_columns()) {
  const double bound = 1 / std::sqrt(static_cast<double>(spec.columns()));
  weight_ = register_parameter("weight", initialiser.uniform({spec.columns(), width}, bound));
  bias_ = register_parameter("bias", initialiser.uniform({width}, bound));
}

torch::Tensor Embedding::forward(const Batch& batch, Engine engine) const {
  // Read in place, again on the way back: the tensor shares the array with the batch.
  const torch::Tensor features =
      torch::from_blob(
          const_cast<float*>(batch.features.data()), {batch.levels.front().rows, dense_},
          [kept = batch.features](void*) {}, torch::kFloat)
          .to(weight_.device(), weight_.scalar_type());
  const torch::Tensor x = torch::addmm(bias_, features, weight_.narrow(0, 0, dense_));
  if (batch.indices.empty()) return x;
  // An index that training never saw adds nothing.
  const torch::Tensor table = weight_.narrow(0, dense_, weight_.size(0) - dense_);
  return add_table_rows(x, table, batch.indices, engine);
}

Readout::Readout(int width, int classes, Initialiser& initialiser) {
  const int widths[] = {width, std::max(width / 2, 1), std::max(width / 4, 1), classes};
  for (int i = 0; i < 3; ++i) {
    layers_.push_back(register_module(
        std::to_string(i), std::make_shared<Linear>(widths[i], widths[i + 1], true, initialiser)));
  }
}

torch::Tensor Readout::forward(torch::Tensor x) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    x = layers_[i]->forward(x);
    if (i + 1 < layers_.size()) x = torch::relu(x);
  }
  return x;
}

}  // namespace bermuda::nn
