#pragma once

#include "bermuda/bench/store.hpp"
#include "database.hpp"

namespace bermuda {

/// The database behind a store.
class Store::Rows {
 public:
  Rows(const std::filesystem::path& file, Database::Mode mode) : database(file, mode) {}

  mutable Database database;
  bool inside = false;  // a transaction that together() opened

  Statement& statement(const std::string& sql) const { return database.statement(sql); }
};

}  // namespace bermuda
