#include "bermuda/core/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce it by itself

[[noreturn]] void refuse(const Setting& parameter, std::string_view text,
                         const std::string& expected) {
  throw UsageError(
      fmt::format("--{}: found {}, expected {}", parameter.name, in_quotes(text), expected));
}

template <typename Number>
Number checked_number(const Setting& parameter, std::string_view text, const char* kind) {
  const auto value = parse_number<Number>(trimmed(text));
  if (!value || !(static_cast<double>(*value) >= parameter.low) ||
      !(static_cast<double>(*value) <= parameter.high)) {
    refuse(parameter, text, fmt::format("{} in {}", kind, parameter.range_text()));
  }
  return *value;
}

std::string checked_choice(const Setting& parameter, std::string_view text) {
  const auto& choices = parameter.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    refuse(parameter, text,
           fmt::format("one of {}{}", fmt::join(choices, ", "), did_you_mean(text, choices)));
  }
  return std::string(text);
}

template <typename Item, typename Check>
std::vector<Item> checked_list(const Setting& parameter, std::string_view text, Check check) {
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

template <typename Item>
const Item& named(const std::vector<Item>& items, std::string_view name) {
  std::vector<std::string> known;  // spelt as the asker spells: on the command line, or as a key
  for (const Item& item : items) {
    if (item.name == name || item.key() == name) return item;
    known.push_back(name.find('-') == name.npos ? item.key() : item.name);
  }
  throw UsageError(
      fmt::format("no parameter named {}{}", in_quotes(name), did_you_mean_or_all(name, known)));
}

}  // namespace

Setting::Setting(std::string a_name, Target target, std::string a_help)
    : name(std::move(a_name)), help(std::move(a_help)), target_(target) {}

void Parameter::set(std::string_view text) const {
  const auto whole = [&] { return checked_number<int>(*this, text, "a whole number"); };
  const auto number = [&] { return checked_number<double>(*this, text, "a number"); };
  std::visit(
      Overloaded{[&](int* place) { *place = whole(); }, [&](double* place) { *place = number(); },
                 [&](std::optional<int>* place) { *place = whole(); },
                 [&](std::optional<double>* place) { *place = number(); },
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
      target_);
}

nlohmann::ordered_json Setting::value() const {
  const auto of_open = [](const auto* place) {
    return *place ? nlohmann::ordered_json(**place) : nlohmann::ordered_json();
  };
  return std::visit(Overloaded{[&](const std::optional<int>* place) { return of_open(place); },
                               [&](const std::optional<double>* place) { return of_open(place); },
                               [](const auto* place) { return nlohmann::ordered_json(*place); }},
                    target_);
}

std::string Setting::value_text() const {
  const auto of_open = [&](const auto* place) {
    return *place ? fmt::format("{}", **place) : when_open;
  };
  return std::visit(Overloaded{[](const bool* place) { return std::string(*place ? "on" : "off"); },
                               [](const std::string* place) { return *place; },
                               [](const std::vector<std::string>* place) {
                                 return fmt::format("{}", fmt::join(*place, ","));
                               },
                               [](const std::vector<double>* place) {
                                 return fmt::format("{}", fmt::join(*place, ","));
                               },
                               [&](const std::optional<int>* place) { return of_open(place); },
                               [&](const std::optional<double>* place) { return of_open(place); },
                               [](const auto* place) { return fmt::format("{}", *place); }},
                    target_);
}

std::string Setting::range_text() const {
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  const bool anything = is_flag() || std::holds_alternative<std::string*>(target_) ||
                        std::holds_alternative<std::vector<std::string>*>(target_);
  return anything ? std::string() : fmt::format("{}..{}", low, high);
}

std::string Setting::key() const {
  std::string key = name;
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

bool Setting::is_open() const {
  return std::visit(
      Overloaded{[](const std::optional<int>* place) { return !place->has_value(); },
                 [](const std::optional<double>* place) { return !place->has_value(); },
                 [](const auto*) { return false; }},
      target_);
}

const Setting& Settings::get(std::string_view name) const { return named(settings_, name); }

nlohmann::ordered_json Settings::values() const {
  auto values = nlohmann::ordered_json::object();
  for (const Setting& setting : settings_) values[setting.key()] = setting.value();
  return values;
}

Parameter& ParameterSet::append(std::string name, Setting::Target target, std::string help) {
  return parameters_.emplace_back(Parameter(std::move(name), target, std::move(help)));
}

ParameterSet& ParameterSet::append_number(std::string name, Setting::Target target, double low,
                                          double high, std::string help, std::string when_open) {
  Parameter& parameter = append(std::move(name), target, std::move(help));
  parameter.low = low;
  parameter.high = high;
  parameter.when_open = std::move(when_open);
  return *this;
}

ParameterSet& ParameterSet::append_text(std::string name, Setting::Target target,
                                        std::vector<std::string> choices, std::string help) {
  append(std::move(name), target, std::move(help)).choices = std::move(choices);
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, int& target, int low, int high,
                                std::string help) {
  return append_number(std::move(name), &target, low, high, std::move(help));
}

ParameterSet& ParameterSet::add(std::string name, double& target, double low, double high,
                                std::string help) {
  return append_number(std::move(name), &target, low, high, std::move(help));
}

ParameterSet& ParameterSet::add(std::string name, std::vector<double>& target, double low,
                                double high, std::string help) {
  return append_number(std::move(name), &target, low, high, std::move(help));
}

ParameterSet& ParameterSet::add(std::string name, std::optional<int>& target, int low, int high,
                                std::string help, std::string when_open) {
  return append_number(std::move(name), &target, low, high, std::move(help), std::move(when_open));
}

ParameterSet& ParameterSet::add(std::string name, std::optional<double>& target, double low,
                                double high, std::string help, std::string when_open) {
  return append_number(std::move(name), &target, low, high, std::move(help), std::move(when_open));
}

ParameterSet& ParameterSet::add(std::string name, bool& target, std::string help) {
  append(std::move(name), &target, std::move(help));
  return *this;
}

ParameterSet& ParameterSet::add(std::string name, std::string& target,
                                std::vector<std::string> choices, std::string help) {
  return append_text(std::move(name), &target, std::move(choices), std::move(help));
}

ParameterSet& ParameterSet::add(std::string name, std::vector<std::string>& target,
                                std::vector<std::string> choices, std::string help) {
  return append_text(std::move(name), &target, std::move(choices), std::move(help));
}

ParameterSet& ParameterSet::only_stops() {
  parameters_.back().only_stops = true;
  return *this;
}

const Parameter& ParameterSet::get(std::string_view name) const { return named(parameters_, name); }

Settings Configurable::settings() const {
  // The parameters are bound to this object, which is not const in them; Settings cannot change it.
  return const_cast<Configurable*>(this)->parameters().settings();
}

}  // namespace bermuda
