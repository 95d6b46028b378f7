#include "bermuda/bench/data_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "bermuda/bench/sized_test.hpp"
#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/controls.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/dataset/pairs.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/generate/pairs.hpp"
#include "bermuda/probe/filter.hpp"
#include "bermuda/run/spec.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 12;  // of a checksum, in the name of a folder

void set_all(const ParameterSet& parameters, const std::map<std::string, std::string>& options) {
  for (const auto& [name, text] : options) parameters.get(name).set(text);
}

std::unique_ptr<Task> task_of(const GridData& spec, const GridAsk& ask = {}) {
  std::unique_ptr<Task> task = make_task(spec.task);
  set_all(task->parameters(), spec.task_options);
  set_all(task->parameters(), ask.task_options);
  task->validate();
  return task;
}

FilterOptions filter_of(const GridData& spec) {
  FilterOptions options;
  set_all(options.parameters(), spec.filter_options);
  return options;
}

nlohmann::json controls_json(const GridData& spec) {
  nlohmann::json json = {{"seed", spec.seed}};
  if (spec.controls.shuffle_nodes) json["shuffle_nodes"] = true;
  if (spec.controls.permute_labels) json["permute_labels"] = true;
  if (spec.controls.unfiltered_test) json["unfiltered_test"] = true;
  return json;
}

/// Goes up when the same sizes make other test graphs than before.
constexpr int kSizedTestVersion = 1;

/// Goes up when the same controls make other data than before.
constexpr int kControlsVersion = 1;

/// "triangles-3f2a...": behind the name, a hash of everything that the data depends on.
std::string cache_name(const GridData& spec) {
  nlohmann::json filter;
  if (spec.filter) {
    filter = filter_of(spec).settings().values();
    filter["version"] = kFilterVersion;
  }
  nlohmann::json all = {
      {"version", kVersion}, {"result_version", kResultVersion},
      {"task", spec.task},   {"options", nlohmann::json(task_of(spec)->settings().values())},
      {"seed", spec.seed},   {"candidates", spec.candidates},
      {"filter", filter}};
  if (spec.test_nodes) {
    all["test_nodes"] = spec.test_nodes->text();
    all["test_nodes_version"] = kSizedTestVersion;
  }
  if (spec.controls.any()) {
    all["controls"] = controls_json(spec);
    all["controls_version"] = kControlsVersion;
  }
  return fmt::format("{}-{}", spec.task, sha256(all.dump()).substr(0, kNameDigits));
}

/// The same for data by its path, which is looked at each time: somebody may change it.
std::string cache_name(const GridData& spec, const DataSet& source) {
  const nlohmann::json all = {{"version", kVersion},
                              {"source", data_checksum(source)},
                              {"controls", controls_json(spec)},
                              {"controls_version", kControlsVersion}};
  return fmt::format("changed-{}", sha256(all.dump()).substr(0, kNameDigits));
}

/// The same for graphs that models are asked about.
std::string cache_name(const GridData& spec, const GridAsk& ask) {
  const nlohmann::json all = {
      {"version", kVersion}, {"result_version", kResultVersion},
      {"task", spec.task},   {"options", nlohmann::json(task_of(spec, ask)->settings().values())},
      {"seed", spec.seed},   {"count", ask.count},
      {"pairs", ask.pairs},  {"shuffle_nodes", spec.controls.shuffle_nodes}};
  return fmt::format("asked-{}-{}", spec.task, sha256(all.dump()).substr(0, kNameDigits));
}

fs::path find_data(const std::string& name, const fs::path& wanted,
                   std::span<const fs::path> folders) {
  std::error_code error;
  if (wanted.is_absolute() && fs::exists(wanted, error)) return wanted;
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / wanted, error)) return fs::absolute(folder / wanted);
    looked.push_back(folder.string());
  }
  throw UsageError(fmt::format("{}: no data set {} in {} (--data FOLDER says where to look)", name,
                               in_quotes(wanted.string()), fmt::join(looked, ", ")));
}

DataSet make_data(const GridData& spec, const Execution& execution) {
  const std::unique_ptr<Task> task = task_of(spec);
  if (!spec.filter) return generate_candidates(*task, spec.seed, spec.candidates, execution);
  const auto candidates = candidate_source(*task, spec.seed, spec.candidates);
  DataSet data = filter_samples(candidates.get(), filter_of(spec), spec.seed, execution).data;
  if (spec.test_nodes) {
    test_on_sizes(data, *task, *spec.test_nodes, spec.seed, spec.candidates, filter_of(spec),
                  execution);
  }
  return data;
}

/// As many candidates as the test split has, of each class as many, none of them isomorphic to a
/// training graph. They come from a seed of their own.
void replace_test_split(DataSet& data, const GridData& spec, const Execution& execution) {
  constexpr std::size_t kDoublings = 10;
  const std::unique_ptr<Task> task = task_of(spec);
  const std::uint64_t seed = RandomStream(spec.seed, Purpose::kUnfilteredTest).next_u64();
  DataSet train;
  train.splits.push_back(*data.find("train"));
  Split& test = *std::ranges::find(data.splits, "test", &Split::name);
  const std::vector<std::size_t> wanted = data.class_counts(test);
  for (std::size_t round = 0; round < kDoublings; ++round) {
    const std::size_t count = std::max<std::size_t>(2, 2 * test.samples.size()) << round;
    DataSet candidates = generate_candidates(*task, seed, count, execution);
    drop_isomorphs(candidates, train, execution);
    std::vector<std::size_t> missing = wanted;
    std::vector<Sample> taken;
    for (Sample& sample : candidates.splits[0].samples) {
      std::size_t& left = missing[static_cast<std::size_t>(sample.label)];
      if (left == 0) continue;
      --left;
      sample.id = "U" + sample.id;  // the training graphs have such numbers, too
      taken.push_back(std::move(sample));
    }
    if (std::ranges::any_of(missing, [](std::size_t left) { return left > 0; })) continue;
    test.samples = std::move(taken);
    return;
  }
  throw UsageError(
      fmt::format("{}: unfiltered_test: too few candidates that are not isomorphic to "
                  "training graphs",
                  spec.name));
}

Sameness sameness_of(const GridAsk& ask) { return Sameness::parse("pairs", ask.pairs); }

/// Fresh graphs: their seed is another than that of the data.
DataSet make_asked(const GridData& spec, const GridAsk& ask, const Execution& execution) {
  const std::unique_ptr<Task> task = task_of(spec, ask);
  const std::uint64_t seed = RandomStream(spec.seed, Purpose::kAsked).next_u64();
  DataSet data = ask.pairs.empty()
                     ? generate_candidates(*task, seed, ask.count, execution)
                     : make_pairs(*task, sameness_of(ask), seed, ask.count, execution);
  if (spec.controls.shuffle_nodes) shuffle_nodes(data, seed);
  return data;
}

/// A UsageError gets the line of what is asked, as far as the configuration's own file and line do
/// not say it: [data.NAME] may stand elsewhere.
template <typename Body>
void for_asks(const GridData& spec, const Body& body) {
  for (const GridAsk& ask : spec.asks) {
    try {
      body(ask);
    } catch (const UsageError& error) {
      throw UsageError(
          fmt::format("{}.ask.{} (line {}): {}", spec.name, ask.name, ask.line, error.what()));
    }
  }
}

void check_asks(const GridData& spec, std::span<const fs::path> folders) {
  for_asks(spec, [&](const GridAsk& ask) {
    if (!ask.path.empty()) find_data(ask.name, ask.path, folders);
    if (ask.rounds > 0 || !ask.path.empty()) return;
    task_of(spec, ask);
    if (!ask.pairs.empty()) sameness_of(ask);
  });
}

void apply_controls(DataSet& data, const GridData& spec, const Execution& execution) {
  if (!spec.controls.any()) return;
  if (spec.controls.unfiltered_test) replace_test_split(data, spec, execution);
  if (spec.controls.permute_labels) permute_classes(data, spec.seed);
  if (spec.controls.shuffle_nodes) shuffle_nodes(data, spec.seed);
  data.provenance["controls"] = controls_json(spec);
}

}  // namespace

void check_data(const GridData& spec, std::span<const fs::path> folders) {
  if (!spec.path.empty()) {
    find_data(spec.name, spec.path, folders);
  } else {
    const std::unique_ptr<Task> task = task_of(spec);
    if (spec.test_nodes) task_of_sizes(*task, *spec.test_nodes);
    filter_of(spec);
  }
  check_asks(spec, folders);
}

std::vector<Ask> PreparedData::asked() const {
  std::vector<Ask> all;
  for (const PreparedAsk& one : asks) all.push_back(one.ask);
  return all;
}

AskedData PreparedData::asked_data() const {
  AskedData all;
  for (const PreparedAsk& one : asks) {
    if (one.ask.rounds == 0) all.emplace(one.ask.name, &one.data);
  }
  return all;
}

PreparedData prepare_data(const GridData& spec, const fs::path& cache,
                          std::span<const fs::path> folders, const Execution& execution,
                          int max_nodes) {
  PreparedData prepared;
  // Two programs may make it at once: it is the same, and appears whole.
  const auto stored = [&](const std::string& name, const std::function<DataSet()>& made) {
    const fs::path path = fs::absolute(cache / name);
    if (fs::exists(path)) return path;
    fs::create_directories(cache);
    write_dataset(made(), path, true);
    return path;
  };
  const auto make = [&](const std::string& name, const std::function<DataSet()>& made) {
    prepared.path = stored(name, [&] {
      DataSet data = made();
      apply_controls(data, spec, execution);
      return data;
    });
  };
  if (spec.path.empty()) {
    prepared.meanings = task_of(spec)->class_meanings();
    make(cache_name(spec), [&] { return make_data(spec, execution); });
  } else {
    prepared.path = find_data(spec.name, spec.path, folders);
    if (spec.controls.any()) {
      DataSet source = read_dataset(prepared.path, {max_nodes, execution});
      make(cache_name(spec, source), [&] { return std::move(source); });
    }
  }
  prepared.data = read_dataset(prepared.path, {max_nodes, execution});
  prepared.data.name = spec.name;
  prepared.checksum = data_checksum(prepared.data);
  for_asks(spec, [&](const GridAsk& ask) {
    PreparedAsk& one = prepared.asks.emplace_back();
    one.ask.name = ask.name;
    one.ask.rounds = ask.rounds;
    if (ask.rounds > 0) return;
    one.path = ask.path.empty()
                   ? stored(cache_name(spec, ask), [&] { return make_asked(spec, ask, execution); })
                   : find_data(ask.name, ask.path, folders);
    one.data = read_dataset(one.path, {max_nodes, execution});
    one.data.name = ask.name;
    if (one.data.class_names != prepared.data.class_names) {
      throw UsageError(fmt::format("classes {}, where {} has {}",
                                   fmt::join(one.data.class_names, ", "), spec.name,
                                   fmt::join(prepared.data.class_names, ", ")));
    }
    one.ask.checksum = data_checksum(one.data);
    one.ask.pairs = has_pairs(one.data);
    const std::vector<const Sample*> graphs = one.data.all();
    if (one.ask.pairs && 2 * find_pairs(graphs).size() != graphs.size()) {
      throw UsageError("its graphs are not all twins that follow each other");
    }
  });
  return prepared;
}

}  // namespace bermuda
