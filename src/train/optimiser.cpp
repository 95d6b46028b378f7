#include "bermuda/train/optimiser.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "bermuda/method/bytes.hpp"
#include "bermuda/nn/kernels.hpp"

namespace bermuda::train {

FlatParameters::FlatParameters(nn::Network& network) {
  const torch::NoGradGuard no_grad;
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : network.parameters()) count += parameter.numel();
  const auto type = count > 0 ? network.parameters().front().scalar_type() : torch::kFloat;
  values = torch::empty({count}, type);
  gradients = torch::zeros({count}, type);
  std::int64_t place = 0;
  for (torch::Tensor& parameter : network.parameters()) {
    const torch::Tensor view = values.narrow(0, place, parameter.numel()).view(parameter.sizes());
    view.copy_(parameter);
    parameter.set_data(view);
    parameter.mutable_grad() =
        gradients.narrow(0, place, parameter.numel()).view(parameter.sizes());
    place += parameter.numel();
  }
  for (const auto& buffer : network.named_buffers()) {
    buffers_.push_back(buffer.value());
    if (buffer.key().ends_with("running_var")) variances_.push_back(buffer.value());
  }
}

std::size_t FlatParameters::buffer_count() const {
  std::size_t count = 0;
  for (const torch::Tensor& buffer : buffers_) count += static_cast<std::size_t>(buffer.numel());
  return count;
}

std::vector<float> FlatParameters::buffers() const {
  std::vector<float> all;
  for (const torch::Tensor& buffer : buffers_) {
    all.insert(all.end(), buffer.data_ptr<float>(), buffer.data_ptr<float>() + buffer.numel());
  }
  return all;
}

void FlatParameters::set_buffers(const std::vector<float>& all) {
  if (all.size() != buffer_count()) throw BytesError("running statistics of another network");
  const float* next = all.data();
  for (const torch::Tensor& buffer : buffers_) {
    std::copy(next, next + buffer.numel(), buffer.data_ptr<float>());
    next += buffer.numel();
  }
  for (const torch::Tensor& variance : variances_) {
    const float* first = variance.data_ptr<float>();
    if (std::any_of(first, first + variance.numel(), [](float value) { return value < 0; })) {
      throw BytesError("a running variance below zero");
    }
  }
}

Adam::Adam(FlatParameters& parameters, WeightDecay decay)
    : first(torch::zeros_like(parameters.values)),
      second(torch::zeros_like(parameters.values)),
      parameters_(parameters),
      decay_(decay) {}

void Adam::step(double learning_rate) {
  ++steps;
  const auto run = [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    nn::AdamArgs<T> args{.parameters = parameters_.values.data_ptr<T>(),
                         .gradients = parameters_.gradients.data_ptr<T>(),
                         .first = first.data_ptr<T>(),
                         .second = second.data_ptr<T>(),
                         .learning_rate = static_cast<T>(learning_rate),
                         .weight_decay = static_cast<T>(decay_.inside),
                         .shrink = static_cast<T>(1 - learning_rate * decay_.decoupled)};
    const auto count = static_cast<double>(steps);
    args.correction1 = static_cast<T>(1 - std::pow(static_cast<double>(args.beta1), count));
    args.correction2 =
        static_cast<T>(std::sqrt(1 - std::pow(static_cast<double>(args.beta2), count)));
    nn::adam_step(args, static_cast<std::size_t>(parameters_.values.numel()));
  };
  if (parameters_.values.scalar_type() == torch::kDouble) {
    run(static_cast<double*>(nullptr));
  } else {
    run(static_cast<float*>(nullptr));
  }
}

WeightAverage::WeightAverage(const FlatParameters& parameters, double decay) : decay_(decay) {
  if (is_on()) values = parameters.values.clone();
}

void WeightAverage::observe(const FlatParameters& parameters, std::int64_t step) {
  if (!is_on()) return;
  const auto t = static_cast<double>(step);
  values.lerp_(parameters.values, 1 - std::min(decay_, (1 + t) / (10 + t)));
}

}  // namespace bermuda::train
