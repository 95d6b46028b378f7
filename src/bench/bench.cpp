#include "bermuda/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "bermuda/bench/job.hpp"
#include "bermuda/core/error.hpp"
#include "owner_lock.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kWait = std::chrono::milliseconds(50);
constexpr double kShort = 0.5;  // seconds; results of shorter runs need not be on the disk at once

/// A run, or the audit of a data set, that is still to be done.
struct Waiting {
  std::string name;  // for people
  std::string key;   // of a run; empty for an audit
  std::int64_t data = 0;
  double minutes = 0;
  Job job;
};

/// What a worker is doing.
struct Busy {
  Waiting task;
  double share = 0;
};

class Coordinator {
 public:
  Coordinator(Store& store, Workers& workers, const BenchOptions& options,
              const Execution& execution)
      : store_(store),
        workers_(workers),
        options_(options),
        execution_(execution),
        owner_(options.work / "owners"),
        busy_(static_cast<std::size_t>(workers.count())) {
    fs::create_directories(options_.work / "runs");
    release_dead(store_, options_.work / "owners");
  }

  BenchOutcome run(const Plan& plan) {
    make_tasks(plan);
    if (tasks_.empty()) return std::move(outcome_);
    const Stage stage(execution_, "runs", tasks_.size());
    try {
      hand_out(stage);
      while (anybody_busy()) {
        execution_.check_stop();
        store_.check_still_there();
        take_in(workers_.receive(kWait), stage);
        show(stage);
      }
    } catch (const Interrupted&) {
      wind_up(stage);
      throw Interrupted(fmt::format(
          "interrupted: {} runs done and kept in {}; the same command goes on from there",
          outcome_.done + outcome_.earlier, store_.file().string()));
    }
    stage.finish();
    return std::move(outcome_);
  }

 private:
  void make_tasks(const Plan& plan) {
    const std::vector<RunRecord> known = store_.runs();
    std::unordered_map<std::string, RunState> states;
    Expectations expectations;
    for (const RunRecord& run : known) {
      states.emplace(run.key, run.state);
      expectations.learn(run);
    }
    tidy(states);
    std::unordered_set<std::string> seen;  // two places may want the same run
    for (const PlannedRun& planned : plan.runs) {
      Waiting task;
      task.key = planned.spec.key();
      if (!seen.insert(task.key).second) continue;
      const auto state = states.find(task.key);
      if (state == states.end()) {
        throw Error(fmt::format("{}: {} is gone from the store", store_.file().string(),
                                planned.spec.text(planned.row)));
      }
      if (state->second == RunState::kDone) {
        ++outcome_.earlier;
        continue;
      }
      if (planned.spec.method == kRecordedMethod) {
        ++outcome_.to_record;
        continue;
      }
      task.name = planned.spec.text(planned.row);
      task.minutes = expectations.minutes(planned.spec, planned.expected_minutes);
      const PreparedData& data = plan.data.at(planned.spec.data);
      task.job = {planned.spec, data.path, checkpoint_of(task.key), {}};
      for (const PreparedAsk& asked : data.asks) {
        if (!asked.path.empty()) task.job.asked.emplace(asked.ask.name, asked.path);
      }
      tasks_.push_back(std::move(task));
    }
    for (const DataRecord& record : store_.data_sets()) {
      if (!record.audit.is_null()) continue;
      for (const GridData& data : plan.grid.data) {
        const PreparedData& prepared = plan.data.at(data.name);
        if (!data.audit || prepared.checksum != record.checksum) continue;
        // Short, but the report wants it: among the first.
        tasks_.push_back(
            {"audit of " + data.name, "", record.id, 1e9, {std::nullopt, prepared.path, {}, {}}});
      }
    }
    // Long ones first, so that at the end no worker is left alone with one.
    std::ranges::stable_sort(tasks_, std::ranges::greater{}, &Waiting::minutes);
  }

  /// Takes away what killed processes left: checkpoints of runs that are done, and, where nobody
  /// else is at work, half-written files.
  void tidy(const std::unordered_map<std::string, RunState>& states) const {
    std::error_code error;
    const bool alone = others_alive(options_.work / "owners", owner_.name()) == 0;
    for (const auto& entry : fs::directory_iterator(options_.work / "runs")) {
      const auto state = states.find(entry.path().stem().string());
      const bool done = state != states.end() && state->second == RunState::kDone;
      const bool half_written = entry.path().filename().string().starts_with('.');
      if (done || (half_written && alone)) fs::remove(entry.path(), error);
    }
  }

  fs::path checkpoint_of(const std::string& key) const {
    return fs::absolute(options_.work / "runs" / (key + ".checkpoint"));
  }

  bool anybody_busy() const {
    return std::ranges::any_of(busy_, [](const auto& busy) { return busy.has_value(); });
  }

  /// Gives every idle worker something that nobody else does.
  void hand_out(const Stage& stage) {
    for (std::size_t worker = 0; worker < busy_.size(); ++worker) {
      while (!busy_[worker] && !tasks_.empty()) {
        Waiting task = std::move(tasks_.front());
        tasks_.pop_front();
        if (!task.key.empty() && !store_.claim(task.key, owner_.name())) {
          ++outcome_.elsewhere;
          stage.advance(1);
          continue;
        }
        busy_[worker] = Busy{std::move(task)};
        to_send_.push_back(worker);
      }
    }
    if (!inside_) send_jobs();
  }

  // Only once the claims are in the store.
  void send_jobs() {
    for (const std::size_t worker : to_send_) {
      if (busy_[worker])
        workers_.send(static_cast<int>(worker), encode_job(busy_[worker]->task.job));
    }
    to_send_.clear();
  }

  /// Writes down what the workers say, and gives those that are free their next job, in one
  /// transaction.
  void take_in(const std::vector<WorkerMessage>& messages, const Stage& stage) {
    std::vector<std::pair<std::size_t, JobMessage>> answers;
    bool durable = false;
    for (const WorkerMessage& message : messages) {
      const auto worker = static_cast<std::size_t>(message.worker);
      const bool answered =
          std::ranges::any_of(answers, [&](const auto& answer) { return answer.first == worker; });
      if (!busy_[worker] || answered) continue;  // e.g. one that dies after its answer
      JobMessage said =
          message.died ? JobMessage(JobFailed{message.text}) : decode_job_message(message.text);
      if (const auto* progress = std::get_if<JobProgress>(&said)) {
        busy_[worker]->share = progress->share;
        continue;
      }
      const auto* result = std::get_if<RunResult>(&said);
      durable = durable || result == nullptr || result->seconds > kShort;
      answers.emplace_back(worker, std::move(said));
    }
    if (answers.empty()) return;
    std::vector<fs::path> finished;
    store_.together(durable, [&] {
      for (const auto& [worker, said] : answers) {
        write_down(*busy_[worker], said, finished);
        busy_[worker].reset();
        stage.advance(1);
      }
      inside_ = true;
      if (!stopping_) hand_out(stage);
      inside_ = false;
    });
    std::error_code error;
    for (const fs::path& checkpoint : finished) fs::remove(checkpoint, error);
    send_jobs();
  }

  void write_down(const Busy& busy, const JobMessage& said, std::vector<fs::path>& finished) {
    const Waiting& task = busy.task;
    if (const auto* result = std::get_if<RunResult>(&said)) {
      store_.finish(task.key, *result);
      finished.push_back(task.job.checkpoint);
      ++outcome_.done;
      if (result->seconds > kShort) {
        note(fmt::format("{}: {:.1f} % of {} test graphs, {:.1f} min", task.name,
                         100 * result->test.accuracy, result->test.count, result->seconds / 60));
      }
    } else if (const auto* audit = std::get_if<AuditDone>(&said)) {
      store_.put_audit(task.data, audit->report);
    } else if (const auto* failed = std::get_if<JobFailed>(&said)) {
      if (!task.key.empty()) store_.fail(task.key, failed->reason);
      outcome_.failures.emplace_back(task.name, failed->reason);
      note(fmt::format("{} failed: {}", task.name, failed->reason));
    } else if (!task.key.empty()) {
      store_.release(task.key);
    }
  }

  void note(const std::string& text) const {
    if (options_.note) options_.note(text);
  }

  void show(const Stage& stage) {
    std::string status;
    for (const auto& busy : busy_) {
      if (!busy) continue;
      status += fmt::format("{}{} {:.0f} %", status.empty() ? "" : "; ", busy->task.name,
                            100 * busy->share);
    }
    if (!status.empty() && status != shown_) stage.status(status);
    shown_ = std::move(status);
  }

  /// Stops the workers; what they were doing waits in the store for the next time.
  void wind_up(const Stage& stage) {
    stopping_ = true;
    workers_.interrupt();
    const auto until = Clock::now() + workers_.patience();
    while (anybody_busy() && Clock::now() < until) take_in(workers_.receive(kWait), stage);
    store_.release_all(owner_.name());
  }

  Store& store_;
  Workers& workers_;
  const BenchOptions& options_;
  const Execution& execution_;
  OwnerLock owner_;
  std::deque<Waiting> tasks_;
  std::vector<std::optional<Busy>> busy_;
  std::vector<std::size_t> to_send_;
  BenchOutcome outcome_;
  std::string shown_;
  bool inside_ = false;  // a transaction: jobs are sent after it
  bool stopping_ = false;
};

}  // namespace

BenchOutcome run_bench(Store& store, const Plan& plan, Workers& workers,
                       const BenchOptions& options, const Execution& execution) {
  return Coordinator(store, workers, options, execution).run(plan);
}

}  // namespace bermuda
