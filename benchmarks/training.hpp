#pragma once

#include <torch/torch.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "bermuda/train/trainer.hpp"
#include "measure.hpp"
#include "turns.hpp"

namespace bermuda::benchmarks {

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
  const double seconds = best_of(2, [&] { c = torch::mm(a, b); });
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

  double seconds(Part part) { return part == Part::kTraining ? training(1) : inference(1); }

  /// Seconds of CPU time that the products alone would take, at the speed of the moment.
  double limit(Part part) const {
    const int products = part == Part::kTraining ? 6 : 2;
    return products * parameters() * nodes() / sgemm_rate();
  }

  double training(int times) {
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

  double inference(int times) {
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

}  // namespace bermuda::benchmarks
