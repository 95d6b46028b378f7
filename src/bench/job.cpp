#include "bermuda/bench/job.hpp"

#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

std::string encode_job(const Job& job) {
  Json asked = Json::object();
  for (const auto& [name, path] : job.asked) asked[name] = path.string();
  return json_line({{"run", job.run ? to_json(*job.run) : Json()},
                    {"data", job.data.string()},
                    {"checkpoint", job.checkpoint.string()},
                    {"asked", asked}});
}

Job decode_job(const std::string& text) {
  const Json json = Json::parse(text);
  Job job;
  if (!json.at("run").is_null()) job.run = run_spec_of(json.at("run"));
  job.data = json.at("data").get<std::string>();
  job.checkpoint = json.at("checkpoint").get<std::string>();
  for (const auto& [name, path] : json.at("asked").items()) {
    job.asked.emplace(name, path.get<std::string>());
  }
  return job;
}

std::string encode_job_message(const JobMessage& message) {
  return json_line(
      std::visit(Overloaded{[](const JobProgress& progress) {
                              return Json{{"share", progress.share}, {"status", progress.status}};
                            },
                            [](const JobFailed& failed) {
                              return Json{{"failed", failed.reason}};
                            },
                            [](const JobInterrupted&) {
                              return Json{{"interrupted", true}};
                            },
                            [](const AuditDone& audit) {
                              return Json{{"audit", audit.report}};
                            },
                            [](const RunResult& result) {
                              return Json{{"result", to_json(result)}};
                            }},
                 message));
}

JobMessage decode_job_message(const std::string& text) {
  const Json json = Json::parse(text);
  if (json.contains("result")) return run_result_of(json.at("result"));
  if (json.contains("audit")) return AuditDone{json.at("audit")};
  if (json.contains("failed")) return JobFailed{json.at("failed").get<std::string>()};
  if (json.contains("interrupted")) return JobInterrupted{};
  return JobProgress{json.at("share").get<double>(), json.at("status").get<std::string>()};
}

}  // namespace bermuda
