#include <fmt/format.h>

#include "bermuda/bench/store.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/graph/graph6.hpp"
#include "bermuda/method/evaluation.hpp"
#include "schema.hpp"
#include "store_row.hpp"
#include "store_rows.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, std::map<std::string, double>> published_of(const Json& json) {
  std::map<std::string, std::map<std::string, double>> published;
  for (const auto& [data, rows] : json.items()) {
    for (const auto& [row, figure] : object_of(rows, "the figures of a data set").items()) {
      published[data][row] = real_number(figure, "a figure");
    }
  }
  return published;
}

Witness witness_of(const Json& json, const Graph& graph) {
  Witness witness;
  const auto node = [&](const Json& value) {
    return static_cast<int>(whole_number(value, "a node", 0, graph.node_count() - 1));
  };
  for (const Json& value : json.at("nodes")) witness.nodes.push_back(node(value));
  for (const Json& edge : json.at("edges")) {
    witness.edges.push_back({node(edge.at(0)), node(edge.at(1))});
    if (!graph.has_edge(witness.edges.back().u, witness.edges.back().v)) {
      throw JsonError("an edge that the graph does not have");
    }
  }
  return witness;
}

}  // namespace

std::vector<std::string> Store::owners() const {
  std::vector<std::string> owners;
  Statement& query = rows_->statement("SELECT DISTINCT owner FROM runs WHERE state = 'running'");
  const StoreRow row(query.with(), file_.string(), "runs");
  while (query.step()) owners.push_back(row.text(0));
  return owners;
}

std::vector<GridRecord> Store::grids() const {
  std::vector<GridRecord> grids;
  Statement& query = rows_->statement(
      "SELECT id, name, title, metric, paper, published, config, command FROM grids ORDER BY id");
  const StoreRow row(query.with(), file_.string(), "grids");
  while (query.step()) {
    GridRecord& grid = grids.emplace_back();
    grid.id = row.number(0);
    grid.name = row.text(1);
    grid.title = row.text(2);
    row.in_column(3, [&] { grid.metric = metric_of_key(row.text(3)); });
    grid.paper = row.text(4);
    row.in_column(5, [&] { grid.published = published_of(row.object(5)); });
    grid.config = row.text(6);
    grid.command = row.text(7);
  }
  return grids;
}

std::vector<GridEntry> Store::entries(std::int64_t grid) const {
  std::vector<GridEntry> entries;
  Statement& query = rows_->statement(
      version_ == 1 ? "SELECT row, data, fold, coalesce((SELECT seed FROM runs WHERE id = run), 0) "
                      "AS seed, run, NULL AS taken_from FROM entries WHERE grid = ? "
                      "ORDER BY place, fold"
                    : "SELECT row, data, fold, seed, run, taken_from FROM entries WHERE grid = ? "
                      "ORDER BY place, fold, seed");
  const StoreRow row(query.with(grid), file_.string(), "entries");
  while (query.step()) {
    entries.push_back({row.text(0), row.text(1), row.small(2, kEvaluationFolds - 1),
                       static_cast<std::uint64_t>(row.number(3)), row.number(4), row.text(5)});
  }
  return entries;
}

std::vector<RunRecord> Store::runs() const {
  std::vector<RunRecord> runs;
  const char* last = version_ == 1 ? "NULL, NULL, NULL, NULL, 'usual'"
                                   : "last_accuracy, last_macro_f1, last_positive_f1, "
                                     "last_confusion, folding";
  const char* asked = version_ < kAskedSince ? "NULL" : "asked";
  Statement& query = rows_->statement(fmt::format(
      "SELECT id, key, method, options, data, data_checksum, fold, seed, state, owner, error, "
      "finished, epochs, best_epoch, validation_accuracy, accuracy, macro_f1, positive_f1, "
      "confusion, train_graphs, validation_graphs, test_graphs, chosen, seconds, cpu_seconds, "
      "host, program_version, {}, {} FROM runs ORDER BY id",
      last, asked));
  const StoreRow row(query.with(), file_.string(), "runs");
  while (query.step()) {
    RunRecord& run = runs.emplace_back();
    run.id = row.number(0);
    run.key = row.text(1);
    run.spec.method = row.text(2);
    run.spec.options = row.object(3);
    run.spec.data = row.text(4);
    run.spec.data_checksum = row.text(5);
    run.spec.fold = row.small(6, kEvaluationFolds - 1);
    run.spec.seed = static_cast<std::uint64_t>(row.number(7));
    row.in_column(31, [&] { run.spec.folding = folding_named(row.text(31)); });
    if (!query.is_null(32)) row.in_column(32, [&] { run.spec.asks = asks_of(row.json(32)); });
    row.in_column(8, [&] { run.state = state_named(row.text(8)); });
    run.owner = row.text(9);
    run.error = row.text(10);
    run.finished = row.text(11);
    if (run.state != RunState::kDone) continue;
    RunResult& result = run.result;
    result.epochs = row.small(12);
    result.best_epoch = row.small(13);
    result.validation_accuracy = row.real(14);
    result.test.accuracy = row.real(15);
    result.test.macro_f1 = row.real(16);
    result.test.positive_f1 = row.real(17);
    row.in_column(18, [&] { result.test.confusion = confusion_of(row.json(18)); });
    result.train_graphs = static_cast<std::size_t>(row.count(19));
    result.validation_graphs = static_cast<std::size_t>(row.count(20));
    result.test.count = static_cast<std::size_t>(row.count(21));
    result.chosen = row.object(22);
    result.seconds = row.real(23);
    result.cpu_seconds = row.real(24);
    result.host = row.text(25);
    result.program_version = row.text(26);
    if (!query.is_null(30)) {
      Metrics& at_end = result.last.emplace().test;
      at_end.count = result.test.count;
      at_end.accuracy = row.real(27);
      at_end.macro_f1 = row.real(28);
      at_end.positive_f1 = row.real(29);
      row.in_column(30, [&] { at_end.confusion = confusion_of(row.json(30)); });
    }
    if (const std::string flaw = flaw_of(result); !flaw.empty()) {
      throw InputError(file_.string(), 0, fmt::format("{} in row {} of runs", flaw, run.id),
                       "figures that fit each other");
    }
  }
  return runs;
}

std::vector<EpochRecord> Store::curve(std::int64_t run) const {
  std::vector<EpochRecord> curve;
  Statement& query = rows_->statement("SELECT epoch" + epoch_columns_sql() +
                                      " FROM epochs WHERE run = ? ORDER BY epoch");
  const StoreRow row(query.with(run), file_.string(), "epochs");
  while (query.step()) {
    EpochRecord& record = curve.emplace_back();
    record.epoch = row.small(0);
    int place = 1;
    for (const EpochColumn& column : kEpochColumns) record.*column.field = row.real(place++);
  }
  return curve;
}

std::vector<AskedResult> Store::asked(std::int64_t run) const {
  std::vector<AskedResult> all;
  if (version_ < kAskedSince) return all;
  Statement& query = rows_->statement(
      "SELECT name, graphs, accuracy, macro_f1, positive_f1, confusion, both_right, changed FROM "
      "asked WHERE run = ? ORDER BY place");
  const StoreRow row(query.with(run), file_.string(), "asked");
  while (query.step()) {
    AskedResult& one = all.emplace_back();
    one.name = row.text(0);
    one.metrics.count = static_cast<std::size_t>(row.count(1));
    one.metrics.accuracy = row.real(2);
    one.metrics.macro_f1 = row.real(3);
    one.metrics.positive_f1 = row.real(4);
    row.in_column(5, [&] { one.metrics.confusion = confusion_of(row.json(5)); });
    if (!query.is_null(6)) one.both_right = static_cast<std::size_t>(row.count(6));
    if (!query.is_null(7)) one.changed = static_cast<std::size_t>(row.count(7));
  }
  return all;
}

std::vector<Answer> Store::answers(std::int64_t run, WhichEpoch epoch) const {
  std::vector<Answer> answers;
  const bool last = epoch == WhichEpoch::kLast;
  if (last && version_ == 1) return answers;
  Statement& query = rows_->statement(
      last ? "SELECT place, said_last, truth FROM answers WHERE run = ? AND said_last NOT NULL "
             "ORDER BY place"
           : "SELECT place, said, truth FROM answers WHERE run = ? ORDER BY place");
  const StoreRow row(query.with(run), file_.string(), "answers");
  while (query.step()) answers.push_back({row.small(0), row.small(1), row.small(2)});
  return answers;
}

std::vector<DataRecord> Store::data_sets() const {
  std::vector<DataRecord> sets;
  Statement& query = rows_->statement(
      "SELECT id, name, path, checksum, classes, meanings, splits, provenance, audit "
      "FROM data_sets ORDER BY id");
  const StoreRow row(query.with(), file_.string(), "data_sets");
  while (query.step()) {
    DataRecord& data = sets.emplace_back();
    data.id = row.number(0);
    data.name = row.text(1);
    data.path = row.text(2);
    data.checksum = row.text(3);
    data.class_names = row.strings(4);
    data.meanings = row.strings(5);
    data.splits = row.array(6);
    data.provenance = row.object(7);
    if (!query.is_null(8)) data.audit = row.object(8);
  }
  return sets;
}

std::vector<Sample> Store::graphs(std::int64_t data) const {
  std::vector<Sample> samples;
  Statement& query = rows_->statement(
      fmt::format("SELECT id, class, graph6, witness, node_labels, {} FROM graphs WHERE data = ? "
                  "ORDER BY place",
                  version_ < kEdgeLabelsSince ? "NULL AS edge_labels" : "edge_labels"));
  const StoreRow row(query.with(data), file_.string(), "graphs");
  while (query.step()) {
    Sample& sample = samples.emplace_back();
    sample.id = row.text(0);
    sample.label = row.small(1);
    row.in_column(2, [&] { sample.graph = decode_graph6(row.text(2)); });
    if (!query.is_null(4)) {
      row.in_column(4, [&] {
        const auto labels = row.array(4).get<std::vector<int>>();
        sample.graph = Graph(sample.graph.node_count(), sample.graph.edges(), labels);
      });
    }
    if (!query.is_null(5)) {
      row.in_column(5, [&] {
        const auto labels = row.array(5).get<std::vector<int>>();
        const Graph& graph = sample.graph;
        sample.graph = Graph(graph.node_count(), graph.edges(), graph.node_labels(), labels);
      });
    }
    if (query.is_null(3)) continue;
    row.in_column(3, [&] { sample.witness = witness_of(row.object(3), sample.graph); });
  }
  return samples;
}

}  // namespace bermuda
