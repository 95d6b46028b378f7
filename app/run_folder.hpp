#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bermuda/method/checkpoint_file.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda::app {

/// What stands in a run folder.
inline constexpr const char* kModelFile = "model.bermuda";
inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kCheckpointFile = "checkpoint.bermuda";  ///< while it is unfinished
inline constexpr const char* kEpochsFile = "epochs.tsv";              ///< methods with epochs
inline constexpr const char* kCurvesFile = "curves.svg";              ///< methods with epochs

bool is_finished_run(const std::filesystem::path& folder);
bool is_unfinished_run(const std::filesystem::path& folder);

/// The folder that train makes. A method that leaves checkpoints gets it with its first one; for
/// others it appears as a whole at the end. Killed at any moment, what stands there is either a run
/// that can be resumed or a finished one.
class RunFolder : public Journal {
 public:
  /// Makes nothing yet. With overwrite, what stands there is replaced at the first save.
  RunFolder(std::filesystem::path path, bool overwrite, FitKey key);

  /// Takes up the checkpoint that stands there. Throws UsageError when it is of another fit,
  /// InputError when it is damaged.
  void resume(const ParameterSet& parameters);

  std::string last_checkpoint() override { return checkpoint_.state; }
  /// Writes at once, unless it did so less than half a second ago: syncing the disk after each of
  /// many short epochs would take longer than they do.
  void save(std::string_view state, std::span<const EpochRecord> epochs) override;
  /// Writes what save() held back.
  void flush();
  /// Leaves the finished run and takes the checkpoint away.
  void finish(const FitReport& report, std::string_view model, std::string_view run);

  int epochs() const { return checkpoint_.epochs; }  ///< completed
  double seconds() const;                            ///< since the start, those before a stop too

 private:
  using Clock = std::chrono::steady_clock;
  std::string curves(std::span<const EpochRecord> epochs, int best_epoch) const;
  void replace(const char* name, std::string_view bytes) const;

  std::filesystem::path path_;
  bool overwrite_;
  bool exists_ = false;     // made, or taken up, by this object
  bool held_back_ = false;  // checkpoint_ and epochs_ are newer than the files
  Checkpoint checkpoint_;
  std::vector<EpochRecord> epochs_;
  double earlier_seconds_ = 0;
  Clock::time_point started_ = Clock::now();
  Clock::time_point written_;
  Clock::time_point drawn_;
};

/// Accuracy, F1 and the confusion matrix for people.
std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names);

/// What a finished run's run.json says of it, for people.
std::string run_text(const nlohmann::ordered_json& run, const std::filesystem::path& folder);

}  // namespace bermuda::app
