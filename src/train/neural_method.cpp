#include "bermuda/train/neural_method.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <set>

#include "bermuda/core/error.hpp"

namespace bermuda::train {
namespace {

/// Of what may be asked for: below, training would stand still.
constexpr double kLeastRate = 1e-9;

/// LibTorch's errors carry a page of addresses; ours are one line.
template <class Body>
auto in_our_words(const Body& body) {
  try {
    return body();
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    throw Error("LibTorch: " + text.substr(0, text.find('\n')));
  }
}

}  // namespace

ParameterSet NeuralMethod::parameters() {
  ParameterSet set;
  add_parameters(set);
  const auto told = [synthetic = recipe(false), tu = recipe(true)](auto Recipe::*number) {
    return as_says("recipe", synthetic.*number, tu.*number);
  };
  set.add("recipe", recipe_name_, {"auto", "synthetic", "tu"},
          "which of two defaults an open number below takes, the first (synthetic) or the second "
          "(tu); auto is tu where nodes have labels")
      .add("batch-size", batch_size_, 1, 1'000'000, "graphs per step", told(&Recipe::batch_size))
      .add("learning-rate", learning_rate_, kLeastRate, 1000, "of Adam, the highest",
           told(&Recipe::learning_rate))
      .add("epochs", epochs_, 0, 1'000'000,
           "passes over which the rate falls like a cosine, the end of training; 0: it falls on "
           "plateaus",
           told(&Recipe::epochs))
      .add("warm-up", warm_up_, 0, 1'000'000, "steps over which the rate rises, with --epochs",
           told(&Recipe::warm_up))
      .add("patience", patience_, 1, 1'000'000,
           "without --epochs: those without a lower validation loss before the rate falls",
           told(&Recipe::patience))
      .add("least-rate", least_rate_, kLeastRate, 1,
           "without --epochs: training ends when the rate falls below", told(&Recipe::least_rate))
      .add("clip", options_.clip, 0, 1e9, "longest gradient; 0: no limit")
      .add("rate-factor", options_.factor, 0.001, 0.999, "by which the rate falls")
      .add("weight-decay", options_.decay.inside, 0, 1, "of Adam, as part of the gradient")
      .add("decoupled-decay", decoupled_decay_, 0, 100,
           "of weights, by rate x decay in each step, beside Adam", told(&Recipe::decoupled_decay))
      .add("average", average_, 0, 0.999999,
           "answer with averaged weights, of which each step keeps this share; 0: with the last "
           "ones",
           told(&Recipe::average))
      .add("norm-batches", norm_batches_, 0, 1'000'000,
           "training batches that batch norms are measured on before each validation; 0: they go "
           "by what they saw while training",
           told(&Recipe::norm_batches))
      .add(
          "keep", keep_, {"accuracy", "loss", "last"},
          "the epoch with the highest validation accuracy (of equals, the lowest loss), the lowest "
          "validation loss, or the last one")
      .add("max-epochs", options_.max_epochs, 1, 1'000'000, "passes over the training graphs")
      .only_stops()
      .add("max-minutes", options_.max_minutes, 0, 1e6, "0: no limit")
      .only_stops()
      .add("no-class-weights", no_class_weights_,
           "do not weigh classes by the inverse of their share")
      .add("no-compression", no_compression_, "compute equal nodes of a batch each for itself")
      .add("engine", engine_, {"fused", "reference"},
           "reference: LibTorch's own operators, slower, to compare");
  if (!starts().empty()) {
    set.add("trial-epochs", trial_epochs_, 1, 1'000'000,
            "passes with each start before the one with the lowest validation loss is chosen");
  }
  if (shuffles()) {
    set.add("copies", copies_, 1, 64, "of each graph in its batch, each with indices of its own",
            told(&Recipe::copies))
        .add("valid-shuffles", validation_rounds_, 1, 1000,
             "draws of indices that an epoch's validation figures are the mean of")
        .add("eval-shuffles", evaluation_rounds_, 1, 10'000,
             "draws of indices that an answer is the mean of");
  }
  return set;
}

std::string NeuralMethod::as_says(std::string_view who, double first, double second) {
  return first == second ? fmt::format("as the {} says: {}", who, first)
                         : fmt::format("as the {} says: {} or {}", who, first, second);
}

NeuralMethod::Recipe NeuralMethod::recipe(bool tu) const {
  if (tu) return {.batch_size = 20, .patience = 25, .least_rate = 1e-6};
  return {};
}

nn::FeatureSpec NeuralMethod::feature_spec(Samples train) const {
  nn::FeatureSpec spec;
  spec.degree = features_.degree;
  std::set<int> labels;
  std::set<int> edge_labels;
  for (const Sample* sample : train) {
    labels.insert(sample->graph.node_labels().begin(), sample->graph.node_labels().end());
    if (features_.edge_labels) {
      edge_labels.insert(sample->graph.edge_labels().begin(), sample->graph.edge_labels().end());
    }
    if (features_.index) spec.indices = std::max(spec.indices, sample->graph.node_count());
  }
  spec.node_labels.assign(labels.begin(), labels.end());
  spec.edge_labels.assign(edge_labels.begin(), edge_labels.end());
  return spec;
}

TrainerOptions NeuralMethod::trainer_options(const nn::FeatureSpec& spec) const {
  const bool tu = recipe_name_ == "tu" || (recipe_name_ == "auto" && !spec.node_labels.empty());
  const Recipe open = recipe(tu);
  TrainerOptions options = options_;
  options.batch_size = batch_size_.value_or(open.batch_size);
  options.learning_rate = learning_rate_.value_or(open.learning_rate);
  options.patience = patience_.value_or(open.patience);
  options.least_rate = least_rate_.value_or(open.least_rate);
  options.cosine_epochs = epochs_.value_or(open.epochs);
  options.warm_up = warm_up_.value_or(open.warm_up);
  options.copies = copies_.value_or(open.copies);
  options.draws = shuffles() ? validation_rounds_ : 1;
  options.average = average_.value_or(open.average);
  options.decay.decoupled = decoupled_decay_.value_or(open.decoupled_decay);
  options.norm_batches = norm_batches_.value_or(open.norm_batches);
  options.keep = keep_ == "loss" ? Keep::kLoss : keep_ == "last" ? Keep::kLast : Keep::kAccuracy;
  options.class_weights = !no_class_weights_;
  options.compress = !no_compression_;
  return options;
}

void NeuralMethod::build(const nn::FeatureSpec& spec, int classes, std::uint64_t seed) {
  spec_ = spec;
  classes_ = classes;
  nn::Initialiser initialiser(seed);
  network_ = make_network(spec, classes, initialiser);
  parameters_ = std::make_unique<FlatParameters>(*network_);
}

FitReport NeuralMethod::train(const FitTask& task, const TrainerOptions& options,
                              const Execution& execution) {
  return in_our_words([&] {
    last_.reset();
    if (task.initial.empty()) {
      build(feature_spec(task.train), task.classes, task.seed);
    } else {
      begin_with(task);
    }
    GraphSource train(task.train, spec_, network_->recipe(), options.compress);
    GraphSource validation(task.validation, spec_, network_->recipe(), options.compress);
    seed_ = task.seed;
    Trainer trainer(*network_, *parameters_, options, task, train, validation);
    FitReport report = trainer.run(execution);
    if (report.best_epoch != report.epochs) last_ = trainer.last();
    return report;
  });
}

void NeuralMethod::begin_with(const FitTask& task) {
  try {
    ByteReader in(task.initial);
    load(in);
  } catch (const BytesError& error) {
    throw UsageError(fmt::format("the model to begin with has other options: {}", error.what()));
  }
  if (classes_ != task.classes) {
    throw UsageError(
        fmt::format("the model to begin with has {} classes, the data {}", classes_, task.classes));
  }
}

std::string NeuralMethod::choose_start(const FitTask& task, TrainerOptions options,
                                       const Execution& execution) {
  const std::vector<std::string> candidates = starts();
  if (candidates.empty() || !task.initial.empty()) return {};
  std::string best = candidates.front();
  if (candidates.size() > 1) {
    // A trial leaves no checkpoint: it is short, and repeats itself.
    FitTask trial = task;
    trial.journal = nullptr;
    options.max_epochs = std::min(options.max_epochs, trial_epochs_);
    double least = 1e300;
    for (const std::string& candidate : candidates) {
      use_start(candidate);
      const FitReport report = train(trial, options, execution);
      const double loss = std::ranges::min_element(report.curve, {}, &EpochRecord::validation_loss)
                              ->validation_loss;
      if (loss < least) {
        least = loss;
        best = candidate;
      }
    }
  }
  use_start(best);
  return best;
}

FitReport NeuralMethod::fit(const FitTask& task, const Execution& execution) {
  if (task.train.empty()) throw UsageError("there is nothing to train on");
  if (task.validation.empty()) throw UsageError("there is nothing to validate on");
  const TrainerOptions options = trainer_options(feature_spec(task.train));
  if (options.cosine_epochs == 0 && options.learning_rate < options.least_rate) {
    throw UsageError(fmt::format("--learning-rate: found {}, expected at least --least-rate {}",
                                 options.learning_rate, options.least_rate));
  }
  set_up_engine(execution.threads);
  const std::string start = choose_start(task, options, execution);
  FitReport report = train(task, options, execution);
  if (!start.empty()) report.details["start"] = start;
  report.details["batch_size"] = options.batch_size;
  report.details["learning_rate"] = options.learning_rate;
  if (options.cosine_epochs > 0) {
    report.details["schedule_epochs"] = options.cosine_epochs;
  } else {
    report.details["patience"] = options.patience;
  }
  return report;
}

std::vector<Prediction> NeuralMethod::predict(Samples samples, const Execution& execution) const {
  if (!network_) throw UsageError("this model was neither fitted nor loaded");
  std::vector<std::vector<double>> all = in_our_words([&] {
    set_up_engine(execution.threads);
    GraphSource source(samples, spec_, network_->recipe(), !no_compression_);
    return probabilities(*network_, source, trainer_options(spec_).batch_size, seed_,
                         evaluation_rounds_, execution);
  });
  std::vector<Prediction> predictions;
  for (std::vector<double>& scores : all) {
    const auto likeliest = std::ranges::max_element(scores);
    predictions.push_back({static_cast<int>(likeliest - scores.begin()), std::move(scores)});
  }
  return predictions;
}

std::vector<Prediction> NeuralMethod::predict_last(Samples samples,
                                                   const Execution& execution) const {
  if (!last_) return {};
  struct Lent {
    FlatParameters& parameters;
    Snapshot kept = take_snapshot(parameters);
    ~Lent() { put_snapshot(kept, parameters); }
  };
  const Lent lent{*parameters_};
  put_snapshot(*last_, *parameters_);
  return predict(samples, execution);
}

void NeuralMethod::save(ByteWriter& out) const {
  out.number(classes_);
  out.number(seed_);
  out.array(spec_.node_labels);
  out.number(spec_.indices);
  if (features_.edge_labels) out.array(spec_.edge_labels);
  const torch::Tensor& values = parameters_->values;
  out.array(
      std::vector<float>(values.data_ptr<float>(), values.data_ptr<float>() + values.numel()));
  out.array(parameters_->buffers());
}

void NeuralMethod::load(ByteReader& in) {
  nn::FeatureSpec spec;
  spec.degree = features_.degree;
  constexpr int kMostClasses = 1'000'000;
  const int classes = in.number_in(2, kMostClasses, "number of classes");
  seed_ = in.number<std::uint64_t>();
  spec.node_labels = in.array<int>();
  spec.indices = in.number_in(0, 1 << 30, "number of node indices");
  if (features_.edge_labels) spec.edge_labels = in.array<int>();
  const auto values = in.finite_array<float>("weights");
  const auto buffers = in.finite_array<float>("running statistics");
  const auto held = static_cast<double>(values.size());
  const auto rise = [](const std::vector<int>& labels) {
    return std::ranges::adjacent_find(labels, std::ranges::greater_equal{}) == labels.end();
  };
  if (!rise(spec.node_labels) || !rise(spec.edge_labels) ||
      (spec.indices > 0 && !features_.index) || spec.indices > held || classes > held ||
      least_parameters() > held) {
    throw BytesError("weights that do not fit the network");
  }
  build(spec, classes, 0);
  if (values.size() != static_cast<std::size_t>(parameters_->values.numel()) ||
      buffers.size() != parameters_->buffer_count()) {
    throw BytesError("weights that do not fit the network");
  }
  std::ranges::copy(values, parameters_->values.data_ptr<float>());
  parameters_->set_buffers(buffers);
}

}  // namespace bermuda::train
