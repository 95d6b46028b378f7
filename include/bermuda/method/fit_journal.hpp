#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/checkpoint_file.hpp"

namespace bermuda {

/// A journal that counts time and writes not too often; where to is up to the derived class.
class FitJournal : public Journal {
 public:
  /// Checkpoints in the first moments (`patience`), and those that follow each other faster than
  /// `interval`, are held back: syncing the disk after each of many short epochs would take longer
  /// than they do.
  FitJournal(FitKey key, std::chrono::milliseconds patience, std::chrono::milliseconds interval);

  std::string last_checkpoint() override { return checkpoint_.state; }
  void save(std::string_view state, std::span<const EpochRecord> epochs) override;
  /// Writes what save() held back.
  void flush();

  const FitKey& key() const { return checkpoint_.key; }
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
  std::chrono::milliseconds interval_;
  bool held_back_ = false;  // checkpoint_ and epochs_ are newer than what was written
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_;  // when to write again
  double started_cpu_;
  double earlier_seconds_ = 0;
  double earlier_cpu_ = 0;
};

/// The processor time of all threads of this process.
double process_cpu_seconds();

}  // namespace bermuda
