// Claims: a training epoch of gcn+d, gin+d and gat+d on 10,000 triangles graphs (batch 128, one
// thread) against the same model in PyTorch (peers/gnn_torch.py, in turns with ours), and against
// the GEMM limit of 6 x parameters x nodes operations; the same for inference (2 x parameters x
// nodes). Usage: neural_benchmark [PEERS_FOLDER [MODEL [training|inference]]]: without the folder
// ("" counts as none), ours only; with a model, that one only; with a part, only that many times
// over, to profile it. Needs python3-torch.
#include <fmt/format.h>
#include <torch/torch.h>

#include <cstdio>
#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/nn/gnn.hpp"
#include "bermuda/train/trainer.hpp"
#include "peer.hpp"
#include "training.hpp"

namespace {

using namespace bermuda;
using namespace bermuda::benchmarks;

constexpr int kBatch = 128;
constexpr int kRounds = 5;

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

void compare(const Model& model, Samples samples, const std::string& peers,
             const std::string& file) {
  TrainingBench compressed = bench_of(model, samples, true);
  TrainingBench plain = bench_of(model, samples, false);
  const double apart =
      (compressed.first_logits() - plain.first_logits()).abs().max().item<double>();
  // With uniform features and no sharing, batch normalisation blows up what a product's rows
  // differ by in rounding: there is nothing to compare.
  const bool uniform = !model.degree && model.width != 110;
  if (!uniform && !(apart < 1e-2))
    throw Error(fmt::format("{}: compression moves logits by {}", model.name, apart));

  Turns turns;
  const int limit = turns.add([&](Part part) { return plain.limit(part); });
  const int ours = turns.add([&](Part part) { return compressed.seconds(part); });
  const int without = turns.add([&](Part part) { return plain.seconds(part); });
  const PeerTurns peer(turns, peers.empty() || *model.peer == '\0'
                                  ? ""
                                  : fmt::format("{}/gnn_torch.py {} {} --batch {}", peers,
                                                model.peer, file, kBatch));
  turns.run(kRounds);
  const auto seconds = [&](int who, Part part) { return turns.seconds(who, part); };
  fmt::print(
      "{:<10} {:>6.2f} {:>6.2f} {:>8.2f} {:>5.0f}% {:>6} {:>18} | {:>9} {:>6.2f} {:>8.2f} {:>6} "
      "{:>18}\n",
      model.name, seconds(limit, Part::kTraining), seconds(ours, Part::kTraining),
      seconds(without, Part::kTraining),
      100 * turns.ratio({limit}, without, Part::kTraining).middle,
      peer.seconds(turns, Part::kTraining), peer.ratio(turns, ours, Part::kTraining), "",
      seconds(ours, Part::kInference), seconds(without, Part::kInference),
      peer.seconds(turns, Part::kInference), peer.ratio(turns, ours, Part::kInference));
  std::fflush(stdout);
}

void run(const std::string& peers, const std::string& chosen, const std::string& part) {
  train::set_up_engine(1);
  const auto task = make_task("triangles");
  const DataSet data = generate_candidates(*task, 1, 10'000, {});
  const auto file = std::filesystem::temp_directory_path() / "bermuda-neural-benchmark.jsonl";
  std::filesystem::remove_all(file);
  write_dataset(data, file, format_named("jsonl"), true);
  const std::vector<const Sample*> samples = data.all();
  if (!part.empty()) {
    for (const Model& model : kModels) {
      if (chosen == model.name) run_part(model, samples, part);
    }
    return;
  }

  fmt::print("seconds of CPU time per epoch, one thread, in turns; middle of {} rounds\n", kRounds);
  fmt::print("{:<10} {:>6} {:>6} {:>8} {:>6} {:>6} {:>18} | inference {:>6} {:>8} {:>6} {:>18}\n",
             "", "limit", "ours", "without", "share", "peer", "ratio", "ours", "without", "peer",
             "ratio");
  for (const Model& model : kModels) {
    if (chosen.empty() || chosen == model.name) compare(model, samples, peers, file);
  }
  std::filesystem::remove_all(file);
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
