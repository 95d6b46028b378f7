#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "bermuda/core/random.hpp"
#include "bermuda/nn/batch.hpp"
#include "bermuda/nn/operators.hpp"

namespace bermuda::nn {

/// Draws first values of parameters. The n-th tensor drawn is a pure function of (seed, n).
class Initialiser {
 public:
  explicit Initialiser(std::uint64_t seed) : seed_(seed) {}
  torch::Tensor uniform(std::initializer_list<std::int64_t> shape, double bound);
  torch::Tensor normal(std::initializer_list<std::int64_t> shape, double deviation);

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

/// A network that classifies the graphs of a batch.
class Network : public torch::nn::Module {
 public:
  /// Logits, [graphs, classes].
  virtual torch::Tensor forward(const Batch& batch) = 0;
  virtual BatchRecipe recipe() const = 0;

  /// Which pass this is: what is random in one is a function of it.
  struct Pass {
    std::uint64_t seed = 0;
    std::uint64_t step = 0;   ///< of training
    std::uint32_t epoch = 0;  ///< of training; evaluation after it draws anew
    std::uint32_t round = 0;  ///< of evaluation, where one averages several
  };
  Pass pass;

  /// How much of the running statistics of batch norms a training batch replaces, 0.1 at first.
  void set_norm_momentum(double momentum);

  /// Where set, forward() leaves the rows of every level here, the features' level first.
  std::vector<torch::Tensor>* trace = nullptr;

  /// Layers with attention, from 0, whose maps attention() gives.
  virtual int attention_layers() const { return 0; }
  /// Of each graph, [heads, nodes, nodes], given the rows of the level that the layer reads.
  virtual std::vector<torch::Tensor> attention(int /*layer*/, const torch::Tensor& /*x*/,
                                               const Batch& /*batch*/) const {
    return {};
  }

  void keep(const torch::Tensor& x) const {
    if (trace != nullptr) trace->push_back(x);
  }
  /// What drop_out() multiplies with, [rows, width]; undefined where it does nothing.
  torch::Tensor drop_out_mask(std::int64_t rows, std::int64_t width, double probability,
                              std::size_t place) const;

 protected:
  /// In training, zeroes each number with this probability and scales up the others; `place` tells
  /// the layers of a network apart.
  torch::Tensor drop_out(const torch::Tensor& x, double probability, std::size_t place) const;
};

/// x W^T + b as in torch::nn::Linear, with its customary first values, uniform within
/// 1 / sqrt(inputs), drawn from our own stream.
class Linear : public torch::nn::Module {
 public:
  Linear(int inputs, int outputs, bool with_bias, Initialiser& initialiser);
  torch::Tensor forward(const torch::Tensor& x) const;
  torch::Tensor weight;
  torch::Tensor bias;
};

/// Batch normalisation over nodes, fused with what follows it; see normalise() in operators.hpp.
class Norm : public torch::nn::Module {
 public:
  explicit Norm(int width);
  torch::Tensor forward(const torch::Tensor& z, const torch::Tensor& residual, const Level& level,
                        Activation activation, Engine engine) const;
  const NormState& state() const { return state_; }
  void set_momentum(double momentum) { state_.momentum = momentum; }

 private:
  NormState state_;
};

/// First vectors of nodes: a table with one row per feature, X0 = F table + bias.
class Embedding : public torch::nn::Module {
 public:
  Embedding(const FeatureSpec& spec, int width, Initialiser& initialiser);
  torch::Tensor forward(const Batch& batch, Engine engine = Engine::kFused) const;

 private:
  int dense_;
  torch::Tensor weight_;
  torch::Tensor bias_;
};

/// Fully connected layers width - width/2 - width/4 - classes with ReLU between.
class Readout : public torch::nn::Module {
 public:
  Readout(int width, int classes, Initialiser& initialiser);
  torch::Tensor forward(torch::Tensor x) const;

 private:
  std::vector<std::shared_ptr<Linear>> layers_;
};

}  // namespace bermuda::nn
