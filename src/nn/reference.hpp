#pragma once

#include "bermuda/nn/operators.hpp"

namespace bermuda::nn::reference {

torch::Tensor index_tensor(const std::vector<int>& values, const torch::Tensor& like);
/// The target row of every entry.
torch::Tensor targets_of(const Relation& relation, const torch::Tensor& like);

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
torch::Tensor embed_topology(const torch::Tensor& tables, const TopologyShape& shape,
                             const torch::Tensor& table_rows, const Batch& batch);
torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& weights,
                     const EncoderShape& shape, const Batch& batch, bool masked);

}  // namespace bermuda::nn::reference
