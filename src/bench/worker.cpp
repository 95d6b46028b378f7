#include <fmt/format.h>

#include <chrono>
#include <list>
#include <mutex>
#include <new>

#include "bermuda/bench/job.hpp"
#include "bermuda/bench/workers.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/probe/audit.hpp"
#include "bermuda/run/execute.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kKeptDataSets = 4;
constexpr std::size_t kKeptAskedSets = 2 * kMostAsks;  // those of a run stay while it is done
constexpr auto kBetweenReports = std::chrono::milliseconds(500);

/// Passes progress on to the coordinator, not too often.
class RemoteProgress : public ProgressSink {
 public:
  explicit RemoteProgress(int descriptor) : descriptor_(descriptor) {}

  void begin(std::string_view /*what*/, std::size_t total) override {
    const std::lock_guard lock(mutex_);
    if (depth_++ > 0) return;
    total_ = total;
    done_ = 0;
  }
  void advance(std::size_t done) override {
    const std::lock_guard lock(mutex_);
    if (depth_ == 1) done_ += done;
    report();
  }
  void status(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    status_ = text;
    report();
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    --depth_;
  }

 private:
  void report() {
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ < kBetweenReports) return;
    reported_ = now;
    const double share = total_ == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(total_);
    send_message(descriptor_, encode_job_message(JobProgress{std::min(share, 1.0), status_}));
  }

  int descriptor_;
  std::mutex mutex_;
  int depth_ = 0;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::string status_;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

struct LoadedData {
  std::filesystem::path path;
  DataSet data;
  std::string checksum;
};

/// The data sets that were asked for last: a grid wants the same ones again and again.
class DataSets {
 public:
  explicit DataSets(std::size_t most) : most_(most) {}

  const LoadedData& get(const std::filesystem::path& path, const Execution& execution) {
    for (auto known = kept_.begin(); known != kept_.end(); ++known) {
      if (known->path != path) continue;
      kept_.splice(kept_.begin(), kept_, known);
      return kept_.front();
    }
    // Whoever hands out jobs has read it within the limits that hold.
    DataSet data = read_dataset(path, {kMostNodes, execution});
    std::string checksum = data_checksum(data);
    kept_.push_front({path, std::move(data), std::move(checksum)});
    if (kept_.size() > most_) kept_.pop_back();
    return kept_.front();
  }

 private:
  std::size_t most_;
  std::list<LoadedData> kept_;
};

RunResult execute_run(RunSpec spec, const DataSet& data, const AskedData& asked,
                      const std::filesystem::path& checkpoint, const MethodRegistry& methods,
                      const Execution& execution) {
  const std::unique_ptr<Method> method = make_method(methods, spec);
  spec.fit_checksum = fit_checksum(data, spec.fold, spec.folding, execution);
  try {
    CheckpointJournal journal(checkpoint, spec, method->settings());
    return execute(spec, data, *method, journal, execution, {}, asked);
  } catch (const InputError& error) {
    // One that the method cannot go on from, or the next start would fail there again.
    if (error.file() != checkpoint.string() || !std::filesystem::remove(checkpoint)) throw;
  }
  const std::unique_ptr<Method> anew = make_method(methods, spec);
  CheckpointJournal journal(checkpoint, spec, anew->settings());
  return execute(spec, data, *anew, journal, execution, {}, asked);
}

/// Data that workers have read.
struct Loaded {
  DataSets tested{kKeptDataSets};
  DataSets asked{kKeptAskedSets};
};

JobMessage do_job(const Job& job, Loaded& known, const MethodRegistry& methods,
                  const Execution& execution) {
  try {
    const LoadedData& loaded = known.tested.get(job.data, execution);
    if (!job.run) return AuditDone{to_json(audit_dataset(loaded.data, {}, execution))};
    if (loaded.checksum != job.run->data_checksum) {
      return JobFailed{fmt::format("{}: the data set has changed", job.data.string())};
    }
    AskedData asked;
    for (const Ask& ask : job.run->asks) {
      if (ask.checksum.empty()) continue;
      const std::filesystem::path& path = job.asked.at(ask.name);
      const LoadedData& graphs = known.asked.get(path, execution);
      if (graphs.checksum != ask.checksum) {
        return JobFailed{fmt::format("{}: the data set has changed", path.string())};
      }
      asked.emplace(ask.name, &graphs.data);
    }
    return execute_run(*job.run, loaded.data, asked, job.checkpoint, methods, execution);
  } catch (const Interrupted&) {
    return JobInterrupted{};
  } catch (const std::bad_alloc&) {
    return JobFailed{"out of memory"};
  } catch (const std::exception& error) {
    return JobFailed{error.what()};
  }
}

}  // namespace

void serve_jobs(int descriptor, const MethodRegistry& methods, const std::atomic<bool>& stop) {
  Loaded known;
  std::string text;
  while (receive_message(descriptor, text)) {
    RemoteProgress progress(descriptor);
    const JobMessage answer =
        do_job(decode_job(text), known, methods, Execution{1, &progress, &stop});
    send_message(descriptor, encode_job_message(answer));
  }
}

}  // namespace bermuda
