#include "bermuda/method/fit_journal.hpp"

#include <ctime>
#include <utility>

namespace bermuda {

double process_cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

FitJournal::FitJournal(FitKey key, std::chrono::milliseconds patience,
                       std::chrono::milliseconds interval)
    : interval_(interval), next_(started_ + patience), started_cpu_(process_cpu_seconds()) {
  checkpoint_.key = std::move(key);
}

double FitJournal::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

double FitJournal::cpu_seconds() const {
  return earlier_cpu_ + process_cpu_seconds() - started_cpu_;
}

void FitJournal::take_up(Checkpoint stored) {
  checkpoint_.state = std::move(stored.state);
  checkpoint_.epochs = stored.epochs;
  earlier_seconds_ = stored.seconds;
  earlier_cpu_ = stored.cpu_seconds;
}

void FitJournal::save(std::string_view state, std::span<const EpochRecord> epochs) {
  checkpoint_.epochs = epochs.empty() ? 0 : epochs.back().epoch;
  checkpoint_.seconds = seconds();
  checkpoint_.cpu_seconds = cpu_seconds();
  checkpoint_.state = state;
  epochs_.assign(epochs.begin(), epochs.end());
  held_back_ = true;
  if (Clock::now() >= next_) flush();
}

void FitJournal::flush() {
  if (!held_back_) return;
  write(checkpoint_, epochs_);
  held_back_ = false;
  next_ = Clock::now() + interval_;
}

}  // namespace bermuda
