#include "svm_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "bermuda/core/error.hpp"
#include "bermuda/linear/kernel_svm.hpp"
#include "bermuda/linear/linear_trainer.hpp"
#include "bermuda/linear/narrow_svm.hpp"

namespace bermuda {
namespace {

constexpr double kLinearTolerance = 0.1;  // LIBLINEAR's default for its dual solver

// Up to here the exact solver costs nothing to speak of, and on few graphs it is clearly better:
// its intercept is not penalised (docs/methods.md has the figures).
constexpr std::size_t kMostRowsForKernel = 1000;

Prediction predict_row(const LinearModel& model, std::span<const SparseMatrix::Entry> row) {
  Prediction prediction{0, model.scores(row)};
  prediction.label =
      static_cast<int>(std::max_element(prediction.scores.begin(), prediction.scores.end()) -
                       prediction.scores.begin());
  return prediction;
}

double accuracy(const LinearModel& model, const SparseMatrix& rows, std::span<const int> labels) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    right += predict_row(model, rows.row(i)).label == labels[i] ? 1U : 0U;
  }
  return rows.rows() == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(rows.rows());
}

class Trainer {
 public:
  Trainer(const SparseMatrix& rows, std::span<const int> labels, int classes,
          const std::string& solver, bool balanced, bool normalised, const StopPoll& stop)
      : balanced_(balanced), stop_(stop), all_(rows.rows()) {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    if (solver == "kernel") {
      // LIBSVM takes long on few features of any size: classes overlap, and C counts for more.
      if (!normalised && rows.columns <= kMostNarrowColumns) {
        narrow_.emplace(rows, labels, classes);
      } else {
        kernel_.emplace(rows, labels, classes, stop);
      }
    } else {
      linear_.emplace(rows, labels, classes);
    }
  }
  LinearModel train(double cost) const {
    if (kernel_) return kernel_->train(cost, balanced_, stop_);
    if (narrow_) return narrow_->train(cost, balanced_, stop_);
    return linear_->train(all_, {.loss = Loss::kSquaredHinge,
                                 .balanced = balanced_,
                                 .cost = cost,
                                 .tolerance = kLinearTolerance,
                                 .stop = stop_});
  }

 private:
  bool balanced_;
  StopPoll stop_;
  std::vector<std::size_t> all_;
  std::optional<LinearTrainer> linear_;
  std::optional<KernelSvmTrainer> kernel_;
  std::optional<NarrowSvmTrainer> narrow_;
};

}  // namespace

ParameterSet SvmMethod::parameters() {
  ParameterSet set;
  add_parameters(set);
  set.add("costs", costs_, 1e-6, 1e6, "values of C to choose from on validation data")
      .add("solver", solver_, {"auto", "linear", "kernel"},
           "linear: LIBLINEAR on explicit features; kernel: LIBSVM on the stored kernel matrix; "
           "auto: kernel up to 1000 graphs")
      .add("no-class-weights", no_class_weights_,
           "do not weigh classes by the inverse of their share")
      .add("refit", refit_, "learn from validation data too, once C is chosen on it");
  return set;
}

std::string SvmMethod::solver_for(std::size_t graphs) const {
  if (solver_ != "auto") return solver_;
  return graphs <= kMostRowsForKernel ? "kernel" : "linear";
}

SvmMethod::Choice SvmMethod::choose(FeatureMap& map, Samples train, Samples validation, int classes,
                                    const Execution& execution) const {
  std::vector<double> costs = costs_;
  std::sort(costs.begin(), costs.end());
  std::vector<FeatureRows> rows = map.fit(train, execution);
  const std::vector<int> train_labels = labels_of(train);
  const std::vector<int> validation_labels = labels_of(validation);
  std::vector<Choice> best(rows.size());
  const Stage stage(execution, "choosing C", rows.size() * costs.size());
  parallel_for(execution, rows.size(), 1, [&](std::size_t level, std::size_t) {
    if (map.normalised()) normalise(rows[level]);
    // On this thread alone: the levels share the others.
    const Execution alone{.stop = execution.stop};
    FeatureRows asked = map.transform(validation, static_cast<int>(level), alone);
    if (map.normalised()) normalise(asked);
    const Trainer trainer(rows[level], train_labels, classes, solver_for(train.size()),
                          !no_class_weights_, map.normalised(), execution);
    for (const double cost : costs) {
      execution.check_stop();
      const double reached = accuracy(trainer.train(cost), asked, validation_labels);
      if (reached > best[level].accuracy) best[level] = {static_cast<int>(level), cost, reached};
      stage.advance(1);
    }
    rows[level] = {};
  });
  return *std::max_element(best.begin(), best.end(), [](const Choice& a, const Choice& b) {
    return a.accuracy < b.accuracy;  // max_element keeps the first of equals
  });
}

FitReport SvmMethod::fit(const FitTask& task, const Execution& execution) {
  const Samples train = task.train;
  const Samples validation = task.validation;
  if (train.empty()) throw UsageError("there is nothing to train on");
  if (validation.empty() && costs_.size() > 1) {
    throw UsageError("--costs: several values need validation data to choose from");
  }
  seed_ = task.seed;
  map_ = make_map(seed_);
  const Choice choice = choose(*map_, train, validation, task.classes, execution);
  const std::string level_name = map_->level_name();
  const int level_value = map_->level_value(choice.level);
  map_->keep_level(choice.level);

  std::vector<const Sample*> known(train.begin(), train.end());
  if (refit_) known.insert(known.end(), validation.begin(), validation.end());
  std::vector<FeatureRows> rows = map_->fit(known, execution);
  if (map_->normalised()) normalise(rows.front());
  // The solver that C was chosen for, though refit has more graphs.
  const Trainer trainer(rows.front(), labels_of(known), task.classes, solver_for(train.size()),
                        !no_class_weights_, map_->normalised(), execution);
  model_ = trainer.train(choice.cost);

  FitReport report;
  report.validation_accuracy = choice.accuracy;
  report.details["C"] = choice.cost;
  if (!level_name.empty()) report.details[level_name] = level_value;
  report.details["features"] = rows.front().columns;
  return report;
}

std::vector<Prediction> SvmMethod::predict(Samples samples, const Execution& execution) const {
  if (!map_) throw UsageError("this model was neither fitted nor loaded");
  FeatureRows rows = map_->transform(samples, 0, execution);
  if (map_->normalised()) normalise(rows);
  std::vector<Prediction> predictions;
  predictions.reserve(samples.size());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    predictions.push_back(predict_row(model_, rows.row(i)));
  }
  return predictions;
}

void SvmMethod::save(ByteWriter& out) const {
  out.number(seed_);
  map_->save(out);
  out.number(model_.classes);
  out.number(model_.columns);
  for (const std::vector<double>& weights : model_.weights) out.array(weights);
}

void SvmMethod::load(ByteReader& in) {
  constexpr int kMostClasses = 1'000'000;
  seed_ = in.number<std::uint64_t>();
  map_ = make_map(seed_);
  map_->load(in);
  model_.classes = in.number_in(2, kMostClasses, "number of classes");
  model_.columns = in.number_in(0, std::numeric_limits<int>::max() - 1, "number of features");
  if (map_->transform({}, 0, {}).columns != model_.columns) {
    throw BytesError("a number of features that is not that of the feature map");
  }
  const int machines = model_.classes == 2 ? 1 : model_.classes;
  model_.weights.clear();
  for (int i = 0; i < machines; ++i) {
    model_.weights.push_back(in.finite_array<double>("weights"));
    if (model_.weights.back().size() != static_cast<std::size_t>(model_.columns) + 1) {
      throw BytesError("weights that do not fit the number of features");
    }
  }
}

}  // namespace bermuda
