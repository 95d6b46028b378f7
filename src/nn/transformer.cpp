#include "bermuda/nn/transformer.hpp"

#include <torch/torch.h>

#include <cmath>

#include "topology.hpp"

namespace bermuda::nn {
namespace {

/// The weights of one layer, laid end to end, with PyTorch's customary first values; those of
/// queries, keys and what is added to x are larger by a gain.
torch::Tensor first_weights(const EncoderShape& shape, double gain, Initialiser& initialiser) {
  const double width = shape.width;
  const double inner = 1 / std::sqrt(width);
  const double outer = 1 / std::sqrt(static_cast<double>(shape.hidden));
  const torch::Tensor ones = torch::ones({shape.width});
  const torch::Tensor zeros = torch::zeros({shape.width});
  std::vector<torch::Tensor> parts;
  // Glorot's bound for the three maps together, as in nn.MultiheadAttention.
  torch::Tensor qkv =
      initialiser.uniform({3 * shape.width, shape.width}, std::sqrt(6 / (4 * width)));
  qkv.narrow(0, 0, 2 * shape.width).mul_(gain);
  parts.push_back(qkv);
  parts.push_back(torch::zeros({3 * shape.width}));
  parts.push_back(initialiser.uniform({shape.width, shape.width}, gain * inner));
  parts.insert(parts.end(), {zeros, ones, zeros});
  parts.push_back(initialiser.uniform({shape.hidden, shape.width}, inner));
  parts.push_back(initialiser.uniform({shape.hidden}, inner));
  parts.push_back(initialiser.uniform({shape.width, shape.hidden}, gain * outer));
  parts.push_back(initialiser.uniform({shape.width}, outer));
  parts.insert(parts.end(), {ones, zeros});
  for (torch::Tensor& part : parts) part = part.flatten();
  return torch::cat(parts);
}

/// See TransformerOptions::matching. A first vector begins with the sum over neighbours and ends
/// with the own row of E.
void match_neighbours(const EncoderShape& shape, int embedding, double gain,
                      Initialiser& initialiser, torch::Tensor& weights) {
  const EncoderLayout layout(shape);
  const std::int64_t width = shape.width;
  const torch::Tensor projection =
      initialiser.normal({width, embedding}, gain / std::sqrt(static_cast<double>(embedding)));
  const torch::Tensor qkv =
      weights.narrow(0, static_cast<std::int64_t>(layout.qkv), 2 * width * width)
          .view({2 * width, width});
  qkv.narrow(0, 0, width).zero_().narrow(1, 0, embedding).copy_(projection);
  qkv.narrow(0, width, width).zero_().narrow(1, width - embedding, embedding).copy_(projection);
}

class Transformer : public Network {
 public:
  Transformer(const TransformerOptions& options, Initialiser& initialiser) : options_(options) {
    topology_ = register_module(
        "topology", std::make_shared<Topology>(options.topology, options.engine, initialiser));
    const int width = options.shape.width;
    if (topology_->shape().columns() != width) {
      project_ = register_module("project", std::make_shared<Linear>(topology_->shape().columns(),
                                                                     width, true, initialiser));
    }
    for (int l = 0; l < options.layers; ++l) {
      torch::Tensor weights = first_weights(options.shape, options.gain, initialiser);
      if (options.matching > 0 && !project_ && l >= options.mask_layers) {
        match_neighbours(options.shape, options.topology.width, options.matching, initialiser,
                         weights);
      }
      layers_.push_back(register_parameter("layer" + std::to_string(l), weights));
    }
    if (options.shape.norm_first) {
      norm_ = register_parameter("norm", torch::ones({width}));
      norm_bias_ = register_parameter("norm_bias", torch::zeros({width}));
    }
    if (options.pool_norm) {
      pool_norm_ = register_module("pool_norm", std::make_shared<Norm>(width));
    }
    hidden_ = register_module("hidden", std::make_shared<Linear>(width, width, true, initialiser));
    scores_ = register_module("scores",
                              std::make_shared<Linear>(width, options.classes, true, initialiser));
  }

  BatchRecipe recipe() const override {
    return {.layers = 1,
            .aggregation = Aggregation::kSum,
            .mean_pool = options_.mean_pool,
            .whole_graphs = true};
  }

  torch::Tensor forward(const Batch& batch) override {
    torch::Tensor x = topology_->forward(batch, pass);
    if (project_) x = project_->forward(x);
    keep(x);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const torch::Tensor y =
          encode(x, layers_[l], options_.shape, batch, masked(l), options_.engine);
      // What a layer adds is dropped, not what came in.
      x = is_training() && options_.dropout > 0 ? x + drop_out(y - x, options_.dropout, l) : y;
      keep(x);
    }
    if (norm_.defined()) x = torch::layer_norm(x, {x.size(1)}, norm_, norm_bias_);
    x = aggregate(x, batch.levels.back().pool, options_.engine);
    if (pool_norm_) {
      x = pool_norm_->forward(x, {}, batch.pooled, Activation::kNone, options_.engine);
    }
    return scores_->forward(torch::relu(hidden_->forward(x)));
  }

  int attention_layers() const override { return options_.layers; }
  std::vector<torch::Tensor> attention(int layer, const torch::Tensor& x,
                                       const Batch& batch) const override {
    const auto l = static_cast<std::size_t>(layer);
    return attention_maps(x, layers_[l], options_.shape, batch, masked(l));
  }

 private:
  bool masked(std::size_t layer) const { return static_cast<int>(layer) < options_.mask_layers; }

  TransformerOptions options_;
  std::shared_ptr<Topology> topology_;
  std::shared_ptr<Linear> project_;  // absent where the first vectors fit
  std::vector<torch::Tensor> layers_;
  torch::Tensor norm_;
  torch::Tensor norm_bias_;
  std::shared_ptr<Norm> pool_norm_;
  std::shared_ptr<Linear> hidden_;
  std::shared_ptr<Linear> scores_;
};

class Fcnn : public Network {
 public:
  Fcnn(const FcnnOptions& options, Initialiser& initialiser) : options_(options) {
    topology_ = register_module(
        "topology", std::make_shared<Topology>(options.topology, options.engine, initialiser));
    int inputs =
        options.by_node ? topology_->shape().columns() : core_rows() * topology_->shape().width;
    if (options.core_norm) {
      const int normed = options.by_node && options.layers > 0 ? options.width : inputs;
      core_norm_ = register_module("core_norm", std::make_shared<Norm>(normed));
    }
    for (int l = 0; l <= options.layers; ++l) {
      const int outputs = l < options.layers ? options.width : options.classes;
      layers_.push_back(
          register_module("layer" + std::to_string(l),
                          std::make_shared<Linear>(inputs, outputs, true, initialiser)));
      inputs = outputs;
    }
  }

  BatchRecipe recipe() const override {
    return {
        .layers = 1, .aggregation = Aggregation::kSum, .mean_pool = false, .whole_graphs = true};
  }

  torch::Tensor forward(const Batch& batch) override {
    const torch::Tensor x = topology_->forward(batch, pass);
    keep(x);
    if (options_.by_node) return layers_.back()->forward(norm(pool(hidden(x), batch), batch));
    return layers_.back()->forward(hidden(norm(core(x, batch), batch)));
  }

 private:
  torch::Tensor core(const torch::Tensor& x, const Batch& batch) {
    // A node's vector ends with its row of E: the mode product of the main mode with E sums the
    // outer products of the rest with that.
    const torch::Tensor rest = x.narrow(1, 0, core_rows());
    const torch::Tensor own = x.narrow(1, core_rows(), topology_->shape().width);
    return pool((rest.unsqueeze(2) * own.unsqueeze(1)).flatten(1), batch);
  }

  /// The sum over the nodes of each graph.
  torch::Tensor pool(const torch::Tensor& x, const Batch& batch) {
    const torch::Tensor pooled = aggregate(x, batch.levels.back().pool, options_.engine);
    keep(pooled);
    return pooled;
  }

  torch::Tensor norm(const torch::Tensor& x, const Batch& batch) {
    if (!core_norm_) return x;
    return core_norm_->forward(x, {}, batch.pooled, Activation::kNone, options_.engine);
  }

  torch::Tensor hidden(torch::Tensor x) {
    for (std::size_t l = 0; l + 1 < layers_.size(); ++l) x = torch::relu(layers_[l]->forward(x));
    return x;
  }

  int core_rows() const { return topology_->shape().columns() - topology_->shape().width; }

  FcnnOptions options_;
  std::shared_ptr<Topology> topology_;
  std::shared_ptr<Norm> core_norm_;  // absent where it is not wanted
  std::vector<std::shared_ptr<Linear>> layers_;
};

}  // namespace

std::shared_ptr<Network> make_transformer(const TransformerOptions& options,
                                          Initialiser& initialiser) {
  return std::make_shared<Transformer>(options, initialiser);
}

std::shared_ptr<Network> make_fcnn(const FcnnOptions& options, Initialiser& initialiser) {
  return std::make_shared<Fcnn>(options, initialiser);
}

}  // namespace bermuda::nn
