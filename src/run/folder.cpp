#include "bermuda/run/folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "curves.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto kRewrite = std::chrono::milliseconds(500);
constexpr auto kRedraw = std::chrono::seconds(5);

std::vector<std::string> ids_of(const std::vector<const Sample*>& samples) {
  std::vector<std::string> ids;
  for (const Sample* sample : samples) ids.push_back(sample->id);
  return ids;
}

// What run.json says: all that train prints, and which graphs were used for what.
std::string run_file_text(const FinishedRun& run, const FoldParts& parts) {
  const Json fit = fit_json(run.spec);
  Json json = to_json(run);
  for (const char* name : {"data_checksum", "initial"}) json[name] = fit.at(name);
  json["result_version"] = run.result_version;
  json["validation_ids"] = ids_of(parts.validation);
  json["test_ids"] = ids_of(parts.test);
  // The model gives the answers of the kept epoch again, and of no other.
  const std::optional<LastEpoch>& last = run.result.last;
  if (last) json["last"]["answers"] = compact_answers(last->answers);
  return json.dump(1) + "\n";
}

}  // namespace

bool is_finished_run(const fs::path& folder) { return fs::exists(folder / kRunFile); }

bool is_unfinished_run(const fs::path& folder) {
  return fs::exists(folder / kCheckpointFile) && !is_finished_run(folder);
}

RunFolder::RunFolder(fs::path path, bool overwrite, RunSpec spec)
    : RunJournal(std::move(spec), std::chrono::milliseconds(0), kRewrite),
      path_(std::move(path)),
      overwrite_(overwrite) {}

void RunFolder::resume(const Settings& settings) {
  const fs::path file = path_ / kCheckpointFile;
  Checkpoint stored = decode_checkpoint(read_file(file), file.string());
  const std::vector<std::string> differences =
      fit_differences(stored.spec, spec(), settings, "checkpoint");
  if (!differences.empty()) {
    throw UsageError(fmt::format("{}: cannot resume with other settings: {}", path_.string(),
                                 fmt::join(differences, "; ")));
  }
  take_up(std::move(stored));
  exists_ = true;
  remove_leftovers(path_);
}

void RunFolder::write(const Checkpoint& checkpoint, std::span<const EpochRecord> epochs) {
  const std::string bytes = encode_checkpoint(checkpoint);
  const bool redraw = !exists_ || Clock::now() - drawn_ >= kRedraw;
  if (exists_) {
    replace(kCheckpointFile, bytes);
    replace(kEpochsFile, epochs_table(epochs));
    if (redraw) replace(kCurvesFile, curves(epochs, 0));
  } else {
    PendingFolder folder(path_, overwrite_);
    folder.write(kCheckpointFile, bytes);
    folder.write(kEpochsFile, epochs_table(epochs));
    folder.write(kCurvesFile, curves(epochs, 0));
    folder.commit();
    exists_ = true;
  }
  if (redraw) drawn_ = Clock::now();
}

void RunFolder::finish(const RunResult& result, const Method& method, const DataSet& data) {
  const FoldParts parts = fold_parts(data, spec().fold, spec().folding);
  const std::string model =
      encode_model(method, data.class_names, summarise_training(parts.train, data));
  const std::string run = run_file_text({spec(), result, data.class_names}, parts);
  if (!exists_) {
    PendingFolder folder(path_, overwrite_);
    if (!result.curve.empty()) {
      folder.write(kEpochsFile, epochs_table(result.curve));
      folder.write(kCurvesFile, curves(result.curve, result.best_epoch));
    }
    folder.write(kModelFile, model);
    folder.write(kRunFile, run);
    folder.commit();
    return;
  }
  replace(kEpochsFile, epochs_table(result.curve));
  replace(kCurvesFile, curves(result.curve, result.best_epoch));
  replace(kModelFile, model);
  replace(kRunFile, run);  // from here on the run is finished
  std::error_code error;
  fs::remove(path_ / kCheckpointFile, error);
}

std::string RunFolder::file() const { return (path_ / kCheckpointFile).string(); }

std::string RunFolder::curves(std::span<const EpochRecord> epochs, int best_epoch) const {
  return learning_curves_svg(epochs, spec().text(), best_epoch);
}

void RunFolder::replace(const char* name, std::string_view bytes) const {
  write_file_atomically(path_ / name, bytes, true);
}

Json to_json(const FinishedRun& run) {
  const RunResult& result = run.result;
  Json json = {{"method", run.spec.method},
               {"program_version", result.program_version},
               {"data", run.spec.data},
               {"classes", run.class_names},
               {"fold", run.spec.fold},
               {"seed", run.spec.seed},
               {"options", run.spec.options},
               {"train_graphs", result.train_graphs},
               {"validation_graphs", result.validation_graphs},
               {"test_graphs", result.test.count},
               {"epochs", result.epochs},
               {"best_epoch", result.best_epoch},
               {"seconds", result.seconds},
               {"cpu_seconds", result.cpu_seconds},
               {"validation_accuracy", result.validation_accuracy},
               {"test_accuracy", result.test.accuracy},
               {"test", told_json(result.test)},
               {"last", result.last ? Json{{"test", to_json(result.last->test)}} : Json()},
               {"chosen", result.chosen}};
  if (run.spec.folding != Folding::kUsual) json["folding"] = folding_name(run.spec.folding);
  return json;
}

FinishedRun read_finished_run(const fs::path& folder) {
  if (!is_finished_run(folder)) {
    throw UsageError(fmt::format("{}: no finished run of train there", folder.string()));
  }
  const std::string file = (folder / kRunFile).string();
  const Json json = parse_json_object(read_file(file), file, 1);
  FinishedRun run;
  try {
    run.spec = fit_spec_of(json);
    run.result = run_result_of(json);
    run.result_version = 0;
    if (json.contains("result_version")) {
      run.result_version = static_cast<int>(whole_number(
          json.at("result_version"), "result_version", 0, std::numeric_limits<int>::max()));
    }
    run.class_names = json.at("classes").get<std::vector<std::string>>();
    if (run.class_names.empty() || run.class_names.size() != run.result.test.confusion.size()) {
      throw InputError(file, 0, "a confusion matrix of other classes", "one row per class");
    }
    if (json.contains("test_graphs") && json.at("test_graphs") != run.result.test.count) {
      throw InputError(file, 0, "two numbers of test graphs", "one");
    }
  } catch (const Json::exception& error) {
    throw InputError(file, 0, fmt::format("something else ({})", error.what()),
                     "what train writes there");
  } catch (const JsonError& error) {
    throw InputError(file, 0, error.what(), "what train writes there");
  }
  if (const std::string flaw = flaw_of(run.result); !flaw.empty()) {
    throw InputError(file, 0, flaw, "figures that fit each other");
  }
  const fs::path epochs = folder / kEpochsFile;
  if (fs::exists(epochs)) {
    run.result.curve = parse_epochs_table(read_file(epochs), epochs.string());
    const std::size_t lines = run.result.curve.size();
    if (lines > 0 && lines != static_cast<std::size_t>(run.result.epochs)) {
      throw InputError(epochs.string(), 0, fmt::format("{} epochs", lines),
                       fmt::format("{}, as {} says", run.result.epochs, kRunFile));
    }
  }
  return run;
}

Model read_model(const fs::path& run, const MethodRegistry& methods) {
  const fs::path path = fs::is_directory(run) ? run / kModelFile : run;
  if (!fs::exists(path)) {
    throw UsageError(fmt::format("{}: no model there{}", path.string(),
                                 is_unfinished_run(run) ? ", for the run is unfinished" : ""));
  }
  return decode_model(read_file(path), path.string(), methods);
}

}  // namespace bermuda
