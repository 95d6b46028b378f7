#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <cstdint>

#include "bermuda/nn/operators.hpp"

namespace bermuda::nn::fused {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Function::apply hands on tensors and plain values; what a batch owns goes as an address.
template <typename Thing>
std::int64_t address(const Thing& thing) {
  return reinterpret_cast<std::int64_t>(&thing);
}
template <typename Thing>
const Thing& thing_at(std::int64_t address) {
  return *reinterpret_cast<const Thing*>(address);
}

/// Calls body with a null pointer of the tensor's number type.
template <class Body>
void with_type(const torch::Tensor& tensor, const Body& body) {
  TORCH_CHECK(tensor.device().is_cpu(), "the fused operators run on the processor");
  if (tensor.scalar_type() == torch::kDouble) return body(static_cast<double*>(nullptr));
  TORCH_CHECK(tensor.scalar_type() == torch::kFloat, "the fused operators take float or double");
  body(static_cast<float*>(nullptr));
}

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

/// dx[parent] = sum of dy over the children of each row above.
torch::Tensor sum_children(const torch::Tensor& dy, const Level& level);

}  // namespace bermuda::nn::fused
