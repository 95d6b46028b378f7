#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"

namespace bermuda {

/// Reads values of a TOML file, and says where they are not what they should be: InputError with
/// file and line.
class TomlReader {
 public:
  /// What parameters are set to, by name, as texts they understand.
  using Options = std::map<std::string, std::string>;

  /// A key of the name `also_known` is let through everywhere.
  explicit TomlReader(std::string file, std::string also_known = {})
      : file_(std::move(file)), also_known_(std::move(also_known)) {}

 protected:
  [[noreturn]] void fail(const toml::node* where, const std::string& found,
                         const std::string& expected) const {
    throw InputError(file_, where == nullptr ? 0 : static_cast<long>(where->source().begin.line),
                     found, expected);
  }

  /// A UsageError about the value under the key becomes one that names file and line.
  template <typename Body>
  auto usage_at(const toml::table& table, const char* key, const Body& body) const
      -> decltype(body()) {
    try {
      return body();
    } catch (const UsageError& error) {
      const toml::node* node = table.get(key);
      throw UsageError(fmt::format("{}:{}: {}", file_,
                                   (node == nullptr ? table.source() : node->source()).begin.line,
                                   error.what()));
    }
  }

  static long line_of(const toml::table& table, const std::string& key) {
    return static_cast<long>(table.get(key)->source().begin.line);
  }

  const toml::table& table_at(const toml::node& node) const {
    if (!node.is_table()) fail(&node, "something else", "a table");
    return *node.as_table();
  }

  const toml::table& section(const toml::table& parent, const char* key) const {
    const toml::node* node = parent.get(key);
    if (node == nullptr) fail(nullptr, fmt::format("no [{}]", key), "this section");
    return table_at(*node);
  }

  void check_keys(const toml::table& table, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, node] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      if (!also_known_.empty() && key.str() == also_known_) continue;
      const std::vector<std::string> names(known.begin(), known.end());
      fail(&node, in_quotes(key.str()),
           fmt::format("one of {}{}", fmt::join(names, ", "), did_you_mean(key.str(), names)));
    }
  }

  std::string text(const toml::table& table, const char* key, const std::string& otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    if (!node->is_string()) fail(node, fmt::format("{} of another kind", key), "a text");
    return node->as_string()->get();
  }

  template <typename Number>
  Number number(const toml::table& table, const char* key, Number otherwise, double low,
                double high = 1e18) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const double value = about(*node);
    const bool fits = value >= low && value <= high;
    if (!fits || (std::is_integral_v<Number> && !node->is_integer())) {
      fail(node, fmt::format("{} of another kind", key),
           fmt::format("a number from {} to {}", low, high));
    }
    if (node->is_integer()) return static_cast<Number>(node->as_integer()->get());
    return static_cast<Number>(node->as_floating_point()->get());
  }

  /// A number, integers rounded where they have too many digits (node.value<double>() has none of
  /// these); NaN for anything else.
  static double about(const toml::node& node) {
    if (node.is_integer()) return static_cast<double>(node.as_integer()->get());
    if (node.is_floating_point()) return node.as_floating_point()->get();
    return std::numeric_limits<double>::quiet_NaN();
  }

  bool flag(const toml::table& table, const char* key, bool otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    if (!node->is_boolean()) fail(node, fmt::format("{} of another kind", key), "true or false");
    return node->as_boolean()->get();
  }

  /// As it would stand on the command line.
  std::string value_text(const toml::node& node) const {
    if (node.is_string()) return node.as_string()->get();
    if (node.is_boolean()) return node.as_boolean()->get() ? "on" : "off";
    if (node.is_integer()) return fmt::format("{}", node.as_integer()->get());
    if (node.is_floating_point()) return fmt::format("{}", node.as_floating_point()->get());
    if (!node.is_array()) fail(&node, "something else", "a number, a text, true, false or a list");
    std::string list;
    for (const toml::node& item : *node.as_array()) {
      list += (list.empty() ? "" : ",") + value_text(item);
    }
    return list;
  }

  /// As JSON, for a program that is handed it as it is.
  nlohmann::ordered_json value_json(const toml::node& node) const {
    if (node.is_string()) return node.as_string()->get();
    if (node.is_boolean()) return node.as_boolean()->get();
    if (node.is_integer()) return node.as_integer()->get();
    if (node.is_floating_point() && std::isfinite(about(node))) return about(node);
    if (!node.is_array()) fail(&node, "something else", "a number, a text, true, false or a list");
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const toml::node& item : *node.as_array()) list.push_back(value_json(item));
    return list;
  }

  Options options(const toml::table& table, const char* key) const {
    Options out;
    const toml::node* node = table.get(key);
    if (node == nullptr) return out;
    for (const auto& [name, value] : table_at(*node)) {
      out[std::string(name.str())] = value_text(value);
    }
    return out;
  }

  std::vector<std::string> names(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (node->is_string()) return {node->as_string()->get()};
    std::vector<std::string> out;
    if (!node->is_array()) fail(node, fmt::format("{} of another kind", key), "a list of texts");
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_string()) fail(&item, fmt::format("{} of another kind", key), "a list of texts");
      out.push_back(item.as_string()->get());
    }
    return out;
  }

  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::string also_known_;
};

}  // namespace bermuda
