#include "bermuda/core/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce it by itself

[[noreturn]] void refuse(const Parameter& parameter, std::string_view text,
                         const std::string& expected) {
  throw UsageError(
      fmt::format("--{}: found {}, expected {}", parameter.name, in_quotes(text), expected));
}

template <typename Number>
Number checked_number(const Parameter& parameter, std::string_view text, const char* kind) {
  const auto value = parse_number<Number>(trimmed(text));
  if (!value || !(static_cast<double>(*value) >= parameter.low) ||
      !(static_cast<double>(*value) <= parameter.high)) {
    refuse(parameter, text, fmt::format("{} in {}", kind, parameter.range_text()));
  }
  return *value;
}

std::string checked_choice(const Parameter& parameter, std::string_view text) {
  const auto& choices = parameter.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    refuse(parameter, text, fmt::format("one of {}", fmt::join(choices, ", ")));
  }
  return std::string(text);
}

template <typename Item, typename Check>
std::vector<Item> checked_list(const Parameter& parameter, std::string_view text, Check check) {
  std::vector<Item> items;
  for (const std::string_view field : split_fields(text, ',')) {
    Item item = check(trimmed(field));
    if (std::find(items.begin(), items.end(), item) != items.end()) {
      refuse(parameter, text, "each value once");
    }
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

void Parameter::set(std::string_view text) const {
  std::visit(
      Overloaded{[&](int* place) { *place = checked_number<int>(*this, text, "a whole number"); },
                 [&](double* place) { *place = checked_number<double>(*this, text, "a number"); },
                 [&](bool* place) {
                   if (text != "on" && text != "off" && text != "true" && text != "false") {
                     refuse(*this, text, "on or off");
                   }
                   *place = text == "on" || text == "true";
                 },
                 [&](std::string* place) { *place = checked_choice(*this, text); },
                 [&](std::vector<std::string>* place) {
                   *place = checked_list<std::string>(*this, text, [&](std::string_view field) {
                     return checked_choice(*this, field);
                   });
                 },
                 [&](std::vector<double>* place) {
                   *place = checked_list<double>(*this, text, [&](std::string_view field) {
                     return checked_number<double>(*this, field, "numbers");
                   });
                 }},
      target);
}

nlohmann::ordered_json Parameter::value() const {
  return std::visit([](const auto* place) { return nlohmann::ordered_json(*place); }, target);
}

std::string Parameter::value_text() const {
  return std::visit(Overloaded{[](const bool* place) { return std::string(*place ? "on" : "off"); },
                               [](const std::string* place) { return *place; },
                               [](const std::vector<std::string>* place) {
                                 return fmt::format("{}", fmt::join(*place, ","));
                               },
                               [](const std::vector<double>* place) {
                                 return fmt::format("{}", fmt::join(*place, ","));
                               },
                               [](const auto* place) { return fmt::format("{}", *place); }},
                    target);
}

std::string Parameter::range_text() const {
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  const bool number = std::holds_alternative<int*>(target) ||
                      std::holds_alternative<double*>(target) ||
                      std::holds_alternative<std::vector<double>*>(target);
  return number ? fmt::format("{}..{}", low, high) : std::string();
}

std::string Parameter::key() const {
  std::string key = name;
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

ParameterSet& ParameterSet::add(std::string name, int& target, int low, int high,
                                std::string help) {
  parameters_.push_back({std::move(name),
                         std::move(help),
                         &target,
                         static_cast<double>(low),
                         static_cast<double>(high),
                         {}});
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, double& target, double low, double high,
                                std::string help) {
  parameters_.push_back({std::move(name), std::move(help), &target, low, high, {}});
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, bool& target, std::string help) {
  parameters_.push_back({std::move(name), std::move(help), &target, 0, 0, {}});
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, std::string& target,
                                std::vector<std::string> choices, std::string help) {
  parameters_.push_back({std::move(name), std::move(help), &target, 0, 0, std::move(choices)});
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, std::vector<std::string>& target,
                                std::vector<std::string> choices, std::string help) {
  parameters_.push_back({std::move(name), std::move(help), &target, 0, 0, std::move(choices)});
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, std::vector<double>& target, double low,
                                double high, std::string help) {
  parameters_.push_back({std::move(name), std::move(help), &target, low, high, {}});
  return *this;
}

ParameterSet& ParameterSet::only_stops() {
  parameters_.back().only_stops = true;
  return *this;
}

const Parameter& ParameterSet::get(std::string_view name) const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name || parameter.key() == name) return parameter;
  }
  throw UsageError(fmt::format("no parameter named {}", in_quotes(name)));
}

nlohmann::ordered_json ParameterSet::values() const {
  auto values = nlohmann::ordered_json::object();
  for (const Parameter& parameter : parameters_) values[parameter.key()] = parameter.value();
  return values;
}

}  // namespace bermuda
