// Claims: a training epoch of the Transformer (width 32, feed-forward 128, 4 layers, 4 heads) on
// 10,000 triangles graphs (batch 128, one thread) against PyTorch's nn.TransformerEncoder on padded
// batches (peers/transformer_torch.py, in turns with ours), and against the GEMM limit of 6 x
// parameters x nodes operations; how the cost of a layer grows with the graph for both masks.
// Usage: transformer_benchmark [PEERS_FOLDER]: without the folder, ours only. Needs python3-torch.
#include <filesystem>

#include "bermuda/core/random.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/nn/transformer.hpp"
#include "peer.hpp"
#include "training.hpp"

namespace {

using namespace bermuda;
using namespace bermuda::benchmarks;

constexpr int kBatch = 128;
constexpr int kRounds = 5;
constexpr int kMaskLayers[] = {0, 2, 4};

TrainingBench bench_of(int mask_layers, int indices, nn::Engine engine, Samples samples,
                       int batch_size) {
  nn::TransformerOptions options;
  options.topology.features.indices = indices;
  options.mask_layers = mask_layers;
  options.pool_norm = false;  // the peer has none
  options.engine = engine;
  nn::Initialiser initialiser(1);
  return {nn::make_transformer(options, initialiser), options.topology.features, samples,
          batch_size, false};
}

void against_the_peer(const std::string& peers) {
  const auto task = make_task("triangles");
  const DataSet data = generate_candidates(*task, 1, 10'000, {});
  const auto file = std::filesystem::temp_directory_path() / "bermuda-transformer-benchmark.jsonl";
  std::filesystem::remove_all(file);
  write_dataset(data, file, format_named("jsonl"), true);
  const std::vector<const Sample*> samples = data.all();
  Turns turns;
  std::vector<std::unique_ptr<TrainingBench>> benches;
  std::vector<int> ours;
  for (const int mask_layers : kMaskLayers) {
    TrainingBench reference = bench_of(mask_layers, 20, nn::Engine::kReference, samples, kBatch);
    benches.push_back(std::make_unique<TrainingBench>(
        bench_of(mask_layers, 20, nn::Engine::kFused, samples, kBatch)));
    TrainingBench& fused = *benches.back();
    const double apart =
        (fused.first_logits() - reference.first_logits()).abs().max().item<double>();
    if (!(apart < 1e-3)) throw Error(fmt::format("fused and reference differ by {}", apart));
    ours.push_back(turns.add([&fused](Part part) { return fused.seconds(part); }));
  }
  const int limit = turns.add([&](Part part) { return benches.front()->limit(part); });
  const PeerTurns peer(turns, peers.empty() ? ""
                                            : fmt::format("{}/transformer_torch.py {} --batch {}",
                                                          peers, file.string(), kBatch));
  turns.run(kRounds);
  fmt::print("seconds of CPU time per epoch, one thread, in turns; middle of {} rounds\n", kRounds);
  fmt::print("{:<8} {:>6} {:>6} {:>6} {:>6} {:>18} | inference {:>6} {:>6} {:>18}\n", "", "limit",
             "ours", "share", "peer", "ratio", "ours", "peer", "ratio");
  for (std::size_t i = 0; i < ours.size(); ++i) {
    fmt::print(
        "mask {:<3} {:>6.2f} {:>6.2f} {:>5.0f}% {:>6} {:>18} | {:>9} {:>6.2f} {:>6} {:>18}\n",
        kMaskLayers[i], turns.seconds(limit, Part::kTraining),
        turns.seconds(ours[i], Part::kTraining),
        100 * turns.ratio({limit}, ours[i], Part::kTraining).middle,
        peer.seconds(turns, Part::kTraining), peer.ratio(turns, ours[i], Part::kTraining), "",
        turns.seconds(ours[i], Part::kInference), peer.seconds(turns, Part::kInference),
        peer.ratio(turns, ours[i], Part::kInference));
  }
  std::filesystem::remove_all(file);
}

/// Graphs of n nodes with three times as many edges, 20,000 nodes in all.
std::vector<Sample> graphs_of(int nodes) {
  std::vector<Sample> samples;
  for (int i = 0; i * nodes < 20'000; ++i) {
    RandomStream random(1, Purpose::kTest, static_cast<std::uint64_t>(i));
    std::vector<Edge> edges;
    for (int u = 0; u < nodes; ++u) {
      for (int k = 1; k <= 3; ++k) edges.push_back({u, (u + k) % nodes});
    }
    std::vector<int> order(static_cast<std::size_t>(nodes));
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(std::span(order));
    for (Edge& edge : edges) {
      edge = {order[static_cast<std::size_t>(edge.u)], order[static_cast<std::size_t>(edge.v)]};
    }
    Sample sample;
    sample.graph = Graph(nodes, edges);
    sample.label = i % 2;
    samples.push_back(sample);
  }
  return samples;
}

void growth() {
  fmt::print(
      "\nmicroseconds per node of a training pass over 20,000 nodes in graphs of n nodes, 3 n "
      "edges\n"
      "{:>6} {:>10} {:>10}\n",
      "n", "neighbours", "all");
  for (const int nodes : {10, 30, 100, 300, 1000}) {
    const std::vector<Sample> samples = graphs_of(nodes);
    std::vector<const Sample*> pointers;
    for (const Sample& sample : samples) pointers.push_back(&sample);
    const int batch = std::max(1, 2000 / nodes);
    const auto cost = [&](int mask_layers) {
      return 1e6 / 20'000 *
             bench_of(mask_layers, nodes, nn::Engine::kFused, pointers, batch).training(3);
    };
    fmt::print("{:>6} {:>10.1f} {:>10.1f}\n", nodes, cost(4), cost(0));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    train::set_up_engine(1);
    against_the_peer(argc > 1 ? argv[1] : "");
    growth();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "transformer_benchmark: {}\n", error.what());
    return 1;
  }
}
