#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/model_file.hpp"
#include "bermuda/run/journal.hpp"
#include "bermuda/run/result.hpp"

namespace bermuda {

/// What stands in the folder of a run that `bermuda train` made.
inline constexpr const char* kModelFile = "model.bermuda";
inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kCheckpointFile = "checkpoint.bermuda";  ///< while it is unfinished
inline constexpr const char* kEpochsFile = "epochs.tsv";              ///< methods with epochs
inline constexpr const char* kCurvesFile = "curves.svg";              ///< methods with epochs

bool is_finished_run(const std::filesystem::path& folder);
bool is_unfinished_run(const std::filesystem::path& folder);

/// The folder that a run is executed into. A method that leaves checkpoints gets it with its first
/// one; for others it appears as a whole at the end. Killed at any moment, what stands there is
/// either a run that can be resumed or a finished one.
class RunFolder : public RunJournal {
 public:
  /// Makes nothing yet. With overwrite, what stands there is replaced at the first save.
  RunFolder(std::filesystem::path path, bool overwrite, RunSpec spec);

  /// Takes up the checkpoint that stands there. Throws UsageError when it is of another fit,
  /// InputError when it is damaged.
  void resume(const Settings& settings);
  /// Leaves the finished run, with the method as a model, and takes the checkpoint away.
  void finish(const RunResult& result, const Method& method, const DataSet& data);
  std::string file() const override;

 private:
  void write(const Checkpoint& checkpoint, std::span<const EpochRecord> epochs) override;
  std::string curves(std::span<const EpochRecord> epochs, int best_epoch) const;
  void replace(const char* name, std::string_view bytes) const;

  std::filesystem::path path_;
  bool overwrite_;
  bool exists_ = false;  // made, or taken up, by this object
  Clock::time_point drawn_;
};

/// What a finished run's folder says of it.
struct FinishedRun {
  RunSpec spec;      ///< without data_checksum: the folder knows fit_checksum only
  RunResult result;  ///< without the kept epoch's answers, which its model gives again, and host
  std::vector<std::string> class_names;
  int result_version = kResultVersion;  ///< 0: of a time when folders did not say
};

/// What `train --json` prints of a run; its folder keeps some more.
nlohmann::ordered_json to_json(const FinishedRun& run);

/// Throws UsageError when there is no finished run, InputError when its files are wrong.
FinishedRun read_finished_run(const std::filesystem::path& folder);

/// The model in a run folder, or in a model file. Throws UsageError when there is none.
Model read_model(const std::filesystem::path& run, const MethodRegistry& methods);

}  // namespace bermuda
