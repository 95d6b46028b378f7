#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>
#include <torch/types.h>

#include <memory>
#include <utility>

#include "bermuda/nn/operators.hpp"
#include "bermuda/nn/stack.hpp"

namespace bermuda::nn::fused {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What an operator needs on the way back besides tensors: hold() it on the way there, in copies
/// that share what a batch owns.
template <class Thing>
struct Held : torch::CustomClassHolder {
  explicit Held(Thing a_thing) : thing(std::move(a_thing)) {}
  Thing thing;
};
template <class Thing>
void hold(AutogradContext* context, Thing thing) {
  context->saved_data["held"] =
      c10::IValue::make_capsule(c10::make_intrusive<Held<Thing>>(std::move(thing)));
}
template <class Thing>
Thing held(AutogradContext* context) {
  return static_cast<const Held<Thing>&>(*context->saved_data["held"].toCapsule()).thing;
}

/// What operators over whole graphs read of a batch.
struct Wholes {
  explicit Wholes(const Batch& batch)
      : graphs(batch.graphs),
        nodes(batch.nodes),
        graph_offsets(batch.graph_offsets),
        node_labels(batch.node_labels),
        edge_labels(batch.edge_labels),
        neighbours(batch.levels.back().neighbours) {}
  int graphs;
  int nodes;
  SharedArray<int> graph_offsets;
  SharedArray<int> node_labels;
  SharedArray<int> edge_labels;
  std::shared_ptr<const Relation> neighbours;
};

/// Calls body with a null pointer of the tensor's number type.
template <class Body>
void with_type(const torch::Tensor& tensor, const Body& body) {
  TORCH_CHECK(tensor.device().is_cpu(), "the fused operators run on the processor");
  if (tensor.scalar_type() == torch::kDouble) return body(static_cast<double*>(nullptr));
  TORCH_CHECK(tensor.scalar_type() == torch::kFloat, "the fused operators take float or double");
  body(static_cast<float*>(nullptr));
}

torch::Tensor aggregate(const torch::Tensor& x, const std::shared_ptr<const Relation>& relation);
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

/// dx[parent] = sum of dy over the children of each row above.
torch::Tensor sum_children(const torch::Tensor& dy, const Level& level);

}  // namespace bermuda::nn::fused
