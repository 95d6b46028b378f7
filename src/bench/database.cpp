#include "database.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr int kBusyMilliseconds = 60000;  // how long to wait for another process to finish writing

bool is_writable(const fs::path& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  return ::access(file.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
}

constexpr std::array kBeside = {"-wal", "-journal"};

fs::path beside(const fs::path& file, const char* end) { return file.string() + end; }

/// Size and time of change of the file and of what is beside it, to see whether they change.
std::vector<std::int64_t> state_of(const fs::path& file) {
  std::vector<std::int64_t> state;
  for (const char* end : {"", kBeside[0], kBeside[1]}) {
    struct stat status {};
    if (::stat(beside(file, end).c_str(), &status) != 0) status = {};
    state.insert(state.end(), {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                               static_cast<std::int64_t>(status.st_ino)});
  }
  return state;
}

}  // namespace

void throw_database_error(sqlite3* handle, int code, const std::string& file) {
  // Of a damaged file it may quote anything.
  std::string message = handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle);
  std::ranges::replace_if(
      message, [](char c) { return c < ' ' || c > '~'; }, '?');
  switch (code & 0xff) {
    case SQLITE_FULL:
      throw IoError(file, "write", ENOSPC);
    case SQLITE_IOERR: {
      const int error = handle == nullptr ? 0 : sqlite3_system_errno(handle);
      throw IoError(file, "use", error == 0 ? EIO : error);
    }
    case SQLITE_READONLY:
      throw UsageError(fmt::format("{}: the store may not be written ({})", file, message));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      throw UsageError(fmt::format("{}: the store cannot be opened ({})", file, message));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw InputError(file, 0, fmt::format("a damaged file ({})", message),
                       "a store that bermuda bench wrote");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(fmt::format("{}: another process holds the store for too long", file));
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    default:
      throw Error(fmt::format("{}: {}", file, message));
  }
}

Statement::Statement(sqlite3* database, const std::string& sql, const std::string& file)
    : file_(file) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database, sql.c_str(), static_cast<int>(sql.size()) + 1,
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) throw_database_error(database, code, file_);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw_database_error(sqlite3_db_handle(get()), code, file_);
}

void Statement::reset() { sqlite3_reset(get()); }

bool Statement::step() {
  const int code = sqlite3_step(get());
  if (code == SQLITE_ROW) return true;
  // A statement that is left at its end, or failed, would keep its lock.
  sqlite3* handle = sqlite3_db_handle(get());
  if (code == SQLITE_DONE) {
    sqlite3_reset(get());
    return false;
  }
  struct Resetting {
    sqlite3_stmt* statement;
    ~Resetting() { sqlite3_reset(statement); }
  } resetting{get()};
  throw_database_error(handle, code, file_);
}

void Statement::run() {
  while (step()) {
  }
}

double Statement::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN()
                         : sqlite3_column_double(get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

void Statement::bind(int place, std::int64_t value) {
  check(sqlite3_bind_int64(get(), place, value));
}

void Statement::bind(int place, double value) {
  check(std::isnan(value) ? sqlite3_bind_null(get(), place)
                          : sqlite3_bind_double(get(), place, value));
}

void Statement::bind(int place, std::string_view value) {
  check(
      sqlite3_bind_text64(get(), place, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(int place, std::nullptr_t) { check(sqlite3_bind_null(get(), place)); }

PrivateCopy::PrivateCopy(const fs::path& file) {
  constexpr int kTries = 5;
  std::string folder = (fs::temp_directory_path() / "bermuda-store-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw IoError(folder, "create", errno);
  folder_ = folder;
  std::error_code error;
  for (int i = 0; i < kTries && !error; ++i) {
    const std::vector<std::int64_t> before = state_of(file);
    fs::copy_file(file, this->file(), fs::copy_options::overwrite_existing, error);
    for (const char* end : kBeside) {
      std::error_code ignored;
      fs::remove(beside(this->file(), end), ignored);
      if (!fs::exists(beside(file, end), ignored) || error) continue;
      fs::copy_file(beside(file, end), beside(this->file(), end), error);
    }
    if (!error && state_of(file) == before) {
      fs::permissions(this->file(), fs::perms::owner_read | fs::perms::owner_write, error);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (error) throw IoError(file.string(), "copy", error.value());
  throw Error(
      fmt::format("{}: changes while it is read, and may not be written: ask for a copy, or for "
                  "write permission",
                  file.string()));
}

PrivateCopy::~PrivateCopy() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

Database::Database(const fs::path& file, Mode mode) : file_(file.string()) {
  check_regular_file(file);
  // A reader of a WAL file writes beside it, and tidies up if it may. Where it may not, SQLite can
  // read along with those who write; when nobody does, the log is read from a copy. (Never as
  // "immutable": that would leave out what is in the log alone.)
  if (mode != Mode::kRead || is_writable(file)) {
    open(file, SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0));
  } else if (!open_beside_writers()) {
    copy_ = std::make_unique<PrivateCopy>(file);
    open(copy_->file(), SQLITE_OPEN_READWRITE);
  }
  if (mode == Mode::kRead) execute("PRAGMA query_only = ON");
}

void Database::open(const fs::path& place, int flags) {
  sqlite3* handle = nullptr;
  // Absolute: "file:x" and ":memory:" are names like others.
  const int code = sqlite3_open_v2(fs::absolute(place).c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw_database_error(handle, code, file_);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  sqlite3_extended_result_codes(handle, 1);
  for (const auto& [option, on] :
       {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), std::pair(SQLITE_DBCONFIG_ENABLE_VIEW, 0)}) {
    sqlite3_db_config(handle, option, on, nullptr);
  }
}

bool Database::open_beside_writers() {
  std::error_code error;
  if (!fs::exists(beside(file_, "-shm"), error) || !fs::exists(beside(file_, "-wal"), error)) {
    return false;
  }
  try {
    open(file_, SQLITE_OPEN_READONLY);
    pragma("schema_version");  // the first to look into the log
    return true;
  } catch (const UsageError&) {  // it cannot, for want of a permission
    handle_.reset();
    return false;
  }
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw_database_error(handle_.get(), code, file_);
}

Statement& Database::statement(const std::string& sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) return known->second;
  return statements_.try_emplace(sql, handle_.get(), sql, file_).first->second;
}

std::int64_t Database::pragma(const std::string& name) {
  Statement query(handle_.get(), "PRAGMA " + name, file_);
  return query.step() ? query.integer(0) : 0;
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {
    // SQLite has rolled back by itself after what made us end here.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace bermuda
