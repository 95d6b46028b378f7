#include "bermuda/train/trainer.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "bermuda/core/random.hpp"
#include "bermuda/method/epoch_columns.hpp"
#include "bermuda/nn/operator_stop.hpp"

namespace bermuda::train {
namespace {

constexpr double kExploded = 1e6;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Calls body(batch) for consecutive batches of the graphs in this order.
template <class Body>
void for_batches(GraphSource& source, const std::vector<int>& order, int batch_size,
                 const Execution& execution, const Body& body) {
  const auto step = static_cast<std::size_t>(batch_size);
  const nn::OperatorStop stop(execution);
  for (std::size_t first = 0; first < order.size(); first += step) {
    execution.check_stop();
    const std::size_t count = std::min(step, order.size() - first);
    body(source.batches().make(std::span(order).subspan(first, count)));
  }
}

std::vector<int> in_order(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Each number so many times in a row.
std::vector<int> repeated(const std::vector<int>& order, int times) {
  std::vector<int> all;
  all.reserve(order.size() * static_cast<std::size_t>(times));
  for (const int number : order) all.insert(all.end(), static_cast<std::size_t>(times), number);
  return all;
}

int count_right(const torch::Tensor& logits, const nn::Batch& batch) {
  const torch::Tensor said = logits.detach().argmax(1);
  const std::int64_t* labels = said.data_ptr<std::int64_t>();
  int right = 0;
  for (std::size_t i = 0; i < batch.classes.size(); ++i) right += labels[i] == batch.classes[i];
  return right;
}

std::vector<float> as_vector(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), tensor.data_ptr<float>() + tensor.numel()};
}

void copy_into(const std::vector<float>& values, const torch::Tensor& tensor) {
  if (values.size() != static_cast<std::size_t>(tensor.numel())) {
    throw BytesError(
        fmt::format("a checkpoint with {} numbers, expected {}", values.size(), tensor.numel()));
  }
  std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
}

}  // namespace

DivergedError::DivergedError(int epoch, double loss)
    : Error(fmt::format("the loss became {} in epoch {}: training has diverged; a smaller "
                        "--learning-rate may help",
                        loss, epoch)),
      loss_(loss) {}

GraphSource::GraphSource(Samples samples, const nn::FeatureSpec& spec,
                         const nn::BatchRecipe& recipe, bool compress)
    : graphs_(samples, spec), batches_(graphs_, spec, recipe, compress) {}

Trainer::Trainer(nn::Network& network, FlatParameters& parameters, TrainerOptions options,
                 const FitTask& task, GraphSource& train, GraphSource& validation)
    : network_(network),
      parameters_(parameters),
      options_(options),
      task_(task),
      train_(train),
      validation_(validation),
      adam_(parameters, options.weight_decay),
      schedule_{
          .rate = options.learning_rate, .factor = options.factor, .patience = options.patience} {
  cosine_ = {options.learning_rate, options.warm_up, steps_per_epoch() * options.cosine_epochs};
  if (!options_.class_weights) return;
  std::vector<float> counts(static_cast<std::size_t>(task.classes), 0);
  for (const int label : train.graphs().classes) counts[static_cast<std::size_t>(label)] += 1;
  const auto total = static_cast<float>(train.graphs().graph_count());
  for (float& count : counts) {
    count = count > 0 ? total / (static_cast<float>(task.classes) * count) : 0;
  }
  class_weights_ = torch::tensor(counts);
}

torch::Tensor Trainer::loss_of(const torch::Tensor& logits, const nn::Batch& batch) const {
  std::vector<std::int64_t> labels(batch.classes.begin(), batch.classes.end());
  return torch::cross_entropy_loss(logits, torch::tensor(labels, torch::kLong), class_weights_);
}

PassResult Trainer::train_epoch(int epoch, const Execution& execution) {
  network_.train();
  std::vector<int> order = in_order(train_.graphs().graph_count());
  RandomStream(task_.seed, Purpose::kBatches, static_cast<std::uint64_t>(epoch))
      .shuffle(std::span(order));
  PassResult result;
  for_batches(train_, repeated(order, options_.copies), options_.batch_size * options_.copies,
              execution, [&](const nn::Batch& batch) {
                parameters_.gradients.zero_();
                network_.pass = {.seed = task_.seed,
                                 .step = static_cast<std::uint64_t>(adam_.steps),
                                 .epoch = static_cast<std::uint32_t>(epoch)};
                const torch::Tensor logits = network_.forward(batch);
                const torch::Tensor loss = loss_of(logits, batch);
                const double value = loss.item<double>();
                if (!(value < kExploded)) throw DivergedError(epoch, value);
                loss.backward();
                clip_gradients();
                adam_.step(rate());
                result.loss += value * batch.graphs;
                result.accuracy += count_right(logits, batch);
              });
  const double graphs = std::max(1, train_.graphs().graph_count() * options_.copies);
  return {result.loss / graphs, result.accuracy / graphs};
}

double Trainer::rate() const {
  return options_.cosine_epochs > 0 ? cosine_.rate(adam_.steps) : schedule_.rate;
}

void Trainer::clip_gradients() const {
  if (options_.clip <= 0) return;
  const double length = parameters_.gradients.norm().item<double>();
  if (length > options_.clip) parameters_.gradients.mul_(options_.clip / length);
}

PassResult Trainer::evaluate(GraphSource& source, const Execution& execution) {
  const torch::NoGradGuard no_grad;
  network_.eval();
  network_.pass = {.seed = task_.seed};
  PassResult result;
  for_batches(source, in_order(source.graphs().graph_count()), options_.batch_size, execution,
              [&](const nn::Batch& batch) {
                const torch::Tensor logits = network_.forward(batch);
                result.loss += loss_of(logits, batch).item<double>() * batch.graphs;
                result.accuracy += count_right(logits, batch);
              });
  const double graphs = std::max(1, source.graphs().graph_count());
  return {result.loss / graphs, result.accuracy / graphs};
}

Trainer::Snapshot Trainer::take() const {
  return {as_vector(parameters_.values), parameters_.buffers()};
}

void Trainer::put(const Snapshot& snapshot) {
  copy_into(snapshot.values, parameters_.values);
  parameters_.set_buffers(snapshot.buffers);
}

std::string Trainer::checkpoint() const {
  ByteWriter out;
  out.number(adam_.steps);
  out.array(as_vector(parameters_.values));
  out.array(parameters_.buffers());
  out.array(as_vector(adam_.first));
  out.array(as_vector(adam_.second));
  out.number(schedule_.rate);
  out.number(schedule_.best);
  out.number(schedule_.bad_epochs);
  out.array(best_.values);
  out.array(best_.buffers);
  out.number(best_epoch_);
  out.number(best_loss_);
  out.number(best_accuracy_);
  out.number(static_cast<std::int32_t>(records_.size()));
  for (const EpochRecord& record : records_) {
    for (const EpochColumn& column : kEpochColumns) out.number(record.*column.field);
  }
  return out.bytes();
}

// Whatever does not fit the network, the data or the rest of the checkpoint is a BytesError.
void Trainer::restore(std::string_view bytes) {
  constexpr auto kMostEpochs = std::int32_t{1} << 24;
  constexpr double kLargest = std::numeric_limits<double>::max();
  ByteReader in(bytes);
  adam_.steps = in.number<std::int64_t>();
  Snapshot now;
  now.values = in.finite_array<float>("weights");
  now.buffers = in.finite_array<float>("running statistics");
  copy_into(in.finite_array<float>("moments"), adam_.first);
  const auto second = in.finite_array<float>("moments");
  if (std::ranges::any_of(second, [](float moment) { return moment < 0; })) {
    throw BytesError("a mean square below zero");
  }
  copy_into(second, adam_.second);
  schedule_.rate = in.number_in(0.0, kLargest, "learning rate");
  schedule_.best = in.number_in(-kLargest, kLargest, "loss");
  schedule_.bad_epochs = in.number_in<int>(0, kMostEpochs, "number of epochs");
  best_.values = in.finite_array<float>("weights");
  best_.buffers = in.finite_array<float>("running statistics");
  put(best_);  // which looks whether it fits
  put(now);
  best_epoch_ = in.number<int>();
  best_loss_ = in.number_in(-kLargest, kLargest, "loss");
  best_accuracy_ = in.number_in(0.0, 1.0, "accuracy");
  const auto count = in.number_in<std::int32_t>(1, kMostEpochs, "number of epochs");
  if (best_epoch_ < 1 || best_epoch_ > count) throw BytesError("impossible best epoch");
  if (adam_.steps != count * steps_per_epoch()) {
    throw BytesError(
        fmt::format("{} steps in {} epochs of {}", adam_.steps, count, steps_per_epoch()));
  }
  for (std::int32_t i = 0; i < count; ++i) {
    EpochRecord record;
    record.epoch = i + 1;
    for (const EpochColumn& column : kEpochColumns) {
      record.*column.field = in.number_in(-kLargest, kLargest, column.name);
    }
    records_.push_back(record);
  }
  if (!in.at_end()) throw BytesError("bytes after the end of the checkpoint");
}

std::int64_t Trainer::steps_per_epoch() const {
  return (train_.graphs().graph_count() + options_.batch_size - 1) / options_.batch_size;
}

const char* Trainer::reason_to_stop(double minutes) const {
  if (options_.cosine_epochs > 0) {
    if (static_cast<int>(records_.size()) >= options_.cosine_epochs) return "schedule";
  } else if (schedule_.rate < options_.least_rate) {
    return "learning rate";
  }
  if (static_cast<int>(records_.size()) >= options_.max_epochs) return "max-epochs";
  if (options_.max_minutes > 0 && minutes >= options_.max_minutes) return "max-minutes";
  return nullptr;
}

FitReport Trainer::run(const Execution& execution) {
  if (task_.journal != nullptr) {
    if (const std::string bytes = task_.journal->last_checkpoint(); !bytes.empty()) restore(bytes);
  }
  const auto start = Clock::now();
  const int most = options_.cosine_epochs > 0
                       ? std::min(options_.cosine_epochs, options_.max_epochs)
                       : options_.max_epochs;
  const int left = std::max(0, most - static_cast<int>(records_.size()));
  const Stage stage(execution, "epochs", static_cast<std::size_t>(left));
  const char* reason = reason_to_stop(0);
  while (reason == nullptr) {
    const auto epoch_start = Clock::now();
    EpochRecord record;
    record.epoch = static_cast<int>(records_.size()) + 1;
    record.learning_rate = rate();
    const PassResult trained = train_epoch(record.epoch, execution);
    const double train_seconds = seconds_since(epoch_start);
    const PassResult validated = evaluate(validation_, execution);
    if (!std::isfinite(validated.loss)) throw DivergedError(record.epoch, validated.loss);
    record.train_loss = trained.loss;
    record.train_accuracy = trained.accuracy;
    record.validation_loss = validated.loss;
    record.validation_accuracy = validated.accuracy;
    record.seconds = seconds_since(epoch_start);
    records_.push_back(record);
    if (validated.loss < best_loss_) {
      best_loss_ = validated.loss;
      best_epoch_ = record.epoch;
      best_accuracy_ = validated.accuracy;
      best_ = take();
    }
    schedule_.observe(validated.loss);
    if (task_.journal != nullptr) task_.journal->save(checkpoint(), records_);
    stage.advance(1);
    stage.status(fmt::format(
        "epoch {}, loss {:.4f}, validation {:.4f}, {:.1f} %, rate {:.2g}, {:.0f} graphs/s",
        record.epoch, record.train_loss, record.validation_loss, 100 * record.validation_accuracy,
        record.learning_rate, train_.graphs().graph_count() / std::max(train_seconds, 1e-9)));
    reason = reason_to_stop(seconds_since(start) / 60);
  }
  stage.finish();
  put(best_);
  FitReport report;
  report.epochs = static_cast<int>(records_.size());
  report.best_epoch = best_epoch_;
  report.validation_accuracy = best_accuracy_;
  report.curve = records_;
  report.details["stopped_by"] = reason;
  report.details["parameters"] = parameters_.values.numel();
  report.details["validation_loss"] = std::stod(fmt::format("{:.5g}", best_loss_));
  return report;
}

std::vector<std::vector<double>> probabilities(nn::Network& network, GraphSource& source,
                                               int batch_size, int rounds,
                                               const Execution& execution) {
  const torch::NoGradGuard no_grad;
  network.eval();
  std::vector<std::vector<double>> all;
  const std::vector<int> order = in_order(source.graphs().graph_count());
  for_batches(source, order, batch_size, execution, [&](const nn::Batch& batch) {
    torch::Tensor sum;
    for (int round = 0; round < rounds; ++round) {
      network.pass = {.round = static_cast<std::uint32_t>(round)};
      const torch::Tensor shares = torch::softmax(network.forward(batch), 1).to(torch::kDouble);
      sum = round == 0 ? shares : sum + shares;
    }
    sum = (sum / rounds).contiguous();
    const double* row = sum.data_ptr<double>();
    for (std::int64_t i = 0; i < sum.size(0); ++i, row += sum.size(1)) {
      all.emplace_back(row, row + sum.size(1));
    }
  });
  return all;
}

}  // namespace bermuda::train
