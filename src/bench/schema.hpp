#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "bermuda/method/epoch_columns.hpp"

namespace bermuda {

// "Brmd": tells our stores from other SQLite files.
inline constexpr int kApplicationId = 0x42726d64;

// Open to everybody's SQL: one row per run, answer, tested graph, and, below, epoch.
inline constexpr const char* kSchema = R"sql(
CREATE TABLE data_sets (
  id INTEGER PRIMARY KEY,
  checksum TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  classes TEXT NOT NULL,     -- JSON: names
  meanings TEXT NOT NULL,    -- JSON: in words
  splits TEXT NOT NULL,      -- JSON: counts and means
  provenance TEXT NOT NULL,  -- JSON: how it was made
  audit TEXT                 -- JSON
);
CREATE TABLE graphs (        -- those that some fold tests on
  data INTEGER NOT NULL REFERENCES data_sets(id),
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  class INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  graph6 TEXT NOT NULL,
  witness TEXT,              -- JSON: nodes, edges
  node_labels TEXT,          -- JSON
  edge_labels TEXT,          -- JSON: in the order of edges, sorted
  PRIMARY KEY (data, place)
) WITHOUT ROWID;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,  -- SHA-256 of everything that the result depends on
  method TEXT NOT NULL,
  options TEXT NOT NULL,     -- JSON
  data TEXT NOT NULL,
  data_checksum TEXT NOT NULL,
  fold INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',  -- waiting, running, done, failed
  owner TEXT,
  error TEXT,
  epochs INTEGER,
  best_epoch INTEGER,
  validation_accuracy REAL,
  accuracy REAL,
  macro_f1 REAL,
  positive_f1 REAL,
  confusion TEXT,            -- JSON: [true class][predicted class]
  train_graphs INTEGER,
  validation_graphs INTEGER,
  test_graphs INTEGER,
  chosen TEXT,               -- JSON: what the method chose by itself
  seconds REAL,
  cpu_seconds REAL,
  host TEXT,
  program_version TEXT,
  started TEXT,
  finished TEXT,
  last_accuracy REAL,        -- of the last epoch, where another was kept
  last_macro_f1 REAL,
  last_positive_f1 REAL,
  last_confusion TEXT,       -- JSON
  folding TEXT NOT NULL DEFAULT 'usual',  -- usual, grouped, stratified
  asked TEXT                 -- JSON: what its model is asked beside the test graphs
);
CREATE INDEX runs_by_state ON runs(state) WHERE state = 'running';
CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,    -- graphs.place
  said INTEGER NOT NULL,     -- the class it was given
  truth INTEGER NOT NULL,    -- the class it has
  said_last INTEGER,         -- the class it was given at the last epoch, where another was kept
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE asked (         -- what a run's model answered beside the test graphs
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,    -- in runs.asked
  name TEXT NOT NULL,
  graphs INTEGER NOT NULL,   -- answers: of renumbered graphs, those of all rounds
  accuracy REAL NOT NULL,
  macro_f1 REAL NOT NULL,
  positive_f1 REAL NOT NULL,
  confusion TEXT NOT NULL,   -- JSON: [true class][predicted class]
  both_right INTEGER,        -- pairs, of which there are graphs / 2
  changed INTEGER,           -- answers that renumbering changed
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
CREATE TABLE grids (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  metric TEXT NOT NULL,
  paper TEXT NOT NULL,
  published TEXT NOT NULL,   -- JSON: [data][row]
  config TEXT NOT NULL,      -- TOML
  command TEXT NOT NULL
);
CREATE TABLE entries (       -- which run fills which place of a grid's table
  grid INTEGER NOT NULL REFERENCES grids(id),
  row TEXT NOT NULL,
  data TEXT NOT NULL,
  fold INTEGER NOT NULL,
  place INTEGER NOT NULL,    -- order of the configuration
  run INTEGER NOT NULL REFERENCES runs(id),
  seed INTEGER NOT NULL,
  taken_from TEXT,           -- the column whose run it is, where it is another's
  PRIMARY KEY (grid, data, row, fold, seed)
) WITHOUT ROWID;
)sql";

/// What a version has that those before it had not: in a table's plain_sql(), the text now and
/// before.
struct SchemaChange {
  std::int64_t since;  // the version
  const char* table;
  std::string_view now;
  std::string_view before;
};
inline constexpr std::array<SchemaChange, 6> kSchemaChanges = {{
    {4, "graphs", ",edge_labels TEXT", ""},
    {3, "runs", ",asked TEXT", ""},
    {2, "runs",
     ",last_accuracy REAL,last_macro_f1 REAL,last_positive_f1 REAL,last_confusion TEXT"
     ",folding TEXT NOT NULL DEFAULT'usual'",
     ""},
    {2, "answers", ",said_last INTEGER", ""},
    {2, "entries", ",seed INTEGER NOT NULL,taken_from TEXT", ""},
    {2, "entries", "fold,seed)", "fold)"},
}};
inline constexpr std::int64_t kAskedSince = 3;       ///< the version that has the table asked
inline constexpr std::int64_t kEdgeLabelsSince = 4;  ///< the version whose graphs have these

/// Makes version 2 of version 1. New columns are added at the ends of tables that others refer to;
/// entries is made anew by the text that goes between, for its primary key is another.
inline constexpr const char* kUpgradeBefore = R"sql(
ALTER TABLE runs ADD COLUMN last_accuracy REAL;
ALTER TABLE runs ADD COLUMN last_macro_f1 REAL;
ALTER TABLE runs ADD COLUMN last_positive_f1 REAL;
ALTER TABLE runs ADD COLUMN last_confusion TEXT;
ALTER TABLE runs ADD COLUMN folding TEXT NOT NULL DEFAULT 'usual';
ALTER TABLE answers ADD COLUMN said_last INTEGER;
CREATE TEMP TABLE earlier_entries AS SELECT * FROM main.entries;
DROP TABLE main.entries;
)sql";
inline constexpr const char* kUpgradeAfter = R"sql(
INSERT INTO main.entries (grid, row, data, fold, place, run, seed)
  SELECT grid, row, data, fold, place, run,
         coalesce((SELECT seed FROM main.runs WHERE id = run), 0) FROM temp.earlier_entries;
DROP TABLE temp.earlier_entries;
)sql";
/// Makes version 3 of version 2, with the table asked.
inline constexpr const char* kUpgradeTo3 = "ALTER TABLE runs ADD COLUMN asked TEXT;";
/// Makes version 4 of version 3. The labels themselves come with put_data().
inline constexpr const char* kUpgradeTo4 = "ALTER TABLE graphs ADD COLUMN edge_labels TEXT;";

/// ", train_loss REAL, train_accuracy REAL": the columns of an epoch, each after its comma and with
/// the same words behind it.
inline std::string epoch_columns_sql(const char* behind = "") {
  std::string sql;
  for (const EpochColumn& column : kEpochColumns) sql += std::string(", ") + column.name + behind;
  return sql;
}

inline std::string epochs_schema() {
  return "CREATE TABLE epochs (run INTEGER NOT NULL REFERENCES runs(id), epoch INTEGER NOT NULL" +
         epoch_columns_sql(" REAL") + ", PRIMARY KEY (run, epoch)) WITHOUT ROWID;";
}

/// Without comments, and with blanks only where words would grow together: two texts that differ no
/// more than in these mean the same.
inline std::string plain_sql(std::string_view sql) {
  const auto in_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string plain;
  bool blank = false;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql.substr(i).starts_with("--")) i = std::min(sql.find('\n', i), sql.size() - 1);
    if (sql[i] == ' ' || sql[i] == '\n') {
      blank = true;
      continue;
    }
    if (blank && !plain.empty() && in_word(plain.back()) && in_word(sql[i])) plain += ' ';
    blank = false;
    plain += sql[i];
  }
  return plain;
}

/// What makes each of the tables of a version of the store, by its name, as plain_sql().
inline std::map<std::string, std::string> table_schemas(std::int64_t version) {
  constexpr std::string_view kBegin = "CREATE TABLE ";
  std::map<std::string, std::string> tables;
  const std::string all = plain_sql(kSchema + epochs_schema());
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (!one.starts_with(kBegin)) continue;
    const std::string_view name = one.substr(kBegin.size());
    tables.emplace(name.substr(0, name.find('(')), one);
  }
  if (version < kAskedSince) tables.erase("asked");
  for (const SchemaChange& change : kSchemaChanges) {
    if (version >= change.since) continue;
    std::string& sql = tables.at(change.table);
    sql.replace(sql.find(change.now), change.now.size(), change.before);
  }
  return tables;
}

}  // namespace bermuda
