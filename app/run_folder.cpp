#include "run_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/report/curves.hpp"

namespace bermuda::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kRewrite = std::chrono::milliseconds(500);
constexpr auto kRedraw = std::chrono::seconds(5);

std::string epochs_table(std::span<const EpochRecord> epochs) {
  std::string table =
      "epoch\tlearning_rate\ttrain_loss\ttrain_accuracy\tvalidation_loss\tvalidation_accuracy\t"
      "seconds\n";
  for (const EpochRecord& record : epochs) {
    table += fmt::format("{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.3f}\n", record.epoch,
                         record.learning_rate, record.train_loss, record.train_accuracy,
                         record.validation_loss, record.validation_accuracy, record.seconds);
  }
  return table;
}

// What a killed program had begun to write.
void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.find(".writing-") != std::string::npos ||  // see core/file.cpp
                      name.find(".probe-") != std::string::npos;
    if (name.starts_with('.') && ours) {
      fs::remove(entry.path(), error);
    }
  }
}

}  // namespace

bool is_finished_run(const fs::path& folder) { return fs::exists(folder / kRunFile); }

bool is_unfinished_run(const fs::path& folder) {
  return fs::exists(folder / kCheckpointFile) && !is_finished_run(folder);
}

RunFolder::RunFolder(fs::path path, bool overwrite, FitKey key)
    : FitJournal(std::move(key), std::chrono::milliseconds(0), kRewrite),
      path_(std::move(path)),
      overwrite_(overwrite) {}

void RunFolder::resume(const Settings& settings) {
  const fs::path file = path_ / kCheckpointFile;
  Checkpoint stored = decode_checkpoint(read_file(file), file.string());
  const std::vector<std::string> differences =
      key_differences(stored.key, key(), settings, "checkpoint");
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

void RunFolder::finish(const FitReport& report, std::string_view model, std::string_view run) {
  if (!exists_) {
    PendingFolder folder(path_, overwrite_);
    if (!report.curve.empty()) {
      folder.write(kEpochsFile, epochs_table(report.curve));
      folder.write(kCurvesFile, curves(report.curve, report.best_epoch));
    }
    folder.write(kModelFile, model);
    folder.write(kRunFile, run);
    folder.commit();
    return;
  }
  replace(kEpochsFile, epochs_table(report.curve));
  replace(kCurvesFile, curves(report.curve, report.best_epoch));
  replace(kModelFile, model);
  replace(kRunFile, run);  // from here on the run is finished
  std::error_code error;
  fs::remove(path_ / kCheckpointFile, error);
}

std::string RunFolder::curves(std::span<const EpochRecord> epochs, int best_epoch) const {
  return learning_curves_svg(
      epochs, fmt::format("{} on {}, fold {}", key().method, key().data, key().fold), best_epoch);
}

void RunFolder::replace(const char* name, std::string_view bytes) const {
  write_file_atomically(path_ / name, bytes, true);
}

std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names) {
  std::string text = fmt::format("accuracy {:.2f} %, macro-F1 {:.2f} %, F1 of class {} {:.2f} %\n",
                                 metrics.accuracy * 100, metrics.macro_f1 * 100, class_names.back(),
                                 metrics.positive_f1 * 100);
  text += fmt::format("{:>14}", "true \\ said");
  for (const std::string& name : class_names) text += fmt::format("{:>8}", name);
  text += "\n";
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) {
    text += fmt::format("{:>14}", class_names[c]);
    for (const std::size_t count : metrics.confusion[c]) text += fmt::format("{:>8}", count);
    text += "\n";
  }
  return text;
}

std::string run_text(const nlohmann::ordered_json& run, const fs::path& folder) {
  std::string told;
  const auto tell = [&](const std::string& what) { told += (told.empty() ? "" : ", ") + what; };
  if (fs::exists(folder / kEpochsFile)) {
    const int epochs = run.at("epochs").get<int>();
    tell(fmt::format("{} epoch{}", epochs, epochs == 1 ? "" : "s"));
    tell(fmt::format("best {}", run.at("best_epoch").get<int>()));
  }
  for (const auto& [key, value] : run.at("chosen").items()) {
    tell(fmt::format("{} {}", key, value.dump()));
  }
  tell(fmt::format("{:.1f} s", run.at("seconds").get<double>()));
  const nlohmann::ordered_json& test = run.at("test");
  Metrics metrics;
  metrics.accuracy = test.at("accuracy").get<double>();
  metrics.macro_f1 = test.at("macro_f1").get<double>();
  metrics.positive_f1 = test.at("positive_f1").get<double>();
  metrics.confusion = test.at("confusion").get<std::vector<std::vector<std::size_t>>>();
  return fmt::format(
             "{} on {}, fold {}: {} graphs to train, {} to validate, {} to test\n"
             "{}\n"
             "validation accuracy {:.2f} %\n"
             "test ",
             run.at("method").get<std::string>(), run.at("data").get<std::string>(),
             run.at("fold").get<int>(), run.at("train_graphs").get<std::size_t>(),
             run.at("validation_graphs").get<std::size_t>(),
             run.at("test_graphs").get<std::size_t>(), told,
             run.at("validation_accuracy").get<double>() * 100) +
         metrics_text(metrics, run.at("classes").get<std::vector<std::string>>());
}

}  // namespace bermuda::app
