#include "bermuda/train/neural_method.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <set>

#include "bermuda/core/error.hpp"

namespace bermuda::train {
namespace {

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
  set.add("recipe", recipe_, {"auto", "synthetic", "tu"},
          "defaults of the four numbers below (where 0): synthetic is batch 128, rate 1e-3, "
          "patience 10, least rate 1e-5; tu is batch 20, the method's own rate, patience 25, least "
          "rate 1e-6; auto is tu where nodes have labels")
      .add("batch-size", batch_size_, 0, 1'000'000, "graphs a step; 0: as the recipe says")
      .add("learning-rate", learning_rate_, 0, 1000, "of Adam at the start; 0: as the recipe says")
      .add("patience", patience_, 0, 1'000'000,
           "epochs without a lower validation loss before the rate falls; 0: as the recipe says")
      .add("least-rate", least_rate_, 0, 1,
           "training ends when the rate falls below; 0: as the recipe says")
      .add("rate-factor", options_.factor, 0.001, 0.999, "by which the rate falls")
      .add("weight-decay", options_.weight_decay, 0, 1, "of Adam")
      .add("max-epochs", options_.max_epochs, 1, 1'000'000, "passes over the training graphs")
      .only_stops()
      .add("max-minutes", options_.max_minutes, 0, 1e6, "0: no limit")
      .only_stops()
      .add("no-class-weights", no_class_weights_,
           "do not weigh classes by the inverse of their share")
      .add("no-compression", no_compression_, "compute equal nodes of a batch each for itself")
      .add("engine", engine_, {"fused", "reference"},
           "reference: LibTorch's own operators, slower, to compare");
  return set;
}

nn::FeatureSpec NeuralMethod::feature_spec(Samples train) const {
  nn::FeatureSpec spec;
  spec.degree = features_.degree;
  std::set<int> labels;
  for (const Sample* sample : train) {
    labels.insert(sample->graph.node_labels().begin(), sample->graph.node_labels().end());
    if (features_.index) spec.indices = std::max(spec.indices, sample->graph.node_count());
  }
  spec.node_labels.assign(labels.begin(), labels.end());
  return spec;
}

TrainerOptions NeuralMethod::trainer_options(const nn::FeatureSpec& spec) const {
  const bool tu = recipe_ == "tu" || (recipe_ == "auto" && !spec.node_labels.empty());
  TrainerOptions options = options_;
  options.batch_size = batch_size_ > 0 ? batch_size_ : tu ? 20 : 128;
  options.learning_rate = learning_rate_ > 0 ? learning_rate_ : tu ? tu_learning_rate() : 1e-3;
  options.patience = patience_ > 0 ? patience_ : tu ? 25 : 10;
  options.least_rate = least_rate_ > 0 ? least_rate_ : tu ? 1e-6 : 1e-5;
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

FitReport NeuralMethod::fit(const FitTask& task, const Execution& execution) {
  if (task.train.empty()) throw UsageError("there is nothing to train on");
  if (task.validation.empty()) throw UsageError("there is nothing to validate on");
  const TrainerOptions options = trainer_options(feature_spec(task.train));
  if (options.learning_rate < options.least_rate) {
    throw UsageError(fmt::format("--learning-rate: found {}, expected at least --least-rate {}",
                                 options.learning_rate, options.least_rate));
  }
  FitReport report = in_our_words([&] {
    set_up_engine(execution.threads);
    build(feature_spec(task.train), task.classes, task.seed);
    GraphSource train(task.train, spec_, network_->recipe(), options.compress);
    GraphSource validation(task.validation, spec_, network_->recipe(), options.compress);
    return Trainer(*network_, *parameters_, options, task, train, validation).run(execution);
  });
  report.details["batch_size"] = options.batch_size;
  report.details["learning_rate"] = options.learning_rate;
  report.details["patience"] = options.patience;
  return report;
}

std::vector<Prediction> NeuralMethod::predict(Samples samples, const Execution& execution) const {
  if (!network_) throw UsageError("this model was neither fitted nor loaded");
  std::vector<std::vector<double>> all = in_our_words([&] {
    set_up_engine(execution.threads);
    GraphSource source(samples, spec_, network_->recipe(), !no_compression_);
    return probabilities(*network_, source, trainer_options(spec_).batch_size, execution);
  });
  std::vector<Prediction> predictions;
  for (std::vector<double>& scores : all) {
    const auto likeliest = std::ranges::max_element(scores);
    predictions.push_back({static_cast<int>(likeliest - scores.begin()), std::move(scores)});
  }
  return predictions;
}

void NeuralMethod::save(ByteWriter& out) const {
  out.number(classes_);
  out.array(spec_.node_labels);
  out.number(spec_.indices);
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
  spec.node_labels = in.array<int>();
  spec.indices = in.number_in(0, 1 << 30, "number of node indices");
  const auto values = in.array<float>();
  const auto buffers = in.array<float>();
  const auto held = static_cast<double>(values.size());
  if (!std::ranges::is_sorted(spec.node_labels) || spec.indices > held || classes > held ||
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
