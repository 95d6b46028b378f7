// Claims: a training epoch of gcn+d, gin+d and gat+d on 10,000 triangles graphs (batch 128, one
// thread) against the same model in PyTorch (peers/gnn_torch.py, run here and now), and against the
// GEMM limit of 6 x parameters x nodes operations; the same for inference (2 x parameters x nodes).
// Usage: neural_benchmark [PEERS_FOLDER [MODEL [training|inference]]]: without the folder (""
// counts as none), ours only; with a model, that one only; with a part, only that many times over,
// to profile it. Needs python3-torch.
#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/nn/gnn.hpp"
#include "bermuda/train/trainer.hpp"
#include "training.hpp"

namespace {

using namespace bermuda;
using namespace bermuda::benchmarks;

constexpr int kBatch = 128;

struct Model {
  const char* name;
  const char* peer;  // its name there; empty: none
  int width;
  bool degree;
  bool index;
  std::shared_ptr<nn::Network> (*make)(const nn::GnnOptions&, nn::Initialiser&);
};

// The peer's features are +d; without the degree its work is the same but for one column.
constexpr Model kModels[] = {
    {"gcn+d", "gcn", 146, true, false, nn::make_gcn},
    {"gcn", "gcn", 146, false, false, nn::make_gcn},
    {"gin+d", "gin", 110, true, false, nn::make_gin},
    {"gin", "gin", 110, false, false, nn::make_gin},
    {"gat+d", "gat", 144, true, false, nn::make_gat},
    {"gat", "gat", 144, false, false, nn::make_gat},
    {"gat+d+id", "", 144, true, true, nn::make_gat},
};

TrainingBench bench_of(const Model& model, Samples samples, bool compress) {
  nn::GnnOptions options;
  options.features.degree = model.degree;
  options.features.indices = model.index ? 20 : 0;
  options.width = model.width;
  nn::Initialiser initialiser(1);
  return {model.make(options, initialiser), options.features, samples, kBatch, compress};
}

/// One part of one model, for a profile.
void run_part(const Model& model, Samples samples, const std::string& part) {
  constexpr int kTimes = 20;
  TrainingBench bench = bench_of(model, samples, true);
  const double seconds = part == "training" ? bench.training(kTimes) : bench.inference(kTimes);
  fmt::print("{} {}: {:.3f} s\n", model.name, part, seconds);
}

void run(const std::string& peers, const std::string& chosen, const std::string& part) {
  train::set_up_engine(1);
  const auto task = make_task("triangles");
  const DataSet data = generate_candidates(*task, 1, 10'000, {});
  const auto folder = std::filesystem::temp_directory_path() / "bermuda-neural-benchmark.jsonl";
  std::filesystem::remove_all(folder);
  write_dataset(data, folder, format_named("jsonl"), true);
  const std::vector<const Sample*> samples = data.all();
  if (!part.empty()) {
    for (const Model& model : kModels) {
      if (chosen == model.name) run_part(model, samples, part);
    }
    return;
  }

  std::map<std::string, Seconds> known_peers;
  const double rate = sgemm_rate();
  fmt::print("sgemm: {:.0f} GFLOP/s, one thread; seconds of CPU time per epoch, best of three\n",
             rate / 1e9);
  fmt::print("{:<10} {:>9} {:>8} {:>8} {:>7} {:>7} {:>6} | inference {:>7} {:>7} {:>7} {:>6}\n", "",
             "limit", "ours", "without", "share", "peer", "ratio", "ours", "without", "peer",
             "ratio");
  for (const Model& model : kModels) {
    if (!chosen.empty() && chosen != model.name) continue;
    TrainingBench compressed = bench_of(model, samples, true);
    TrainingBench plain = bench_of(model, samples, false);
    const double apart =
        (compressed.first_logits() - plain.first_logits()).abs().max().item<double>();
    // With uniform features and no sharing, batch normalisation blows up what a product's rows
    // differ by in rounding: there is nothing to compare.
    const bool uniform = !model.degree && model.width != 110;
    if (!uniform && !(apart < 1e-2))
      throw Error(fmt::format("{}: compression moves logits by {}", model.name, apart));
    const Seconds ours = compressed.measure();
    const Seconds without = plain.measure();
    const double limit = 6 * plain.parameters() * plain.nodes() / rate;
    std::string peer_train = "-";
    std::string ratio = "-";
    std::string peer_inference = "-";
    std::string inference_ratio = "-";
    if (!peers.empty() && *model.peer != '\0') {
      if (known_peers.count(model.peer) == 0) {
        known_peers[model.peer] = run_peer(fmt::format("{}/gnn_torch.py {} {} --batch {}", peers,
                                                       model.peer, folder.string(), kBatch));
      }
      const Seconds& peer = known_peers[model.peer];
      peer_train = fmt::format("{:.2f}", peer.train);
      ratio = fmt::format("{:.2f}", peer.train / ours.train);
      peer_inference = fmt::format("{:.2f}", peer.inference);
      inference_ratio = fmt::format("{:.2f}", peer.inference / ours.inference);
    }
    fmt::print(
        "{:<10} {:>9.2f} {:>8.2f} {:>8.2f} {:>6.0f}% {:>7} {:>6} | {:>9} {:>7.2f} {:>7.2f} {:>7} "
        "{:>6}\n",
        model.name, limit, ours.train, without.train, 100 * limit / without.train, peer_train,
        ratio, "", ours.inference, without.inference, peer_inference, inference_ratio);
    std::fflush(stdout);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "neural_benchmark: {}\n", error.what());
    return 1;
  }
}
