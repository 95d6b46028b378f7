#include "bermuda/bench/store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <map>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/figures.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/graph/graph6.hpp"
#include "schema.hpp"
#include "stale_places.hpp"
#include "store_rows.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kStates = {"waiting", "running", "done", "failed"};

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

Json split_summaries(const DataSet& data) {
  Json splits = Json::array();
  for (const SplitFigures& split : figures_of(data).splits) {
    splits.push_back({{"name", split.name},
                      {"graphs", split.graphs},
                      {"class_counts", split.classes},
                      {"mean_nodes", split.mean_nodes()},
                      {"mean_edges", split.mean_edges()}});
  }
  return splits;
}

Json witness_json(const Witness& witness) {
  Json edges = Json::array();
  for (const Edge& edge : witness.edges) edges.push_back({edge.u, edge.v});
  return {{"nodes", witness.nodes}, {"edges", edges}};
}

}  // namespace

std::string_view state_name(RunState state) { return kStates[static_cast<std::size_t>(state)]; }

RunState state_named(std::string_view name) {
  const auto found = std::ranges::find(kStates, name);
  if (found == kStates.end()) throw Error(fmt::format("unknown state {}", in_quotes(name)));
  return static_cast<RunState>(found - kStates.begin());
}

void Store::together(bool durable, const std::function<void()>& body) {
  if (rows_->inside) return body();
  Database& database = rows_->database;
  database.execute(durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  Transaction transaction(database);
  struct Inside {
    bool& flag;
    explicit Inside(bool& f) : flag(f) { flag = true; }
    ~Inside() { flag = false; }
  };
  {
    const Inside inside(rows_->inside);
    body();
  }
  transaction.commit();
  check_still_there();
}

std::int64_t Store::put_data(const DataSet& data, const std::string& path,
                             const std::string& checksum,
                             const std::vector<std::string>& meanings) {
  std::int64_t id = 0;
  together(true, [&] {
    Statement& known = rows_->statement("SELECT id FROM data_sets WHERE checksum = ?");
    if (known.with(checksum).step()) {
      id = known.integer(0);
      known.run();
      put_edge_labels(id, data);
      return;
    }
    rows_
        ->statement(
            "INSERT INTO data_sets (checksum, name, path, classes, meanings, splits, provenance) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)")
        .with(checksum, data.name, path, json_line(data.class_names), json_line(meanings),
              json_line(split_summaries(data)), json_line(data.provenance))
        .run();
    id = rows_->database.last_id();
    Statement& insert = rows_->statement(
        "INSERT INTO graphs (data, place, id, class, nodes, edges, graph6, witness, node_labels) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, ''), NULLIF(?, ''))");
    int place = 0;
    for (const Sample* sample : tested_samples(data)) {
      const Graph& graph = sample->graph;
      insert
          .with(id, place++, sample->id, sample->label, graph.node_count(), graph.edge_count(),
                encode_graph6(graph),
                sample->witness.empty() ? "" : json_line(witness_json(sample->witness)),
                graph.has_node_labels() ? json_line(graph.node_labels()) : "")
          .run();
    }
    put_edge_labels(id, data);
  });
  return id;
}

/// Graphs that an earlier version stored are without.
void Store::put_edge_labels(std::int64_t id, const DataSet& data) {
  Statement& update = rows_->statement(
      "UPDATE graphs SET edge_labels = ? WHERE data = ? AND place = ? AND edge_labels IS NULL");
  int place = 0;
  for (const Sample* sample : tested_samples(data)) {
    if (sample->graph.has_edge_labels()) {
      update.with(json_line(sample->graph.edge_labels()), id, place).run();
    }
    ++place;
  }
}

void Store::put_audit(std::int64_t data, const Json& audit) {
  together(true, [&] {
    rows_->statement("UPDATE data_sets SET audit = ? WHERE id = ?")
        .with(json_line(audit), data)
        .run();
  });
}

void Store::plan(const Grid& grid, const std::string& command,
                 const std::vector<PlannedRun>& runs) {
  together(true, [&] {
    std::string before;
    Statement& kept = rows_->statement("SELECT config FROM grids WHERE name = ?");
    if (kept.with(grid.name).step()) {
      before = kept.text(0);
      kept.run();
    }
    rows_
        ->statement(
            "INSERT INTO grids (name, title, metric, paper, published, config, command) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET title = "
            "excluded.title, metric = excluded.metric, paper = excluded.paper, published = "
            "excluded.published, config = excluded.config, command = excluded.command")
        .with(grid.name, grid.title, metric_key(grid.metric), grid.paper,
              json_line(Json(grid.published)), grid.text, command)
        .run();
    Statement& find = rows_->statement("SELECT id FROM grids WHERE name = ?");
    find.with(grid.name).step();
    const std::int64_t id = find.integer(0);
    find.run();
    Statement& run = rows_->statement(
        "INSERT INTO runs (key, method, options, data, data_checksum, fold, folding, seed, asked) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULLIF(?, '')) ON CONFLICT (key) DO NOTHING");
    Statement& entry = rows_->statement(
        "INSERT OR REPLACE INTO entries (grid, row, data, fold, place, seed, taken_from, run) "
        "SELECT ?, ?, ?, ?, ?, ?, NULLIF(?, ''), id FROM runs WHERE key = ?");
    for (const PlannedRun& planned : runs) {
      const RunSpec& spec = planned.spec;
      const std::string key = spec.key();
      run.with(key, spec.method, json_line(spec.options), spec.data, spec.data_checksum, spec.fold,
               folding_name(spec.folding), static_cast<std::int64_t>(spec.seed),
               spec.asks.empty() ? "" : json_line(to_json(spec.asks)))
          .run();
      const bool taken = !planned.column.empty();
      entry
          .with(id, planned.row, taken ? planned.column : spec.data, spec.fold, planned.place,
                static_cast<std::int64_t>(spec.seed), taken ? spec.data : "", key)
          .run();
    }
    forget_others(id, grid, before, runs);
  });
}

void Store::forget_others(std::int64_t id, const Grid& grid, const std::string& before,
                          const std::vector<PlannedRun>& planned) {
  std::map<std::int64_t, RunRecord> known;
  for (RunRecord& run : runs()) known.emplace(run.id, std::move(run));
  for (const GridEntry& entry : stale_places(entries(id), known, grid, before, planned)) {
    rows_
        ->statement(
            "DELETE FROM entries WHERE grid = ? AND row = ? AND data = ? AND fold = ? AND seed = ?")
        .with(id, entry.row, entry.data, entry.fold, static_cast<std::int64_t>(entry.seed))
        .run();
  }
}

bool Store::claim(const std::string& key, const std::string& owner) {
  bool claimed = false;
  together(false, [&] {
    rows_
        ->statement(
            "UPDATE runs SET state = 'running', owner = ?, error = NULL, started = ? "
            "WHERE key = ? AND state IN ('waiting', 'failed')")
        .with(owner, now(), key)
        .run();
    claimed = rows_->database.changes() == 1;
  });
  return claimed;
}

void Store::finish(const std::string& key, const RunResult& result, const std::string& finished) {
  together(true, [&] {
    Statement& find = rows_->statement("SELECT id FROM runs WHERE key = ?");
    if (!find.with(key).step()) throw Error(fmt::format("{}: no run {}", file_.string(), key));
    const std::int64_t id = find.integer(0);
    find.run();
    // Of a result that was there before nothing may stay: it may have had more epochs.
    for (const char* table : {"epochs", "answers", "asked"}) {
      rows_->statement(fmt::format("DELETE FROM {} WHERE run = ?", table)).with(id).run();
    }
    const Metrics& test = result.test;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Metrics last = result.last ? result.last->test : Metrics{0, kNone, kNone, kNone, {}};
    const std::string last_confusion = result.last ? json_line(last.confusion) : "";
    rows_
        ->statement(
            "UPDATE runs SET state = 'done', owner = NULL, error = NULL, epochs = ?, best_epoch = "
            "?, validation_accuracy = ?, accuracy = ?, macro_f1 = ?, positive_f1 = ?, confusion = "
            "?, train_graphs = ?, validation_graphs = ?, test_graphs = ?, chosen = ?, seconds = ?, "
            "cpu_seconds = ?, host = ?, program_version = ?, finished = ?, last_accuracy = ?, "
            "last_macro_f1 = ?, last_positive_f1 = ?, last_confusion = NULLIF(?, '') WHERE id = ?")
        .with(result.epochs, result.best_epoch, result.validation_accuracy, test.accuracy,
              test.macro_f1, test.positive_f1, json_line(test.confusion), result.train_graphs,
              result.validation_graphs, test.count, json_line(result.chosen), result.seconds,
              result.cpu_seconds, result.host, result.program_version,
              finished.empty() ? now() : finished, last.accuracy, last.macro_f1, last.positive_f1,
              last_confusion, id)
        .run();
    static const std::string put_epoch = fmt::format(
        "INSERT OR REPLACE INTO epochs (run, epoch{}) VALUES (?, ?{})", epoch_columns_sql(),
        fmt::join(std::vector<std::string>(kEpochColumns.size(), ", ?"), ""));
    Statement& epoch = rows_->statement(put_epoch);
    for (const EpochRecord& record : result.curve) {
      std::array<double, kEpochColumns.size()> figures{};
      for (std::size_t i = 0; i < figures.size(); ++i) figures[i] = record.*kEpochColumns[i].field;
      epoch.with(id, record.epoch, std::span<const double>(figures)).run();
    }
    Statement& insert = rows_->statement(
        "INSERT OR REPLACE INTO answers (run, place, said, truth, said_last) "
        "VALUES (?, ?, ?, ?, NULLIF(?, -1))");
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
      const Answer& answer = result.answers[i];
      const int said_last = result.last ? result.last->answers.at(i).said : -1;
      insert.with(id, answer.place, answer.said, answer.truth, said_last).run();
    }
    Statement& put_asked = rows_->statement(
        "INSERT OR REPLACE INTO asked (run, place, name, graphs, accuracy, macro_f1, positive_f1, "
        "confusion, both_right, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULLIF(?, -1), "
        "NULLIF(?, -1))");
    const auto or_none = [](const std::optional<std::size_t>& count) {
      return count ? static_cast<std::int64_t>(*count) : -1;
    };
    for (std::size_t i = 0; i < result.asked.size(); ++i) {
      const AskedResult& asked = result.asked[i];
      const Metrics& found = asked.metrics;
      put_asked
          .with(id, static_cast<std::int64_t>(i), asked.name, found.count, found.accuracy,
                found.macro_f1, found.positive_f1, json_line(found.confusion),
                or_none(asked.both_right), or_none(asked.changed))
          .run();
    }
  });
}

void Store::fail(const std::string& key, const std::string& reason) {
  together(true, [&] {
    rows_
        ->statement(
            "UPDATE runs SET state = 'failed', owner = NULL, error = ?, finished = ? WHERE key = ?")
        .with(reason, now(), key)
        .run();
  });
}

void Store::release(const std::string& key) {
  together(false, [&] {
    rows_
        ->statement(
            "UPDATE runs SET state = 'waiting', owner = NULL WHERE key = ? AND state = 'running'")
        .with(key)
        .run();
  });
}

void Store::release_all(const std::string& owner) {
  together(false, [&] {
    rows_
        ->statement(
            "UPDATE runs SET state = 'waiting', owner = NULL WHERE owner = ? AND state = 'running'")
        .with(owner)
        .run();
  });
}

}  // namespace bermuda
