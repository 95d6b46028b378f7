#pragma once

#include <torch/types.h>

#include "bermuda/nn/batch.hpp"
#include "bermuda/nn/transformer_kernels.hpp"

namespace bermuda::nn {

/// What networks are made of, besides matrix products; stack.hpp has the layers of the graph neural
/// networks as a whole. Each is differentiable and exists twice:
/// fused (the kernels of kernels.hpp; one processor, float or double) and as a reference in
/// LibTorch's own operators, for any device and as the measure of the first. What an operator needs
/// of a batch on the way back it owns together with the batch, which may be gone by then.
enum class Engine { kFused, kReference };

/// y[t] = sum of weight x[source] over the entries of a relation; x [sources, width].
torch::Tensor aggregate(const torch::Tensor& x, const std::shared_ptr<const Relation>& relation,
                        Engine engine);

/// y[r] = x[r] + table[places[r]]; a negative place adds nothing.
torch::Tensor add_table_rows(const torch::Tensor& x, const torch::Tensor& table,
                             const std::vector<int>& places, Engine engine);

/// The state of a batch normalisation (Ioffe and Szegedy 2015) over the nodes that rows stand for.
struct NormState {
  torch::Tensor weight;
  torch::Tensor bias;
  torch::Tensor running_mean;
  torch::Tensor running_variance;
  double momentum = 0.1;
  double epsilon = 1e-5;
};

/// activation(norm(z)) + residual[own]; z [level.rows, width], residual has the rows of the level
/// above and may be undefined. In training, statistics of the batch, which enter the running ones.
torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training, Engine engine);

/// First vectors of the nodes of a batch whose recipe is `whole_graphs`: the paper's initial
/// embeddings, as bermuda::tensor's plan for modes i, j, label of i, label of j, label of the edge
/// gives them, in that set's order. `tables` holds the tables of TopologyLayout; `table_rows`
/// (int) says which row of E each node has, negative for none.
torch::Tensor embed_topology(const torch::Tensor& tables, const TopologyShape& shape,
                             const torch::Tensor& table_rows, const Batch& batch, Engine engine);

/// One Transformer layer over such a batch, within each graph; see EncoderArgs. `weights` is laid
/// out by EncoderLayout. With `masked` a node attends to its neighbours and itself only.
torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& weights,
                     const EncoderShape& shape, const Batch& batch, bool masked, Engine engine);

/// The attention of that layer in each graph: [heads, nodes, nodes], row attends to column.
std::vector<torch::Tensor> attention_maps(const torch::Tensor& x, const torch::Tensor& weights,
                                          const EncoderShape& shape, const Batch& batch,
                                          bool masked);

}  // namespace bermuda::nn
