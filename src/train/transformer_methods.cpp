#include <algorithm>
#include <optional>

#include "bermuda/core/error.hpp"
#include "bermuda/nn/transformer.hpp"
#include "bermuda/train/neural_method.hpp"
#include "register.hpp"

namespace bermuda::train {
namespace {

/// First values, where the options leave them open.
struct Start {
  double scale;
  double shift;
  double gain;
  bool half_alike = false;
};
constexpr Start kDistinct{1, 0, 1};
constexpr Start kAlike{nn::kAlikeScale, nn::kAlikeShift, 3};
constexpr Start kBoth{1, 0, 3, true};

constexpr NodeFeatures kIndexAndLabels{.index = true, .edge_labels = true};

/// What the methods have in common that start from the paper's embeddings.
class TopologyMethod : public NeuralMethod {
 protected:
  TopologyMethod(std::string name, bool shuffle) : NeuralMethod(std::move(name), kIndexAndLabels) {
    topology_.shuffle = shuffle;
  }

  void add_topology_parameters(ParameterSet& set) {
    set.add("embedding", topology_.width, 1, 1024, "numbers that stand for a node index")
        .add("start", start_, {"auto", "distinct", "alike", "both"},
             "first values: distinct, node indices have unrelated vectors; alike, almost the same, "
             "so that degrees show, and larger weights; both, one half of each; auto: the better "
             "one "
             "of a short trial of distinct and alike")
        .add("embedding-scale", scale_, 0, 1000, "deviation of the first vectors of indices",
             as_says("start", kDistinct.scale, kAlike.scale))
        .add("embedding-shift", shift_, 0, 1000, "deviation of a vector that they have in common",
             as_says("start", kDistinct.shift, kAlike.shift))
        .add("node-label-width", topology_.node_width, 1, 256,
             "numbers that stand for a node label")
        .add("edge-label-width", topology_.edge_width, 0, 256,
             "numbers that stand for an edge label; 0: edge labels are not looked at");
  }

  nn::TopologyOptions topology(const nn::FeatureSpec& spec) const {
    nn::TopologyOptions options = topology_;
    options.features = spec;
    options.scale = scale_.value_or(start().scale);
    options.shift = shift_.value_or(start().shift);
    options.alike = start().half_alike ? options.width / 2 : 0;
    return options;
  }

  std::vector<std::string> starts() const override {
    if (start_ != "auto") return {start_};
    return {"distinct", "alike"};
  }
  void use_start(const std::string& name) override { used_start_ = name; }
  const Start& start() const {
    return used_start_ == "alike" ? kAlike : used_start_ == "both" ? kBoth : kDistinct;
  }

  bool shuffles() const override { return topology_.shuffle; }

 private:
  nn::TopologyOptions topology_;
  std::string start_ = "both";
  std::string used_start_ = "distinct";
  std::optional<double> scale_;
  std::optional<double> shift_;
};

class TransformerMethod : public TopologyMethod {
 public:
  TransformerMethod(std::string name, bool shuffle, int mask_layers)
      : TopologyMethod(std::move(name), shuffle) {
    options_.mask_layers = mask_layers;
    if (mask_layers == 0) options_.matching = 1.2;
  }

 protected:
  void add_parameters(ParameterSet& set) override {
    add_topology_parameters(set);
    set.add("width", options_.shape.width, 1, kMostWidth, "of a node's vector")
        .add("heads", options_.shape.heads, 1, 256, "of attention; a divisor of the width")
        .add("hidden", options_.shape.hidden, 1, 16384, "width of the feed-forward layer")
        .add("layers", options_.layers, 1, 64, "of the Transformer")
        .add("mask-layers", options_.mask_layers, 0, 64,
             "the first so many layers attend to neighbours only")
        .add("norm-last", norm_last_, "normalise after each half of a layer, not before")
        .add("gain", gain_, 0, 100,
             "by which the first weights of queries, keys and outputs are larger than customary",
             as_says("start", kDistinct.gain, kAlike.gain))
        .add("matching", options_.matching, 0, 100,
             "layers without a mask start by looking at neighbours, by queries and keys this much "
             "larger than customary; 0: at random")
        .add("no-pool-norm", no_pool_norm_, "no batch normalisation of the pooled vectors")
        .add("sum-pool", sum_pool_, "add the nodes up; else they are averaged")
        .add("dropout", options_.dropout, 0, 0.99,
             "share of what a layer adds that training drops");
  }

  std::shared_ptr<nn::Network> make_network(const nn::FeatureSpec& spec, int classes,
                                            nn::Initialiser& initialiser) const override {
    if (options_.shape.width % options_.shape.heads != 0) {
      throw UsageError("--heads: found " + std::to_string(options_.shape.heads) +
                       ", expected a divisor of --width " + std::to_string(options_.shape.width));
    }
    nn::TransformerOptions options = options_;
    options.topology = topology(spec);
    options.mask_layers = std::min(options.mask_layers, options.layers);
    options.pool_norm = !no_pool_norm_;
    options.mean_pool = !sum_pool_;
    options.shape.norm_first = !norm_last_;
    options.gain = gain_.value_or(start().gain);
    options.classes = classes;
    options.engine = engine();
    return nn::make_transformer(options, initialiser);
  }

  double least_parameters() const override {
    return static_cast<double>(nn::EncoderLayout(options_.shape).size) * options_.layers;
  }

  Recipe recipe(bool tu) const override {
    Recipe recipe{.batch_size = tu ? 32 : 64,
                  .learning_rate = tu ? 1e-3 : 2e-3,
                  .epochs = 200,
                  .warm_up = 200,
                  .average = 0.999,
                  .decoupled_decay = 0.03,
                  .norm_batches = 30};
    // Without a mask, neighbours have to be found by their indices: that takes longer to learn.
    if (!tu && options_.mask_layers == 0) recipe.epochs = 350;
    return recipe;
  }

 private:
  static constexpr int kMostWidth = 4096;
  nn::TransformerOptions options_;
  std::optional<double> gain_;
  bool no_pool_norm_ = false;
  bool norm_last_ = false;
  bool sum_pool_ = false;
};

class FcnnMethod : public TopologyMethod {
 public:
  FcnnMethod() : TopologyMethod("fcnn", true) {}

 protected:
  void add_parameters(ParameterSet& set) override {
    add_topology_parameters(set);
    set.add("width", options_.width, 1, 16384, "of the hidden layers")
        .add("layers", options_.layers, 0, 64, "hidden ones")
        .add("no-core-norm", no_core_norm_,
             "no batch normalisation of the core tensor, or of the sum over nodes")
        .add("input", input_, {"core", "nodes"},
             "of the hidden layers: the core tensor; or each node's first vector, and the sum over "
             "nodes is scored: the proposed method without its Transformer");
  }

  std::shared_ptr<nn::Network> make_network(const nn::FeatureSpec& spec, int classes,
                                            nn::Initialiser& initialiser) const override {
    nn::FcnnOptions options = options_;
    options.topology = topology(spec);
    options.core_norm = !no_core_norm_;
    options.by_node = input_ == "nodes";
    options.classes = classes;
    options.engine = engine();
    return nn::make_fcnn(options, initialiser);
  }

  double least_parameters() const override {
    return static_cast<double>(options_.width) * std::max(options_.layers - 1, 0) * options_.width;
  }

  Recipe recipe(bool /*tu*/) const override {
    return {.batch_size = 64, .learning_rate = 1e-3, .epochs = 100, .warm_up = 200};
  }

 private:
  nn::FcnnOptions options_;
  bool no_core_norm_ = false;
  std::string input_ = "core";
};

struct Variant {
  const char* name;
  const char* summary;
  bool shuffle;
  int mask_layers;
};

constexpr Variant kVariants[] = {
    {"tf", "Transformer on initial topological embeddings, indices shuffled", true, 0},
    {"tf+am", "the same, adjacency mask in the first two layers", true, 2},
    {"tf+am3", "the same, adjacency mask in the first three layers", true, 3},
    {"tf+am4", "the same, adjacency mask in all four layers", true, 4},
    {"tf-is+am", "tf+am without index shuffling", false, 2},
    {"tf-is+am4", "without index shuffling, adjacency mask in all four layers", false, 4},
};

}  // namespace

void register_transformer_methods(MethodRegistry& registry) {
  for (const Variant& variant : kVariants) {
    registry.add({variant.name, variant.summary, [&variant] {
                    return std::make_unique<TransformerMethod>(variant.name, variant.shuffle,
                                                               variant.mask_layers);
                  }});
  }
  registry.add({"fcnn", "fully connected network on the core tensor, indices shuffled",
                [] { return std::make_unique<FcnnMethod>(); }});
}

void register_neural_methods(MethodRegistry& registry) {
  register_gnn_methods(registry);
  register_transformer_methods(registry);
}

}  // namespace bermuda::train
