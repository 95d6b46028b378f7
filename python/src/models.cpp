#include "models.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <chrono>

#include "array.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/model_file.hpp"
#include "bermuda/run/execute.hpp"
#include "bermuda/run/folder.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"
#include "settings.hpp"

namespace bermuda::python {

const MethodRegistry& kernel_methods() {
  static const MethodRegistry registry = [] {
    MethodRegistry made;
    register_kernel_methods(made);
    return made;
  }();
  return registry;
}

namespace {

using Model = std::shared_ptr<FittedModel>;

/// A run in memory leaves no checkpoints: kernel methods write none.
class NoJournal : public RunJournal {
 public:
  explicit NoJournal(RunSpec spec)
      : RunJournal(std::move(spec), std::chrono::hours(1), std::chrono::hours(1)) {}

 private:
  void write(const Checkpoint&, std::span<const EpochRecord>) override {}
};

std::unique_ptr<Method> make_method(const std::string& name, const Options& options) {
  std::unique_ptr<Method> method = kernel_methods().get(name).make();
  set_options(std::array{method->parameters()}, options);
  return method;
}

/// What `bermuda train` does.
Model fit_fold(const std::string& name, const Options& options, const Graphs& graphs, int fold,
               const std::string& folding, std::uint64_t seed, const Work& work) {
  graphs.check_classes();
  if (graphs.data->class_names.size() < 2) throw UsageError("the graphs have one class only");
  std::unique_ptr<Method> method = make_method(name, options);
  DataSet copy;
  const DataSet& data = graphs.as_dataset(copy);
  TrainingSummary training;
  std::string report = long_call(work, [&](const Execution& execution) {
    training =
        summarise_training(fold_parts(data, fold, folding_named(folding), execution).train, data);
    const RunSpec spec =
        describe_run(*method, data, fold, seed, {}, folding_named(folding), execution);
    NoJournal journal(spec);
    const RunResult result = execute(spec, data, *method, journal, execution);
    return to_json(FinishedRun{spec, result, data.class_names}).dump();
  });
  return std::make_shared<FittedModel>(
      FittedModel{std::move(method), data.class_names, std::move(report), std::move(training)});
}

/// Learns from one part and chooses on the other, as fold 0 of a run with this seed would.
Model fit_parts(const std::string& name, const Options& options, const Graphs& train,
                const Graphs& validation, std::uint64_t seed, const Work& work) {
  train.check_classes();
  validation.check_classes();
  std::unique_ptr<Method> method = make_method(name, options);
  const auto classes = static_cast<int>(train.data->class_names.size());
  std::string report = long_call(work, [&](const Execution& execution) {
    const FitReport found = method->fit(
        {train.samples, validation.samples, classes, fit_seed(seed, 0), nullptr, {}}, execution);
    nlohmann::ordered_json json;
    json["validation_accuracy"] = found.validation_accuracy;
    json["chosen"] = found.details;
    return json.dump();
  });
  return std::make_shared<FittedModel>(FittedModel{std::move(method), train.data->class_names,
                                                   std::move(report),
                                                   summarise_training(train.samples, *train.data)});
}

/// (classes by number, scores of each class)
py::tuple predict(const FittedModel& model, const Graphs& graphs, const Work& work) {
  const auto classes = model.class_names.size();
  const auto predictions = long_call(work, [&](const Execution& execution) {
    return model.method->predict(graphs.samples, execution);
  });
  check_predictions(predictions, graphs.size(), static_cast<int>(classes));
  std::vector<std::int64_t> labels;
  std::vector<double> scores;
  for (const Prediction& prediction : predictions) {
    labels.push_back(prediction.label);
    scores.insert(scores.end(), prediction.scores.begin(), prediction.scores.end());
  }
  return py::make_tuple(array_of(std::move(labels)),
                        array_of(std::move(scores), {static_cast<py::ssize_t>(graphs.size()),
                                                     static_cast<py::ssize_t>(classes)}));
}

py::bytes encode_fitted(const FittedModel& model) {
  return encode_model(*model.method, model.class_names, model.training);
}

Model decode_fitted(const std::string& bytes, const std::string& file) {
  bermuda::Model model = decode_model(bytes, file, kernel_methods());
  return std::make_shared<FittedModel>(
      FittedModel{std::move(model.method), std::move(model.class_names), "{}", model.training});
}

/// (method, classes, options as JSON) of a model file, whoever can use it.
py::tuple model_header(const std::string& bytes, const std::string& file) {
  const ModelHeader header = decode_model_header(bytes, file);
  return py::make_tuple(header.method, header.class_names, header.options.dump());
}

/// The three parts of a fold: train, validation, test.
py::tuple fold(const Graphs& graphs, int which, const std::string& folding, const Work& work) {
  if (!graphs.is_whole()) throw UsageError("folds are those of a whole data set");
  graphs.check_classes();
  FoldParts parts = long_call(work, [&](const Execution& execution) {
    return fold_parts(*graphs.data, which, folding_named(folding), execution);
  });
  return py::make_tuple(Graphs(graphs.data, std::move(parts.train)),
                        Graphs(graphs.data, std::move(parts.validation)),
                        Graphs(graphs.data, std::move(parts.test)));
}

/// Which of so many folds each item is in.
Array folds(const py::buffer& labels, int classes, int count) {
  const Input<std::int64_t> numbers(labels);
  const std::vector<int> y(numbers.values().begin(), numbers.values().end());
  return array_of(stratified_folds(y, classes, count, kFoldSeed).fold_of);
}

}  // namespace

void bind_models(py::module_& module) {
  py::class_<FittedModel, Model>(module, "Model")
      .def_property_readonly(
          "method", [](const FittedModel& model) { return std::string(model.method->name()); })
      .def_property_readonly(
          "options",
          [](const FittedModel& model) { return model.method->settings().values().dump(); })
      .def_readonly("class_names", &FittedModel::class_names)
      .def_readonly("report", &FittedModel::report)
      .def("predict", &predict)
      .def("encode", &encode_fitted);
  module.def("write_file", [](const std::string& path, const std::string& bytes, bool force) {
    write_output(path, bytes, force);
  });
  module.def("fit_fold", &fit_fold);
  module.def("fit_parts", &fit_parts);
  module.def("decode_model", &decode_fitted);
  module.def("model_header", &model_header);
  module.def("fold", &fold);
  module.def("folds", &folds);
  module.def("methods", [] {
    py::dict found;
    for (const MethodInfo& info : kernel_methods().all()) found[py::str(info.name)] = info.summary;
    return found;
  });
  module.def("method_settings", [](const std::string& name) {
    return settings_json(kernel_methods().get(name).make()->settings());
  });
}

}  // namespace bermuda::python
