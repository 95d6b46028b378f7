#include "bermuda/bench/run.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/method/fit_journal.hpp"
#include "host.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr auto kWorthKeeping = std::chrono::milliseconds(100);
constexpr auto kRewrite = std::chrono::seconds(2);

/// What Parameter::set() understands.
std::string option_text(const nlohmann::ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const auto& item : value) list += (list.empty() ? "" : ",") + option_text(item);
  return list;
}

/// Keeps the checkpoint of a run in one file.
class CheckpointFile : public FitJournal {
 public:
  CheckpointFile(fs::path path, FitKey key, const Settings& settings)
      : FitJournal(std::move(key), kWorthKeeping, kRewrite), path_(std::move(path)) {
    std::error_code error;
    if (!fs::exists(path_, error)) return;
    try {
      Checkpoint stored = decode_checkpoint(read_file(path_), path_.string());
      if (key_differences(stored.key, this->key(), settings, "checkpoint").empty()) {
        take_up(std::move(stored));
      }
    } catch (const InputError&) {
      // Damaged: the run starts anew and replaces it.
    }
  }

 private:
  void write(const Checkpoint& checkpoint, std::span<const EpochRecord>) override {
    write_file_atomically(path_, encode_checkpoint(checkpoint), true);
  }

  fs::path path_;
};

}  // namespace

std::string RunSpec::key() const {
  // Sorted keys: the order in which a method declares its options does not matter.
  const nlohmann::json all = {{"result_version", kResultVersion},
                              {"method", method},
                              {"options", nlohmann::json(options)},
                              {"data", data_checksum},
                              {"fold", fold},
                              {"seed", seed}};
  return sha256(all.dump());
}

std::string RunSpec::text() const { return fmt::format("{} on {}, fold {}", method, data, fold); }

std::string data_checksum(const DataSet& data) {
  std::string parts;
  for (const std::string& name : data.class_names) parts += sha256(name);
  for (const Split& split : data.splits) {
    std::vector<const Sample*> samples;
    for (const Sample& sample : split.samples) samples.push_back(&sample);
    parts += sha256(split.name) + samples_checksum(samples, {});
  }
  return sha256(parts);
}

std::vector<const Sample*> tested_samples(const DataSet& data) {
  const Split* test = data.find("test");
  if (test == nullptr || data.find("train") == nullptr) return data.all();
  std::vector<const Sample*> samples;
  for (const Sample& sample : test->samples) samples.push_back(&sample);
  return samples;
}

std::unique_ptr<Method> make_method(const MethodRegistry& methods, const std::string& name,
                                    const nlohmann::ordered_json& options) {
  std::unique_ptr<Method> method = methods.get(name).make();
  const ParameterSet parameters = method->parameters();
  for (const auto& [key, value] : options.items()) {
    const Parameter& parameter = parameters.get(key);
    if (parameter.value() != value) parameter.set(option_text(value));
  }
  return method;
}

void test_method(const Method& method, const DataSet& data, const FoldParts& parts,
                 const Execution& execution, RunResult& result) {
  const std::vector<Prediction> said = method.predict(parts.test, execution);
  result.test = measure(parts.test, said, static_cast<int>(data.class_names.size()));
  const std::vector<const Sample*> tested = tested_samples(data);
  std::unordered_map<const Sample*, int> place;
  for (const Sample* sample : tested) place.emplace(sample, static_cast<int>(place.size()));
  result.answers.clear();
  for (std::size_t i = 0; i < parts.test.size(); ++i) {
    result.answers.push_back({place.at(parts.test[i]), said[i].label, parts.test[i]->label});
  }
}

RunResult execute_run(const RunSpec& spec, const DataSet& data, const MethodRegistry& methods,
                      const fs::path& checkpoint, const Execution& execution) {
  const std::unique_ptr<Method> method = make_method(methods, spec.method, spec.options);
  const FoldParts parts = fold_parts(data, spec.fold);
  CheckpointFile journal(checkpoint,
                         {spec.method, spec.data, samples_checksum(parts.train, parts.validation),
                          spec.fold, spec.seed, spec.options, ""},
                         method->settings());
  const FitTask task = {parts.train, parts.validation, static_cast<int>(data.class_names.size()),
                        spec.seed,   &journal,         ""};
  RunResult result;
  try {
    FitReport report = method->fit(task, execution);
    result.epochs = report.epochs;
    result.best_epoch = report.best_epoch;
    result.validation_accuracy = report.validation_accuracy;
    result.chosen = std::move(report.details);
    result.curve = std::move(report.curve);
    result.seconds = journal.seconds();
    result.cpu_seconds = journal.cpu_seconds();
    test_method(*method, data, parts, execution, result);
  } catch (const IoError&) {
    throw;  // the disk will not take the checkpoint either
  } catch (...) {
    journal.flush();
    throw;
  }
  result.train_graphs = parts.train.size();
  result.validation_graphs = parts.validation.size();
  result.host = host_name();
  result.program_version = kVersion;
  return result;
}

}  // namespace bermuda
