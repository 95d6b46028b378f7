#include "comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <unordered_set>

namespace bermuda {
namespace {

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

using PairTester = std::function<PairTest(const MethodRuns&, const MethodRuns&)>;

Comparison compare_all(const std::string& data, const std::vector<MethodRuns>& methods,
                       const PairTester& test) {
  Comparison comparison;
  comparison.data = data;
  std::vector<double> p_values;
  std::set<std::string> tests;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    comparison.methods.push_back(methods[i].name);
    for (std::size_t j = i + 1; j < methods.size(); ++j) {
      const PairTest found = test(methods[i], methods[j]);
      p_values.push_back(found.p);
      if (!std::isnan(found.p)) tests.insert(found.name);
    }
  }
  comparison.test = fmt::format("{}", fmt::join(tests, " or "));
  const std::vector<double> adjusted = holm(p_values);
  comparison.p.assign(methods.size(), std::vector<double>(methods.size(), kNoFigure));
  std::size_t next = 0;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    for (std::size_t j = i + 1; j < methods.size(); ++j) {
      comparison.p[i][j] = comparison.p[j][i] = adjusted[next++];
    }
  }
  return comparison;
}

/// By the graph's place: its class, and whether it was given that. In order, as of isomorphic
/// graphs the first counts.
using Right = std::map<int, std::pair<int, bool>>;

Right right_answers(const std::vector<Answer>& answers) {
  Right right;
  for (const Answer& answer : answers) {
    right.emplace(answer.place, std::pair(answer.truth, answer.said == answer.truth));
  }
  return right;
}

}  // namespace

Comparison compare_pairs(const std::string& data, const std::vector<MethodRuns>& methods,
                         ColumnStatistics& statistics) {
  return compare_all(data, methods, [&](const MethodRuns& a, const MethodRuns& b) {
    return statistics.compare(a, b);
  });
}

std::unordered_map<int, int> first_twins(const TwinPlaces& twins) {
  std::unordered_map<int, int> first;
  for (const std::vector<int>& group : twins) {
    const int lowest = *std::ranges::min_element(group);
    for (const int place : group) {
      if (place != lowest) first.emplace(place, lowest);
    }
  }
  return first;
}

Comparison compare_by_graphs(const std::string& data, const std::vector<MethodRuns>& methods,
                             const TwinPlaces& twins) {
  const std::unordered_map<int, int> first = first_twins(twins);
  std::unordered_map<const std::vector<Answer>*, Right> right_of;
  for (const MethodRuns& method : methods) {
    for (const auto& [place, run] : method.runs) {
      right_of.emplace(run.answers, right_answers(*run.answers));
    }
  }
  return compare_all(data, methods, [&](const MethodRuns& a, const MethodRuns& b) -> PairTest {
    std::unordered_set<int> judged;  // what was tested before, as itself or as a twin, counts once
    std::size_t only_a = 0;
    std::size_t only_b = 0;
    for (const auto& [place, run] : a.runs) {
      const auto other = b.runs.find(place);
      if (other == b.runs.end()) continue;
      const Right& second = right_of.at(other->second.answers);
      for (const auto& [graph, one] : right_of.at(run.answers)) {
        const auto twin = second.find(graph);
        if (twin == second.end() || twin->second.first != one.first) continue;
        const auto twin_before = first.find(graph);
        if (!judged.insert(twin_before == first.end() ? graph : twin_before->second).second)
          continue;
        only_a += one.second && !twin->second.second ? 1U : 0U;
        only_b += !one.second && twin->second.second ? 1U : 0U;
      }
    }
    const double difference = static_cast<double>(only_a) - static_cast<double>(only_b);
    return {judged.empty() ? kNoFigure : mcnemar_test(only_a, only_b), difference, "McNemar"};
  });
}

bool has_any(const Comparison& comparison) {
  for (std::size_t i = 0; i < comparison.p.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!std::isnan(comparison.p[i][j])) return true;
    }
  }
  return false;
}

}  // namespace bermuda
