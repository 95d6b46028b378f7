#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bermuda {

/// A compiled statement: bind, step, read; reset by the next bind of its first parameter.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql, const std::string& file);

  /// Fills the parameters, in order, and goes back to the start. A span fills one per number.
  template <typename... Values>
  Statement& with(const Values&... values) {
    reset();
    [[maybe_unused]] int place = 0;
    (put(place, values), ...);
    return *this;
  }
  bool step();  ///< whether there is a row
  void run();   ///< for statements without rows

  std::int64_t integer(int column) const { return sqlite3_column_int64(get(), column); }
  double real(int column) const;  ///< NULL reads as NaN
  std::string text(int column) const;
  int type(int column) const { return sqlite3_column_type(get(), column); }  ///< SQLITE_TEXT, ...
  bool is_null(int column) const { return type(column) == SQLITE_NULL; }
  const char* name(int column) const { return sqlite3_column_name(get(), column); }

 private:
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3_stmt* get() const { return statement_.get(); }
  void reset();
  template <typename Value>
  void put(int& place, const Value& value) {
    bind(++place, value);
  }
  void put(int& place, std::span<const double> values) {
    for (const double value : values) bind(++place, value);
  }
  void bind(int place, std::int64_t value);
  void bind(int place, int value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, std::size_t value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, double value);
  void bind(int place, std::string_view value);
  void bind(int place, const std::string& value) { bind(place, std::string_view(value)); }
  void bind(int place, const char* value) { bind(place, std::string_view(value)); }
  void bind(int place, std::nullptr_t);
  void check(int code) const;

  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
  std::string file_;
};

/// A file and what SQLite keeps beside it, copied into a folder of our own for as long as this
/// lives.
class PrivateCopy {
 public:
  explicit PrivateCopy(const std::filesystem::path& file);
  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;
  std::filesystem::path file() const { return folder_ / "store.sqlite"; }

 private:
  std::filesystem::path folder_;
};

/// A SQLite database. Nothing that its schema holds is run: views and triggers are off, functions
/// are not trusted. What goes wrong becomes one of our exceptions, with the file in it:
/// InputError for a damaged or foreign file, UsageError for one that may not be written, IoError
/// for the disk.
class Database {
 public:
  enum class Mode { kRead, kWrite, kCreate };
  Database(const std::filesystem::path& file, Mode mode);

  void execute(const std::string& sql);
  /// Compiled once and kept.
  Statement& statement(const std::string& sql);
  std::int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
  std::int64_t changes() const { return sqlite3_changes64(handle_.get()); }
  std::int64_t pragma(const std::string& name);
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  void open(const std::filesystem::path& place, int flags);
  bool open_beside_writers();

  std::string file_;
  std::unique_ptr<PrivateCopy> copy_;  // closed before it goes
  std::unique_ptr<sqlite3, Close> handle_;
  std::unordered_map<std::string, Statement> statements_;
};

/// Everything between construction and commit() happens or does not.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

[[noreturn]] void throw_database_error(sqlite3* handle, int code, const std::string& file);

}  // namespace bermuda
