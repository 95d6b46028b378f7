#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bermuda/run/checkpoint.hpp"

namespace bermuda {

/// The journal of a run: counts time and writes not too often; where to is up to the derived class.
class RunJournal : public Journal {
 public:
  /// Checkpoints in the first moments (`patience`), and those that follow each other faster than
  /// `interval`, are held back: syncing the disk after each of many short epochs would take longer
  /// than they do.
  RunJournal(RunSpec spec, std::chrono::milliseconds patience, std::chrono::milliseconds interval);

  std::string last_checkpoint() override { return checkpoint_.state; }
  void save(std::string_view state, std::span<const EpochRecord> epochs) override;
  /// Writes what save() held back.
  void flush();
  /// Told of all epochs so far after each one, before anything is written.
  using Watcher = std::function<void(std::span<const EpochRecord> epochs)>;
  void watch(Watcher watcher) { watcher_ = std::move(watcher); }

  /// Where the checkpoint is kept, for messages.
  virtual std::string file() const { return "checkpoint"; }
  const RunSpec& spec() const { return checkpoint_.spec; }
  int epochs() const { return checkpoint_.epochs; }  ///< completed
  double seconds() const;                            ///< since the start, those before a stop too
  double cpu_seconds() const;                        ///< of this process, likewise

 protected:
  using Clock = std::chrono::steady_clock;
  /// Goes on where a stored checkpoint of the same fit ended.
  void take_up(Checkpoint stored);
  virtual void write(const Checkpoint& checkpoint, std::span<const EpochRecord> epochs) = 0;

 private:
  Checkpoint checkpoint_;
  std::vector<EpochRecord> epochs_;
  Watcher watcher_;
  std::chrono::milliseconds interval_;
  bool held_back_ = false;  // checkpoint_ and epochs_ are newer than what was written
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_;  // when to write again
  double started_cpu_;
  double earlier_seconds_ = 0;
  double earlier_cpu_ = 0;
};

/// Keeps the checkpoint of a run in one file, which is left for the owner to remove once the result
/// is safe.
class CheckpointJournal : public RunJournal {
 public:
  /// Takes up a checkpoint of the same run that stands there; anything else there is replaced.
  CheckpointJournal(std::filesystem::path file, RunSpec spec, const Settings& settings);
  std::string file() const override { return file_.string(); }

 private:
  void write(const Checkpoint& checkpoint, std::span<const EpochRecord> epochs) override;

  std::filesystem::path file_;
};

}  // namespace bermuda
