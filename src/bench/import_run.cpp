#include <fmt/format.h>

#include <algorithm>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/run/execute.hpp"
#include "bermuda/run/folder.hpp"
#include "import_checks.hpp"
#include "owner_lock.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

/// The run of the plan that the folder's is.
const PlannedRun& find_planned(const Plan& plan, const FinishedRun& run, const std::string& file) {
  const RunSpec& found = run.spec;
  if (run.result_version != kResultVersion) {
    throw UsageError(
        fmt::format("{}: made by another version of the program, whose results may "
                    "differ",
                    file));
  }
  std::string nearest = "no run of this method, fold and seed";
  for (const PlannedRun& planned : plan.runs) {
    const RunSpec& spec = planned.spec;
    if (spec.method != found.method || spec.fold != found.fold || spec.seed != found.seed) continue;
    if (spec.folding != found.folding) {
      nearest =
          fmt::format("{} folds, not {}", folding_name(spec.folding), folding_name(found.folding));
      continue;
    }
    if (fit_checksum(plan.data.at(spec.data).data, spec.fold, spec.folding) != found.fit_checksum) {
      nearest = "other data";
      continue;
    }
    if (spec.initial != found.initial) {
      nearest = "no run that begins with a model";
      continue;
    }
    const nlohmann::json options = options_of_key(spec.options);
    const nlohmann::json others = options_of_key(found.options);
    if (options != others) {
      for (const auto& [key, value] : options.items()) {
        const nlohmann::json other = others.value(key, nlohmann::json());
        if (other != value) nearest = fmt::format("{} {}, not {}", key, value.dump(), other.dump());
      }
      continue;
    }
    return planned;
  }
  throw UsageError(fmt::format("{}: not a run of {}, which has {}", file, plan.grid.name, nearest));
}

}  // namespace

FoldParts planned_parts(const Plan& plan, const RunSpec& spec) {
  return fold_parts(plan.data.at(spec.data).data, spec.fold, spec.folding);
}

void check_graph_counts(const RunResult& result, const FoldParts& parts, const std::string& file) {
  if (result.train_graphs == parts.train.size() &&
      result.validation_graphs == parts.validation.size()) {
    return;
  }
  throw InputError(file, 0,
                   fmt::format("{} graphs to train and {} to validate", result.train_graphs,
                               result.validation_graphs),
                   fmt::format("{} and {}", parts.train.size(), parts.validation.size()));
}

ImportOutcome import_run(Store& store, const Plan& plan, const std::filesystem::path& folder,
                         const std::filesystem::path& work, const MethodRegistry& methods,
                         const Execution& execution) {
  const FinishedRun run = read_finished_run(folder);
  const RunSpec& spec = find_planned(plan, run, (folder / kRunFile).string()).spec;
  const DataSet& data = plan.data.at(spec.data).data;
  RunResult result = run.result;
  const FoldParts parts = planned_parts(plan, spec);
  check_graph_counts(result, parts, (folder / kRunFile).string());
  const Model model = read_model(folder, methods);
  if (model.class_names != data.class_names) {
    throw InputError((folder / kModelFile).string(), 0, "a model of other classes",
                     "the classes of " + data.name);
  }
  test_method(*model.method, data, parts, execution, result);
  const QuestionSheet questions(spec.asks, parts.test, plan.data.at(spec.data).asked_data(),
                                data.class_names, spec.seed, execution);
  ask_method(spec, *model.method, questions, execution, result);
  if (result.test.confusion != run.result.test.confusion) {
    throw InputError((folder / kModelFile).string(), 0,
                     fmt::format("a model that answers the test graphs with {}",
                                 Json(result.test.confusion).dump()),
                     fmt::format("{}, as run.json says", Json(run.result.test.confusion).dump()));
  }
  // The model has the kept epoch only; what the record says of the last must be of the same graphs.
  result.last = run.result.last;
  if (const std::string flaw = flaw_of(result); !flaw.empty()) {
    throw InputError((folder / kRunFile).string(), 0, flaw, "figures that fit each other");
  }
  result.host = "imported";
  release_dead(store, work / "owners");
  const std::string key = spec.key();
  ImportOutcome outcome;
  store.together(true, [&] {
    if (store.claim(key, kImporter)) {
      store.finish(key, result);
      outcome.taken = 1;
      return;
    }
    const std::vector<RunRecord> runs = store.runs();
    const auto stored = std::ranges::find(runs, key, &RunRecord::key);
    (stored->state == RunState::kDone ? outcome.known : outcome.elsewhere) = 1;
  });
  return outcome;
}

}  // namespace bermuda
