#pragma once

#include "bermuda/nn/operators.hpp"
#include "bermuda/nn/stack.hpp"

namespace bermuda::nn::reference {

torch::Tensor index_tensor(const std::vector<int>& values, const torch::Tensor& like);
/// The target row of every entry.
torch::Tensor targets_of(const Relation& relation, const torch::Tensor& like);

/// The operators of operators.hpp in LibTorch's own, on the device of their input.
torch::Tensor aggregate(const torch::Tensor& x, const Relation& relation);
torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training);
torch::Tensor add_table_rows(const torch::Tensor& x, const torch::Tensor& table,
                             const std::vector<int>& places);
torch::Tensor stack(const torch::Tensor& x, const std::vector<StackStep>& steps, const Batch& batch,
                    bool training, std::vector<torch::Tensor>* trace);
torch::Tensor embed_topology(const torch::Tensor& tables, const TopologyShape& shape,
                             const torch::Tensor& table_rows, const Batch& batch);
torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& weights,
                     const EncoderShape& shape, const Batch& batch, bool masked);

}  // namespace bermuda::nn::reference
