// Opening a store, which may be somebody else's or be taken away under our hands.
#include <fmt/format.h>
#include <sys/stat.h>

#include <map>

#include "bermuda/bench/store.hpp"
#include "bermuda/core/error.hpp"
#include "schema.hpp"
#include "store_rows.hpp"

namespace bermuda {

Store::Store(const std::filesystem::path& file, Mode mode) : file_(file) {
  std::error_code error;
  if (mode != Mode::kCreate && !std::filesystem::exists(file, error)) {
    throw UsageError(fmt::format("{}: there is no such store", file.string()));
  }
  const auto database_mode = mode == Mode::kRead    ? Database::Mode::kRead
                             : mode == Mode::kWrite ? Database::Mode::kWrite
                                                    : Database::Mode::kCreate;
  rows_ = std::make_unique<Rows>(file, database_mode);
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    device_ = status.st_dev;
    number_ = status.st_ino;
  }
  make_or_check(mode);
}

Store::~Store() = default;

void Store::make_or_check(Mode mode) {
  Database& database = rows_->database;
  if (mode == Mode::kRead) {
    check();
    return;
  }
  {
    // Under the lock, so that of two processes that start at once one makes the tables.
    Transaction transaction(database);
    if (mode == Mode::kCreate && database.pragma("schema_version") == 0) {
      database.execute(kSchema);
      database.execute(epochs_schema());
      database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
      database.execute(fmt::format("PRAGMA user_version = {}", kVersion));
    }
    check();
    if (version_ < kVersion) upgrade();
    transaction.commit();
  }
  database.execute("PRAGMA foreign_keys = ON");
  database.execute("PRAGMA journal_mode = WAL");
}

void Store::check() {
  Database& database = rows_->database;
  version_ = database.pragma("user_version");
  if (database.pragma("application_id") != kApplicationId) {
    throw InputError(file_.string(), 0, "a SQLite file of another program",
                     "a store that bermuda bench wrote");
  }
  if (version_ > kVersion) {
    throw InputError(file_.string(), 0, fmt::format("a store of version {}", version_),
                     fmt::format("version {} at most; a newer bermuda wrote it", kVersion));
  }
  if (version_ < 1) {
    throw InputError(file_.string(), 0, fmt::format("a store of version {}", version_),
                     fmt::format("version 1 to {}", kVersion));
  }
  check_schema();
  for (const auto& [table, sql] : table_schemas(version_)) {
    Statement& quick_check = database.statement(fmt::format("PRAGMA quick_check({})", table));
    if (quick_check.with().step() && quick_check.text(0) != "ok") {
      throw InputError(file_.string(), 0,
                       fmt::format("a damaged file ({})", in_quotes(quick_check.text(0))),
                       "a whole store");
    }
    quick_check.run();
  }
}

void Store::upgrade() {
  Database& database = rows_->database;
  if (version_ == 1) {
    database.execute(kUpgradeBefore);
    database.execute(table_schemas(2).at("entries"));
    database.execute(kUpgradeAfter);
  }
  if (version_ < kAskedSince) {
    database.execute(kUpgradeTo3);
    database.execute(table_schemas(kAskedSince).at("asked"));
  }
  database.execute(kUpgradeTo4);
  database.execute(fmt::format("PRAGMA user_version = {}", kVersion));
  version_ = kVersion;
  check_schema();
}

void Store::check_schema() const {
  std::map<std::string, std::string> missing = table_schemas(version_);
  Statement& query = rows_->statement("SELECT type, name, sql FROM sqlite_master");
  query.with();
  const auto refuse = [&](const std::string& found) {
    throw InputError(file_.string(), 0, found, "the tables that bermuda bench makes");
  };
  while (query.step()) {
    const std::string type = query.text(0);
    const std::string name = query.text(1);
    const std::string sql = plain_sql(query.text(2));
    if (type == "index") continue;
    if (type != "table" || !sql.starts_with("CREATE TABLE ")) {
      refuse(fmt::format("a {} {}", type == "table" ? "virtual table" : type, in_quotes(name)));
    }
    const auto ours = missing.find(name);
    if (ours == missing.end()) continue;  // somebody's own: nobody looks into it
    if (sql != ours->second) refuse(fmt::format("other columns in table {}", in_quotes(name)));
    missing.erase(ours);
  }
  if (!missing.empty()) refuse(fmt::format("no table {}", missing.begin()->first));
}

void Store::check_still_there() const {
  struct stat status {};
  if (::stat(file_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == number_) {
    return;
  }
  throw Error(
      fmt::format("{}: the store was deleted, moved or replaced while it was in use; what "
                  "has been written to it since is lost",
                  file_.string()));
}

}  // namespace bermuda
