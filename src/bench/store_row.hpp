#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "database.hpp"

namespace bermuda {

/// The row that a query stands at. SQLite keeps anything in any column, and the store may be
/// somebody else's: each value is checked, and what is wrong named with its table and column.
class StoreRow {
 public:
  StoreRow(const Statement& query, std::string file, std::string table)
      : query_(query), file_(std::move(file)), table_(std::move(table)) {}

  [[noreturn]] void refuse(int column, const std::string& found,
                           const std::string& expected) const {
    throw InputError(file_, 0, fmt::format("{} in {}.{}", found, table_, query_.name(column)),
                     expected);
  }
  std::int64_t number(int column) const {
    if (query_.type(column) != SQLITE_INTEGER) {
      refuse(column, in_quotes(query_.text(column)), "a whole number");
    }
    return query_.integer(column);
  }
  std::int64_t count(int column) const {
    const std::int64_t value = number(column);
    if (value < 0) refuse(column, fmt::format("{}", value), "0 or more");
    return value;
  }
  int small(int column, int high = std::numeric_limits<int>::max()) const {
    const std::int64_t value = number(column);
    if (value < 0 || value > high) {
      refuse(column, fmt::format("{}", value), fmt::format("0 to {}", high));
    }
    return static_cast<int>(value);
  }
  /// NaN where there is none.
  double real(int column) const {
    const int type = query_.type(column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER && type != SQLITE_NULL) {
      refuse(column, in_quotes(query_.text(column)), "a number");
    }
    return query_.real(column);
  }
  /// Empty where there is none.
  std::string text(int column) const {
    if (query_.type(column) != SQLITE_TEXT && query_.type(column) != SQLITE_NULL) {
      refuse(column, in_quotes(query_.text(column)), "a text");
    }
    std::string text = query_.text(column);
    try {
      json_text(text, -1);
    } catch (const UsageError&) {
      refuse(column, in_quotes(text), "UTF-8 text");
    }
    return text;
  }
  nlohmann::ordered_json json(int column) const {
    return parse_json(text(column), fmt::format("{}: {}.{}", file_, table_, query_.name(column)),
                      0);
  }
  std::vector<std::string> strings(int column) const {
    std::vector<std::string> all;
    in_column(column, [&] {
      for (const nlohmann::ordered_json& item : array(column))
        all.push_back(string_of(item, "a name"));
    });
    return all;
  }
  nlohmann::ordered_json object(int column) const {
    nlohmann::ordered_json value = json(column);
    in_column(column, [&] { object_of(value, "an object"); });
    return value;
  }
  nlohmann::ordered_json array(int column) const {
    nlohmann::ordered_json value = json(column);
    if (!value.is_array()) refuse(column, value.type_name(), "a list");
    return value;
  }
  /// Does what makes something of a column; its errors are about that column.
  template <typename Body>
  void in_column(int column, const Body& body) const {
    try {
      body();
    } catch (const InputError&) {
      throw;
    } catch (const nlohmann::ordered_json::exception& error) {
      refuse(column, fmt::format("something else ({})", error.what()), "what bench writes there");
    } catch (const Error& error) {
      refuse(column, error.what(), "what bench writes there");
    }
  }

 private:
  const Statement& query_;
  std::string file_;
  std::string table_;
};

}  // namespace bermuda
