#pragma once

#include "bermuda/nn/operators.hpp"

namespace bermuda::nn::reference {

/// The operators of operators.hpp in LibTorch's own, on the device of their input.
Forked fork(const torch::Tensor& x, const torch::Tensor& first, const torch::Tensor& second);
torch::Tensor aggregate(const torch::Tensor& x, const Relation& relation);
torch::Tensor aggregate_with_self(const torch::Tensor& x, const torch::Tensor& self,
                                  const Level& level);
torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training);
torch::Tensor attend(const torch::Tensor& z, const torch::Tensor& source,
                     const torch::Tensor& target, const Level& level, double slope);

}  // namespace bermuda::nn::reference
