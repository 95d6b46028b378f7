#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/nn/operator_stop.hpp"
#include "bermuda/train/neural_method.hpp"

namespace bermuda::train {
namespace {

constexpr int kMostNodesOfAMap = 5000;  // some 100 MB per head and copy

/// Keeps what a network leaves between its layers, for as long as this lives.
class Tracing {
 public:
  explicit Tracing(nn::Network& network) : network_(network) { network.trace = &levels; }
  ~Tracing() { network_.trace = nullptr; }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
  std::vector<torch::Tensor> levels;

 private:
  nn::Network& network_;
};

/// Half of what the two ends of each edge give to each other; attention [nodes, nodes].
void add_attention(const Graph& graph, const torch::Tensor& attention, double share,
                   std::vector<double>& weights) {
  const torch::Tensor map = attention.to(torch::kDouble).contiguous();
  const auto numbers = map.accessor<double, 2>();
  for (std::size_t e = 0; e < weights.size(); ++e) {
    const Edge edge = graph.edges()[e];
    weights[e] += share * (numbers[edge.u][edge.v] + numbers[edge.v][edge.u]) / 2;
  }
}

/// Of each node the absolute value of the sum of gradient x input; the gradient is that of the
/// likeliest class's score.
torch::Tensor relevance(nn::Network& network, const nn::Batch& batch,
                        const std::vector<torch::Tensor>& trace) {
  const torch::Tensor logits = network.forward(batch);
  const torch::Tensor likeliest = std::get<0>(logits.max(1)).sum();
  const torch::Tensor& x = trace.front();
  const torch::Tensor gradient = torch::autograd::grad({likeliest}, {x})[0];
  return (x.detach() * gradient).sum(1).abs().to(torch::kDouble);
}

/// Layers as numbers from 0; all where none are asked for.
std::vector<int> chosen_layers(const ExplainOptions& options, int count, std::string_view name) {
  std::vector<int> layers;
  for (const int layer : options.layers) {
    if (layer < 1 || layer > count) {
      throw UsageError(
          count == 0 ? fmt::format("--layers: {} has no layers with attention", name)
                     : fmt::format("--layers: found {}, expected one of 1..{}", layer, count));
    }
    layers.push_back(layer - 1);
  }
  if (layers.empty()) {
    layers.resize(static_cast<std::size_t>(count));
    std::iota(layers.begin(), layers.end(), 0);
  }
  return layers;
}

}  // namespace

Explanations NeuralMethod::explain(Samples samples, const ExplainOptions& options,
                                   const Execution& execution) const {
  if (!network_) throw UsageError("this model was neither fitted nor loaded");
  const std::vector<int> layers = chosen_layers(options, network_->attention_layers(), name_);
  Explanations result;
  if (layers.empty()) {
    result.how = "gradient x input";
  } else {
    std::vector<int> numbers;
    for (const int layer : layers) numbers.push_back(layer + 1);
    result.how = fmt::format("attention, mean over heads and layer{} {}",
                             numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
  }
  set_up_engine(execution.threads);
  network_->eval();
  network_->pass = {.seed = seed_};
  GraphSource source(samples, spec_, network_->recipe(), false);
  Tracing trace(*network_);
  const nn::OperatorStop stop(execution);
  // One graph per batch: attention is one matrix per graph anyway.
  for (int i = 0; i < static_cast<int>(samples.size()); ++i) {
    execution.check_stop();
    const Graph& graph = samples[static_cast<std::size_t>(i)]->graph;
    if (!layers.empty() && graph.node_count() > kMostNodesOfAMap) {
      throw UsageError(fmt::format(
          "graph '{}' has {} nodes: attention, which is between all pairs of "
          "them, is shown for {} at most",
          samples[static_cast<std::size_t>(i)]->id, graph.node_count(), kMostNodesOfAMap));
    }
    const nn::Batch batch = source.batches().make(std::span(&i, 1));
    trace.levels.clear();
    std::vector<double> weights(static_cast<std::size_t>(graph.edge_count()), 0);
    if (layers.empty()) {
      const torch::Tensor nodes = relevance(*network_, batch, trace.levels);
      const auto numbers = nodes.accessor<double, 1>();
      for (std::size_t e = 0; e < weights.size(); ++e) {
        const Edge edge = graph.edges()[e];
        weights[e] = numbers[edge.u] + numbers[edge.v];
      }
    } else {
      const torch::NoGradGuard no_grad;
      network_->forward(batch);
      for (const int layer : layers) {
        const auto maps =
            network_->attention(layer, trace.levels[static_cast<std::size_t>(layer)], batch);
        add_attention(graph, maps.front().mean(0), 1.0 / static_cast<double>(layers.size()),
                      weights);
      }
    }
    result.edge_weights.push_back(std::move(weights));
  }
  return result;
}

}  // namespace bermuda::train
