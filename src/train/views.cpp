#include "bermuda/method/views.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include "batches.hpp"
#include "bermuda/train/neural_method.hpp"

namespace bermuda::train {
namespace {

constexpr int kOutputs = 16;  // as if there were so many classes: more to see than of two
constexpr int kGraphsAtOnce = 64;
/// Rounding leaves about 1e-13 between numberings of a graph; what differs does so by far more.
constexpr double kOfRounding = 1e-8;

using Networks = std::vector<std::shared_ptr<nn::Network>>;

/// Calls body(graph, network, its outputs) for all graphs and networks.
template <class Body>
void for_outputs(const Networks& networks, Samples samples, const nn::FeatureSpec& spec,
                 const nn::Network::Pass& pass, const Execution& execution, const Body& body) {
  // Nodes with a row each: what shares rows rounds weights by which graphs are beside.
  GraphSource source(samples, spec, networks.front()->recipe(), false);
  const std::vector<int> order = in_order(source.graphs().graph_count());
  std::size_t first = 0;
  for_batches(source, order, kGraphsAtOnce, execution, [&](const nn::Batch& batch) {
    for (std::size_t n = 0; n < networks.size(); ++n) {
      networks[n]->pass = pass;
      const torch::Tensor out = networks[n]->forward(batch).contiguous();
      for (std::int64_t i = 0; i < out.size(0); ++i) {
        body(first + static_cast<std::size_t>(i), n, out.data_ptr<double>() + i * kOutputs);
      }
    }
    first += static_cast<std::size_t>(batch.graphs);
  });
}

}  // namespace

std::optional<Views> NeuralMethod::views(const ViewRequest& request, const Execution& execution) {
  set_up_engine(execution.threads);
  const torch::NoGradGuard no_grad;
  const nn::FeatureSpec spec = feature_spec(request.whole);
  const std::vector<std::string> candidates = starts();
  // Where a fused average begins hangs on the numbering, to within the rounding of its weights,
  // which are single: a difference that LibTorch's own operators do not make. Draws have any
  // numbering.
  struct Lent {
    std::string& engine;
    std::string kept = engine;
    ~Lent() { engine = kept; }
  };
  const Lent lent{engine_};
  if (!features_.index) engine_ = "reference";
  Networks networks;
  for (int i = 0; i < request.weights; ++i) {
    const auto number = static_cast<std::size_t>(i);
    if (!candidates.empty()) use_start(candidates[number % candidates.size()]);
    nn::Initialiser initialiser(view_seed(request, number));
    networks.push_back(make_network(spec, kOutputs, initialiser));
    networks.back()->to(torch::kDouble);
    networks.back()->eval();
  }
  Views views;
  views.how = fmt::format("{} networks with random weights, double precision", networks.size());
  if (!features_.index) {
    views.block = kOutputs;
    views.tolerance = kOfRounding;
    views.rows.resize(request.samples.size());
    for_outputs(
        networks, request.samples, spec, {}, execution,
        [&](std::size_t graph, std::size_t network, const double* outputs) {
          // Batches come one after the other, networks of each in order: places ascend.
          for (int c = 0; c < kOutputs; ++c) {
            views.rows[graph].push_back({static_cast<int>(network) * kOutputs + c, outputs[c]});
          }
        });
    return views;
  }
  views.how += fmt::format(", {} draws of node indices", request.draws);
  views.columns = networks.size() * kOutputs;
  views.draws.resize(request.samples.size());
  for (int draw = 0; draw < request.draws; ++draw) {
    const auto number = static_cast<std::uint32_t>(draw);
    const RenumberedSamples numbered(request, number, execution);
    for_outputs(networks, numbered.all(), spec, {.seed = request.seed, .round = number}, execution,
                [&](std::size_t graph, std::size_t, const double* outputs) {
                  views.draws[graph].insert(views.draws[graph].end(), outputs, outputs + kOutputs);
                });
  }
  return views;
}

}  // namespace bermuda::train
