#include "bermuda/run/journal.hpp"

#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/run/process.hpp"

namespace bermuda {
namespace {

constexpr auto kWorthKeeping = std::chrono::milliseconds(100);
constexpr auto kBetweenWrites = std::chrono::seconds(2);

}  // namespace

RunJournal::RunJournal(RunSpec spec, std::chrono::milliseconds patience,
                       std::chrono::milliseconds interval)
    : interval_(interval), next_(started_ + patience), started_cpu_(process_cpu_seconds()) {
  checkpoint_.spec = std::move(spec);
}

double RunJournal::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

double RunJournal::cpu_seconds() const {
  return earlier_cpu_ + process_cpu_seconds() - started_cpu_;
}

void RunJournal::take_up(Checkpoint stored) {
  checkpoint_.state = std::move(stored.state);
  checkpoint_.epochs = stored.epochs;
  earlier_seconds_ = stored.seconds;
  earlier_cpu_ = stored.cpu_seconds;
}

void RunJournal::save(std::string_view state, std::span<const EpochRecord> epochs) {
  checkpoint_.epochs = epochs.empty() ? 0 : epochs.back().epoch;
  checkpoint_.seconds = seconds();
  checkpoint_.cpu_seconds = cpu_seconds();
  checkpoint_.state = state;
  epochs_.assign(epochs.begin(), epochs.end());
  held_back_ = true;
  if (watcher_) watcher_(epochs_);
  if (Clock::now() >= next_) flush();
}

void RunJournal::flush() {
  if (!held_back_) return;
  write(checkpoint_, epochs_);
  held_back_ = false;
  next_ = Clock::now() + interval_;
}

CheckpointJournal::CheckpointJournal(std::filesystem::path file, RunSpec spec,
                                     const Settings& settings)
    : RunJournal(std::move(spec), kWorthKeeping, kBetweenWrites), file_(std::move(file)) {
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return;
  try {
    Checkpoint stored = decode_checkpoint(read_file(file_), file_.string());
    if (fit_differences(stored.spec, this->spec(), settings, "checkpoint").empty()) {
      take_up(std::move(stored));
    }
  } catch (const InputError&) {
    // Damaged: the run starts anew and replaces it.
  }
}

void CheckpointJournal::write(const Checkpoint& checkpoint, std::span<const EpochRecord>) {
  write_file_atomically(file_, encode_checkpoint(checkpoint), true);
}

}  // namespace bermuda
