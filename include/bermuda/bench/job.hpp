#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "bermuda/run/result.hpp"
#include "bermuda/run/spec.hpp"

namespace bermuda {

/// What a worker is asked to do: a run, or the audit of a data set.
struct Job {
  std::optional<RunSpec> run;        ///< absent: an audit
  std::filesystem::path data;        ///< where the data set stands
  std::filesystem::path checkpoint;  ///< of a run
  std::map<std::string, std::filesystem::path> asked =
      {};  ///< the graphs of RunSpec::asks, by name
};

/// What a worker says of its job.
struct JobProgress {
  double share = 0;  ///< 0..1
  std::string status;
};
struct JobFailed {
  std::string reason;
};
struct JobInterrupted {};
struct AuditDone {
  nlohmann::ordered_json report;
};
using JobMessage = std::variant<JobProgress, JobFailed, JobInterrupted, AuditDone, RunResult>;

std::string encode_job(const Job& job);
Job decode_job(const std::string& text);
std::string encode_job_message(const JobMessage& message);
JobMessage decode_job_message(const std::string& text);

/// A worker's life: takes jobs from the descriptor and answers there until the other end is gone.
/// Whatever a method throws is an answer; only losing the other end, or being killed, ends it.
void serve_jobs(int descriptor, const MethodRegistry& methods, const std::atomic<bool>& stop);

}  // namespace bermuda
