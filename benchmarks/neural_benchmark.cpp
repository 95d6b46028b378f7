// Claims: a training epoch of gcn+d, gin+d and gat+d on 10,000 triangles graphs (batch 128, one
// thread) against the same model in PyTorch (peers/gnn_torch.py, run here and now), and against the
// GEMM limit of 6 x parameters x nodes operations; the same for inference (2 x parameters x nodes).
// Usage: neural_benchmark [PEERS_FOLDER]: without the folder, ours only. Needs python3-torch.
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
#include "bermuda/generate/task.hpp"
#include "bermuda/nn/gnn.hpp"
#include "bermuda/train/trainer.hpp"
#include "measure.hpp"

namespace {

using namespace bermuda;

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

struct Seconds {
  double train = 1e300;
  double inference = 1e300;
};

/// Best of some passes, CPU seconds.
template <class Body>
double best_of(int times, const Body& body) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    const double start = benchmarks::cpu_seconds();
    body();
    best = std::min(best, benchmarks::cpu_seconds() - start);
  }
  return best;
}

double sgemm_rate() {
  const torch::Tensor a = torch::randn({2048, 2048});
  const torch::Tensor b = torch::randn({2048, 2048});
  torch::Tensor c;
  const double seconds = best_of(4, [&] { c = torch::mm(a, b); });
  return 2.0 * 2048 * 2048 * 2048 / seconds;
}

class Bench {
 public:
  Bench(const Model& model, Samples samples, bool compress) {
    nn::GnnOptions options;
    options.features.degree = model.degree;
    options.features.indices = model.index ? 20 : 0;
    options.width = model.width;
    nn::Initialiser initialiser(1);
    network_ = model.make(options, initialiser);
    source_ = std::make_unique<train::GraphSource>(samples, options.features, network_->recipe(),
                                                   compress);
    parameters_ = std::make_unique<train::FlatParameters>(*network_);
    adam_ = std::make_unique<train::Adam>(*parameters_, 0);
    order_.resize(samples.size());
    std::iota(order_.begin(), order_.end(), 0);
  }

  double parameters() const { return static_cast<double>(parameters_->values.numel()); }
  double nodes() const { return source_->graphs().node_count(); }

  template <class Body>
  void for_batches(const Body& body) {
    for (std::size_t first = 0; first < order_.size(); first += kBatch) {
      const std::size_t count = std::min<std::size_t>(kBatch, order_.size() - first);
      const nn::Batch batch = source_->batches().make(std::span(order_).subspan(first, count));
      body(batch);
    }
  }

  torch::Tensor first_logits() {
    const torch::NoGradGuard no_grad;
    network_->train();
    return network_->forward(source_->batches().make(std::span(order_).first(kBatch)));
  }

  Seconds measure() {
    Seconds seconds;
    seconds.train = best_of(3, [&] {
      network_->train();
      for_batches([&](const nn::Batch& batch) {
        parameters_->gradients.zero_();
        const std::vector<std::int64_t> labels(batch.classes.begin(), batch.classes.end());
        torch::cross_entropy_loss(network_->forward(batch), torch::tensor(labels)).backward();
        adam_->step(1e-3);
      });
    });
    seconds.inference = best_of(3, [&] {
      const torch::NoGradGuard no_grad;
      network_->eval();
      for_batches([&](const nn::Batch& batch) { network_->forward(batch); });
    });
    return seconds;
  }

 private:
  std::shared_ptr<nn::Network> network_;
  std::unique_ptr<train::GraphSource> source_;
  std::unique_ptr<train::FlatParameters> parameters_;
  std::unique_ptr<train::Adam> adam_;
  std::vector<int> order_;
};

/// Runs the peer with and without glibc's thresholds raised and keeps the faster.
Seconds run_peer(const std::string& folder, const std::string& model, const std::string& graphs) {
  constexpr const char* kMalloc =
      "MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=10000000000 "
      "MALLOC_TOP_PAD_=100000000 ";
  Seconds best;
  for (const char* settings : {"", kMalloc}) {
    const std::string command = fmt::format(
        "{}OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 /usr/bin/python3 {}/gnn_torch.py "
        "{} {} --batch {} --epochs 3 --inference",
        settings, folder, model, graphs, kBatch);
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw Error("cannot run " + command);
    std::string text;
    char part[4096];
    while (std::fgets(part, sizeof part, pipe) != nullptr) text += part;
    if (pclose(pipe) != 0) throw Error("failed: " + command);
    const auto json = nlohmann::json::parse(text);
    for (const auto& epoch : json.at("epoch_seconds")) {
      best.train = std::min(best.train, epoch.at("cpu").get<double>());
    }
    best.inference = std::min(best.inference, json.at("inference_seconds").at("cpu").get<double>());
  }
  return best;
}

void run(const std::string& peers) {
  train::set_up_engine(1);
  const auto task = make_task("triangles");
  const DataSet data = generate_candidates(*task, 1, 10'000, {});
  const auto folder = std::filesystem::temp_directory_path() / "bermuda-neural-benchmark.jsonl";
  std::filesystem::remove_all(folder);
  write_dataset(data, folder, Format::kJsonLines, true);
  const std::vector<const Sample*> samples = data.all();

  std::map<std::string, Seconds> known_peers;
  const double rate = sgemm_rate();
  fmt::print("sgemm: {:.0f} GFLOP/s, one thread; seconds an epoch of CPU time, best of three\n",
             rate / 1e9);
  fmt::print("{:<10} {:>9} {:>8} {:>8} {:>7} {:>7} {:>6} | inference {:>7} {:>7} {:>7} {:>6}\n", "",
             "limit", "ours", "without", "share", "peer", "ratio", "ours", "without", "peer",
             "ratio");
  for (const Model& model : kModels) {
    Bench compressed(model, samples, true);
    Bench plain(model, samples, false);
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
        known_peers[model.peer] = run_peer(peers, model.peer, folder);
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
    run(argc > 1 ? argv[1] : "");
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "neural_benchmark: {}\n", error.what());
    return 1;
  }
}
