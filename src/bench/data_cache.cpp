#include "bermuda/bench/data_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/probe/filter.hpp"
#include "bermuda/run/spec.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 12;  // of a checksum, in the name of a folder

void set_all(const ParameterSet& parameters, const std::map<std::string, std::string>& options) {
  for (const auto& [name, text] : options) parameters.get(name).set(text);
}

std::unique_ptr<Task> task_of(const GridData& spec) {
  std::unique_ptr<Task> task = make_task(spec.task);
  set_all(task->parameters(), spec.task_options);
  task->validate();
  return task;
}

FilterOptions filter_of(const GridData& spec) {
  FilterOptions options;
  set_all(options.parameters(), spec.filter_options);
  return options;
}

/// "triangles-3f2a...": behind the name, a hash of everything that the data depends on.
std::string cache_name(const GridData& spec) {
  nlohmann::json filter;
  if (spec.filter) {
    filter = filter_of(spec).settings().values();
    filter["version"] = kFilterVersion;
  }
  const nlohmann::json all = {
      {"version", kVersion}, {"result_version", kResultVersion},
      {"task", spec.task},   {"options", nlohmann::json(task_of(spec)->settings().values())},
      {"seed", spec.seed},   {"candidates", spec.candidates},
      {"filter", filter}};
  return fmt::format("{}-{}", spec.task, sha256(all.dump()).substr(0, kNameDigits));
}

fs::path find_data(const GridData& spec, std::span<const fs::path> folders) {
  std::error_code error;
  const fs::path wanted = spec.path;
  if (wanted.is_absolute() && fs::exists(wanted, error)) return wanted;
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / wanted, error)) return fs::absolute(folder / wanted);
    looked.push_back(folder.string());
  }
  throw UsageError(fmt::format("{}: no data set {} in {} (--data FOLDER says where to look)",
                               spec.name, in_quotes(spec.path), fmt::join(looked, ", ")));
}

DataSet make_data(const GridData& spec, const Execution& execution) {
  const std::unique_ptr<Task> task = task_of(spec);
  if (!spec.filter) return generate_candidates(*task, spec.seed, spec.candidates, execution);
  const auto candidates = candidate_source(*task, spec.seed, spec.candidates);
  return filter_samples(candidates.get(), filter_of(spec), spec.seed, execution).data;
}

}  // namespace

void check_data(const GridData& spec, std::span<const fs::path> folders) {
  if (!spec.path.empty()) {
    find_data(spec, folders);
  } else {
    task_of(spec);
    filter_of(spec);
  }
}

PreparedData prepare_data(const GridData& spec, const fs::path& cache,
                          std::span<const fs::path> folders, const Execution& execution,
                          int max_nodes) {
  PreparedData prepared;
  if (!spec.path.empty()) {
    prepared.path = find_data(spec, folders);
  } else {
    prepared.meanings = task_of(spec)->class_meanings();
    prepared.path = fs::absolute(cache / cache_name(spec));
    if (!fs::exists(prepared.path)) {
      fs::create_directories(cache);
      // Two programs may make it at once: it is the same, and appears whole.
      write_dataset(make_data(spec, execution), prepared.path, true);
    }
  }
  prepared.data = read_dataset(prepared.path, {max_nodes, execution});
  prepared.data.name = spec.name;
  prepared.checksum = data_checksum(prepared.data);
  return prepared;
}

}  // namespace bermuda
