// A method that makes epochs and learns nothing but their number: for the tests of --resume. Its
// state is a sum that depends on every epoch, the seed and the step, so that an epoch that was lost
// or made twice shows in the model.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <thread>

#include "bermuda/method/plugin.hpp"

namespace {

using namespace bermuda;

class Counting : public Method {
 public:
  std::string_view name() const override { return "counting"; }
  bool runs_on_one_thread() const override { return true; }

  ParameterSet parameters() override {
    ParameterSet set;
    set.add("max-epochs", max_epochs_, 1, 100'000, "how many epochs")
        .only_stops()
        .add("pause", pause_, 0, 10'000, "milliseconds an epoch takes")
        .only_stops()
        .add("step", step_, 1, 1000, "what an epoch adds")
        .add("enough", enough_, 1, 100'000, "stop early, content, after this epoch")
        .only_stops()
        .add("stop-at", stop_at_, 0, 100'000, "fail in this epoch; 0: never")
        .only_stops()
        .add("die-at", die_at_, 0, 100'000, "be killed in this epoch; 0: never")
        .only_stops()
        .add("keep", keep_, 0, 100'000, "the epoch to keep; 0: the last")
        .add("hog", hog_, "want more memory than there is")
        .only_stops();
    return set;
  }

  FitReport fit(const FitTask& task, const Execution& execution) override {
    FitReport report;
    sum_ = kept_ = task.seed;
    if (task.journal != nullptr) resume(task.journal->last_checkpoint(), report.curve);
    const Stage stage(execution, "train", static_cast<std::size_t>(max_epochs_));
    stage.advance(report.curve.size());
    const auto last = static_cast<std::size_t>(std::min(max_epochs_, enough_));
    while (report.curve.size() < last) {
      execution.check_stop();
      const int epoch = static_cast<int>(report.curve.size()) + 1;
      if (epoch == stop_at_) throw Error("stopped as it was told");
      if (epoch == die_at_) std::raise(SIGKILL);
      if (hog_) throw std::bad_alloc();
      std::this_thread::sleep_for(std::chrono::milliseconds(pause_));
      sum_ = sum_ * 31 + static_cast<std::uint64_t>(step_ * epoch);
      if (keep_ == 0 || epoch <= keep_) kept_ = sum_;
      report.curve.push_back(record_of(epoch));
      stage.advance(1);
      stage.status("epoch " + std::to_string(epoch));
      if (task.journal != nullptr) task.journal->save(state(report.curve), report.curve);
    }
    stage.finish();
    report.epochs = report.best_epoch = static_cast<int>(report.curve.size());
    if (keep_ > 0) report.best_epoch = std::min(keep_, report.epochs);
    moved_on_ = report.best_epoch < report.epochs;
    report.validation_accuracy =
        report.curve[static_cast<std::size_t>(report.best_epoch) - 1].validation_accuracy;
    report.details["sum"] = sum_;
    leave_word();
    return report;
  }

  std::vector<Prediction> predict(Samples samples, const Execution&) const override {
    return {samples.size(), Prediction{static_cast<int>(kept_ % 2), {0.5, 0.5}}};
  }
  std::vector<Prediction> predict_last(Samples samples, const Execution&) const override {
    if (!moved_on_) return {};
    return {samples.size(), Prediction{static_cast<int>(sum_ % 2), {0.5, 0.5}}};
  }
  void save(ByteWriter& out) const override { out.number(kept_); }
  void load(ByteReader& in) override { kept_ = in.number<std::uint64_t>(); }

 private:
  // Which fits were completed, for tests that want each of them once.
  void leave_word() const {
    const char* file = std::getenv("BERMUDA_COUNTING_LOG");
    if (file != nullptr) std::ofstream(file, std::ios::app) << std::to_string(step_) + "\n";
  }

  static EpochRecord record_of(int epoch) {
    const double loss = std::exp(-0.05 * epoch);
    return {epoch, epoch > 20 ? 0.001 : 0.01, loss, 1 - loss / 2, loss + 0.1, 0.9 - loss / 2, 0.25};
  }

  std::string state(const std::vector<EpochRecord>& curve) const {
    ByteWriter out;
    out.number(sum_);
    out.number(kept_);
    out.number(static_cast<int>(curve.size()));
    return out.bytes();
  }

  void resume(const std::string& checkpoint, std::vector<EpochRecord>& curve) {
    if (checkpoint.empty()) return;
    ByteReader in(checkpoint);
    sum_ = in.number<std::uint64_t>();
    kept_ = in.number<std::uint64_t>();
    const int epochs = in.number<int>();
    for (int epoch = 1; epoch <= epochs; ++epoch) curve.push_back(record_of(epoch));
  }

  int max_epochs_ = 30;
  int pause_ = 0;
  int step_ = 1;
  int enough_ = 100'000;
  int stop_at_ = 0;
  int die_at_ = 0;
  int keep_ = 0;
  bool hog_ = false;
  std::uint64_t sum_ = 0;
  std::uint64_t kept_ = 0;  // the sum at the epoch to keep
  bool moved_on_ = false;   // there were epochs after that
};

}  // namespace

BERMUDA_PLUGIN(registry) {
  registry.add({"counting", "Makes epochs and saves each (for tests)",
                [] { return std::make_unique<Counting>(); }});
}
