#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/method/told_apart.hpp"

namespace bermuda::app {

/// What one method could tell; neither figure where it was not asked.
struct ExpressivityRow {
  std::string method;  ///< with its options, as it was asked for
  std::optional<ToldApart> pairs;
  std::optional<SeenClasses> classes;
  std::string not_asked;  ///< why
};

/// Methods by categories of pairs: how many of them are told apart.
std::string pairs_text(const GraphPairs& pairs, const std::vector<ExpressivityRow>& rows);
nlohmann::ordered_json pairs_json(const GraphPairs& pairs,
                                  const std::vector<ExpressivityRow>& rows);

/// What the best function of a method's view has right.
std::string classes_text(const std::vector<ExpressivityRow>& rows);
nlohmann::ordered_json classes_json(const std::vector<ExpressivityRow>& rows);

/// Pairs of the control that a method took for different graphs.
std::size_t false_alarms(const std::vector<ExpressivityRow>& rows);

}  // namespace bermuda::app
