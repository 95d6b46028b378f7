#pragma once

#include <memory>

#include "bermuda/nn/network.hpp"

namespace bermuda::nn {

struct GnnOptions {
  FeatureSpec features;
  int classes = 2;
  int layers = 6;
  int width = 146;  ///< of the node vectors; heads * head size for GAT
  int heads = 8;
  double slope = 0.2;  ///< of GAT's LeakyReLU
  double dropout = 0;  ///< of what a layer gives
  bool symmetric = false;
  bool residual = true;  ///< whether what a layer began with is added to what it gives
  Engine engine = Engine::kFused;
};

/// Biases in front of a batch normalisation cancel, so no layer has them.

/// Layer: X' = relu(norm(mean of X W over neighbours)) + X; Kipf and Welling (2017) normalise by
/// 1 / sqrt((d_u + 1)(d_v + 1)) with self loops instead (symmetric). Mean readout.
std::shared_ptr<Network> make_gcn(const GnnOptions& options, Initialiser& initialiser);

/// Xu et al. 2019. Layer: Z = ((1 + eps) X + sum of X over neighbours) W1,
/// X' = relu(norm(relu(norm(Z)) W2)) + X; scores of the sum-pooled X of every depth are added.
std::shared_ptr<Network> make_gin(const GnnOptions& options, Initialiser& initialiser);

/// Velickovic et al. 2018. Layer: X' = elu(norm(attention(X W))) + X; the last layer has one head
/// of full width. Mean readout.
std::shared_ptr<Network> make_gat(const GnnOptions& options, Initialiser& initialiser);

}  // namespace bermuda::nn
