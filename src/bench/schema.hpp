#pragma once

#include <string>

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
  finished TEXT
);
CREATE INDEX runs_by_state ON runs(state) WHERE state = 'running';
CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs(id),
  place INTEGER NOT NULL,    -- graphs.place
  said INTEGER NOT NULL,     -- the class it was given
  truth INTEGER NOT NULL,    -- the class it has
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
  PRIMARY KEY (grid, data, row, fold)
) WITHOUT ROWID;
)sql";

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

}  // namespace bermuda
