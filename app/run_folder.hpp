#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/fit_journal.hpp"
#include "bermuda/method/run_files.hpp"

namespace bermuda::app {

bool is_finished_run(const std::filesystem::path& folder);
bool is_unfinished_run(const std::filesystem::path& folder);

/// The folder that train makes. A method that leaves checkpoints gets it with its first one; for
/// others it appears as a whole at the end. Killed at any moment, what stands there is either a run
/// that can be resumed or a finished one.
class RunFolder : public FitJournal {
 public:
  /// Makes nothing yet. With overwrite, what stands there is replaced at the first save.
  RunFolder(std::filesystem::path path, bool overwrite, FitKey key);

  /// Takes up the checkpoint that stands there. Throws UsageError when it is of another fit,
  /// InputError when it is damaged.
  void resume(const Settings& settings);
  /// Leaves the finished run and takes the checkpoint away.
  void finish(const FitReport& report, std::string_view model, std::string_view run);

 private:
  void write(const Checkpoint& checkpoint, std::span<const EpochRecord> epochs) override;
  std::string curves(std::span<const EpochRecord> epochs, int best_epoch) const;
  void replace(const char* name, std::string_view bytes) const;

  std::filesystem::path path_;
  bool overwrite_;
  bool exists_ = false;  // made, or taken up, by this object
  Clock::time_point drawn_;
};

/// Accuracy, F1 and the confusion matrix for people.
std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names);

/// What a finished run's run.json says of it, for people.
std::string run_text(const nlohmann::ordered_json& run, const std::filesystem::path& folder);

}  // namespace bermuda::app
