#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/method.hpp"
#include "bermuda/nn/network.hpp"
#include "bermuda/train/trainer.hpp"

namespace bermuda::train {

/// Which features a network reads beside node labels, which enter where there are any.
struct NodeFeatures {
  bool degree = false;
  bool index = false;        ///< a table of node indices
  bool edge_labels = false;  ///< where there are any
};

/// A method that is a neural network: everything but the network itself. A derived class says which
/// node features it wants and makes the network; training, checkpoints, prediction and the model
/// file are here. See docs/plugins.md for one's own.
class NeuralMethod : public Method {
 public:
  std::string_view name() const override { return name_; }
  ParameterSet parameters() override;
  FitReport fit(const FitTask& task, const Execution& execution) override;
  std::vector<Prediction> predict(Samples samples, const Execution& execution) const override;
  std::vector<Prediction> predict_last(Samples samples, const Execution& execution) const override;
  /// By attention where the network has it, else by gradient x input of the first vectors.
  Explanations explain(Samples samples, const ExplainOptions& options,
                       const Execution& execution) const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  int classes() const override { return classes_; }
  bool can_go_on() const override { return true; }
  bool runs_on_one_thread() const override { return true; }
  /// Answers at random weights, in double precision.
  std::optional<Views> views(const ViewRequest& request, const Execution& execution) override;

 protected:
  NeuralMethod(std::string name, NodeFeatures features)
      : name_(std::move(name)), features_(features) {}

  virtual void add_parameters(ParameterSet& set) = 0;
  /// First values of the parameters come from the initialiser alone.
  virtual std::shared_ptr<nn::Network> make_network(const nn::FeatureSpec& spec, int classes,
                                                    nn::Initialiser& initialiser) const = 0;
  /// A lower bound on the number of parameters of such a network, cheap to compute: a damaged model
  /// file must not make us allocate what it cannot hold.
  virtual double least_parameters() const = 0;
  /// What the numbers of training are where the user leaves them open.
  struct Recipe {
    int batch_size = 128;
    double learning_rate = 1e-3;
    int patience = 10;
    double least_rate = 1e-5;
    int epochs = 0;  ///< of a cosine schedule; 0: the rate falls on plateaus of the loss
    int warm_up = 0;
    int copies = 1;
    double average = 0;
    double decoupled_decay = 0;
    int norm_batches = 0;
  };
  /// `tu`: for the small labelled sets of the TU collection.
  virtual Recipe recipe(bool tu) const;
  /// First values of the parameters to choose between, by name; none: there is no choice.
  virtual std::vector<std::string> starts() const { return {}; }
  virtual void use_start(const std::string& /*name*/) {}
  /// What holds for an option left open, for its help: "as the recipe says: 128 or 20".
  static std::string as_says(std::string_view who, double first, double second);
  /// Whether each pass draws node indices anew: then evaluation may average several.
  virtual bool shuffles() const { return false; }
  nn::Engine engine() const {
    return engine_ == "fused" ? nn::Engine::kFused : nn::Engine::kReference;
  }

 private:
  nn::FeatureSpec feature_spec(Samples train) const;
  TrainerOptions trainer_options(const nn::FeatureSpec& spec) const;
  std::string choose_start(const FitTask& task, TrainerOptions options, const Execution& execution);
  FitReport train(const FitTask& task, const TrainerOptions& options, const Execution& execution);
  void begin_with(const FitTask& task);
  void build(const nn::FeatureSpec& spec, int classes, std::uint64_t seed);

  std::string name_;
  NodeFeatures features_;
  std::string recipe_name_ = "auto";
  std::string engine_ = "fused";
  // Where left open, as the recipe says.
  std::optional<int> batch_size_;
  std::optional<double> learning_rate_;
  std::optional<int> patience_;
  std::optional<double> least_rate_;
  std::optional<int> epochs_;
  std::optional<int> warm_up_;
  std::optional<int> copies_;
  std::optional<double> average_;
  std::optional<double> decoupled_decay_;
  std::optional<int> norm_batches_;
  std::string keep_ = "accuracy";
  int validation_rounds_ = 3;
  int evaluation_rounds_ = 5;
  int trial_epochs_ = 20;
  TrainerOptions options_;
  bool no_class_weights_ = false;
  bool no_compression_ = false;

  nn::FeatureSpec spec_;
  int classes_ = 0;
  std::uint64_t seed_ = 1;  ///< of the fit; what is random in an answer follows from it
  std::shared_ptr<nn::Network> network_;
  std::unique_ptr<FlatParameters> parameters_;
  std::optional<Snapshot> last_;  ///< of the fit, where it kept another epoch
};

}  // namespace bermuda::train
