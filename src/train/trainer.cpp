#include "bermuda/train/trainer.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "batches.hpp"

namespace bermuda::train {
namespace {

constexpr double kExploded = 1e6;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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
      adam_(parameters, options.decay),
      average_(parameters, options.average),
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
  const std::vector<int> order = shuffled(Purpose::kBatches, epoch);
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
                average_.observe(parameters_, adam_.steps);
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

// The running statistics of training lag behind weights that change quickly, and belong to other
// weights where these are averaged. Here each batch counts the same.
void Trainer::measure_norms(int epoch, const Execution& execution) {
  if (options_.norm_batches == 0 || parameters_.buffer_count() == 0) return;
  const torch::NoGradGuard no_grad;
  network_.train();
  network_.pass = {.seed = task_.seed,
                   .step = static_cast<std::uint64_t>(adam_.steps),
                   .epoch = static_cast<std::uint32_t>(epoch)};
  const std::vector<int> order = shuffled(Purpose::kNormBatches, epoch);
  const std::size_t most = static_cast<std::size_t>(options_.norm_batches) *
                           static_cast<std::size_t>(options_.batch_size);
  int batches = 0;
  for_batches(train_, std::span(order).first(std::min(most, order.size())), options_.batch_size,
              execution, [&](const nn::Batch& batch) {
                network_.set_norm_momentum(1.0 / ++batches);
                network_.forward(batch);
              });
  network_.set_norm_momentum(nn::NormState{}.momentum);
}

PassResult Trainer::validate(int epoch, const Execution& execution) {
  PassResult mean;
  for (int draw = 0; draw < options_.draws; ++draw) {
    network_.pass = {.seed = task_.seed,
                     .epoch = static_cast<std::uint32_t>(epoch),
                     .round = static_cast<std::uint32_t>(draw)};
    const PassResult one = evaluate(validation_, execution);
    mean.loss += one.loss / options_.draws;
    mean.accuracy += one.accuracy / options_.draws;
  }
  return mean;
}

PassResult Trainer::evaluate(GraphSource& source, const Execution& execution) {
  const torch::NoGradGuard no_grad;
  network_.eval();
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

bool Trainer::is_better(const PassResult& validated) const {
  if (best_epoch_ == 0 || options_.keep == Keep::kLast) return true;
  if (options_.keep == Keep::kAccuracy && validated.accuracy != best_figures_.accuracy) {
    return validated.accuracy > best_figures_.accuracy;
  }
  return validated.loss < best_figures_.loss;
}

std::vector<int> Trainer::shuffled(Purpose purpose, int epoch) const {
  std::vector<int> order = in_order(train_.graphs().graph_count());
  RandomStream(task_.seed, purpose, static_cast<std::uint64_t>(epoch)).shuffle(std::span(order));
  return order;
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
    torch::Tensor trained_values;  // put aside while averages validate
    if (average_.is_on()) {
      trained_values = parameters_.values.clone();
      parameters_.values.copy_(average_.values);
    }
    measure_norms(record.epoch, execution);
    const PassResult validated = validate(record.epoch, execution);
    if (!std::isfinite(validated.loss)) throw DivergedError(record.epoch, validated.loss);
    record.train_loss = trained.loss;
    record.train_accuracy = trained.accuracy;
    record.validation_loss = validated.loss;
    record.validation_accuracy = validated.accuracy;
    record.seconds = seconds_since(epoch_start);
    records_.push_back(record);
    if (is_better(validated)) {
      best_figures_ = validated;
      best_epoch_ = record.epoch;
      best_ = take_snapshot(parameters_);
    }
    if (average_.is_on()) parameters_.values.copy_(trained_values);
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
  if (average_.is_on()) parameters_.values.copy_(average_.values);
  last_ = take_snapshot(parameters_);
  put_snapshot(best_, parameters_);
  return report(reason);
}

FitReport Trainer::report(const char* reason) const {
  FitReport report;
  report.epochs = static_cast<int>(records_.size());
  report.best_epoch = best_epoch_;
  report.validation_accuracy = best_figures_.accuracy;
  report.curve = records_;
  report.details["stopped_by"] = reason;
  report.details["parameters"] = parameters_.values.numel();
  report.details["validation_loss"] = std::stod(fmt::format("{:.5g}", best_figures_.loss));
  return report;
}

}  // namespace bermuda::train
