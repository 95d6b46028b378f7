#pragma once

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/train/trainer.hpp"
#include "measure.hpp"

namespace bermuda::benchmarks {

/// Of an epoch.
struct Seconds {
  double train = 1e300;
  double inference = 1e300;
};

/// Best of some passes, CPU seconds.
template <class Body>
double best_of(int times, const Body& body) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    const double start = cpu_seconds();
    body();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

/// Operations a second of a large single-precision product.
inline double sgemm_rate() {
  const torch::Tensor a = torch::randn({2048, 2048});
  const torch::Tensor b = torch::randn({2048, 2048});
  torch::Tensor c;
  const double seconds = best_of(4, [&] { c = torch::mm(a, b); });
  return 2.0 * 2048 * 2048 * 2048 / seconds;
}

/// Trains a network on some graphs, batch by batch, in their order.
class TrainingBench {
 public:
  TrainingBench(std::shared_ptr<nn::Network> network, const nn::FeatureSpec& spec, Samples samples,
                int batch_size, bool compress)
      : network_(std::move(network)),
        batch_size_(static_cast<std::size_t>(batch_size)),
        source_(std::make_unique<train::GraphSource>(samples, spec, network_->recipe(), compress)),
        parameters_(std::make_unique<train::FlatParameters>(*network_)),
        adam_(std::make_unique<train::Adam>(*parameters_, train::WeightDecay{})),
        order_(samples.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  double parameters() const { return static_cast<double>(parameters_->values.numel()); }
  double nodes() const { return source_->graphs().node_count(); }

  template <class Body>
  void for_batches(const Body& body) {
    for (std::size_t first = 0; first < order_.size(); first += batch_size_) {
      const std::size_t count = std::min(batch_size_, order_.size() - first);
      const nn::Batch batch = source_->batches().make(std::span(order_).subspan(first, count),
                                                      at::GradMode::is_enabled());
      body(batch);
    }
  }

  torch::Tensor first_logits() {
    const torch::NoGradGuard no_grad;
    network_->train();
    return network_->forward(
        source_->batches().make(std::span(order_).first(std::min(batch_size_, order_.size()))));
  }

  Seconds measure(int times = 3) { return {training(times), inference(times)}; }

  double training(int times = 3) {
    return best_of(times, [&] {
      network_->train();
      for_batches([&](const nn::Batch& batch) {
        parameters_->gradients.zero_();
        const std::vector<std::int64_t> labels(batch.classes.begin(), batch.classes.end());
        torch::cross_entropy_loss(network_->forward(batch), torch::tensor(labels)).backward();
        adam_->step(1e-3);
        ++network_->pass.epoch;
      });
    });
  }

  double inference(int times = 3) {
    return best_of(times, [&] {
      const torch::NoGradGuard no_grad;
      network_->eval();
      for_batches([&](const nn::Batch& batch) { network_->forward(batch); });
    });
  }

 private:
  std::shared_ptr<nn::Network> network_;
  std::size_t batch_size_;
  std::unique_ptr<train::GraphSource> source_;
  std::unique_ptr<train::FlatParameters> parameters_;
  std::unique_ptr<train::Adam> adam_;
  std::vector<int> order_;
};

/// Runs a program of peers/ with and without glibc's thresholds raised and keeps the faster.
inline Seconds run_peer(const std::string& program) {
  constexpr const char* kMalloc =
      "MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=10000000000 "
      "MALLOC_TOP_PAD_=100000000 ";
  Seconds best;
  for (const char* settings : {"", kMalloc}) {
    const std::string command = fmt::format(
        "{}OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 /usr/bin/python3 {} --epochs 3 "
        "--inference",
        settings, program);
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

}  // namespace bermuda::benchmarks
