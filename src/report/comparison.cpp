#include "comparison.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace bermuda {
namespace {

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

using PairTest = std::function<double(const MethodRuns&, const MethodRuns&)>;

Comparison compare_all(const std::string& data, std::string test,
                       const std::vector<MethodRuns>& methods, const PairTest& p_of) {
  Comparison comparison;
  comparison.data = data;
  comparison.test = std::move(test);
  std::vector<double> p_values;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    comparison.methods.push_back(methods[i].name);
    for (std::size_t j = i + 1; j < methods.size(); ++j) {
      p_values.push_back(p_of(methods[i], methods[j]));
    }
  }
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

using Right = std::unordered_map<int, bool>;  // by the graph's place

Right right_answers(const RunRecord& run) {
  Right right;
  for (const Answer& answer : run.result.answers) {
    right.emplace(answer.place, answer.said == answer.truth);
  }
  return right;
}

}  // namespace

double test_share_of(const RunResult& result) {
  return result.train_graphs == 0
             ? 0
             : static_cast<double>(result.test.count) / static_cast<double>(result.train_graphs);
}

Comparison compare_over_folds(const std::string& data, const std::vector<MethodRuns>& methods,
                              std::size_t least) {
  return compare_all(
      data, "corrected resampled t", methods, [&](const MethodRuns& a, const MethodRuns& b) {
        std::vector<double> differences;
        double test_share = 0;
        for (const auto& [fold, figure] : a.figures) {
          const auto other = b.figures.find(fold);
          if (other == b.figures.end()) continue;
          differences.push_back(figure - other->second);
          test_share = test_share_of(a.runs.at(fold)->result);
        }
        return differences.size() < least ? kNoFigure : corrected_t_test(differences, test_share);
      });
}

Comparison compare_by_graphs(const std::string& data, const std::vector<MethodRuns>& methods) {
  std::unordered_map<const RunRecord*, Right> right_of;
  for (const MethodRuns& method : methods) {
    for (const auto& [fold, run] : method.runs) right_of.emplace(run, right_answers(*run));
  }
  return compare_all(data, "McNemar", methods, [&](const MethodRuns& a, const MethodRuns& b) {
    std::unordered_set<int> judged;  // graphs that an earlier fold has tested count once
    std::size_t only_a = 0;
    std::size_t only_b = 0;
    for (const auto& [fold, run] : a.runs) {
      const auto other = b.runs.find(fold);
      if (other == b.runs.end()) continue;
      const Right& second = right_of.at(other->second);
      for (const auto& [place, right] : right_of.at(run)) {
        const auto twin = second.find(place);
        if (twin == second.end() || !judged.insert(place).second) continue;
        only_a += right && !twin->second ? 1U : 0U;
        only_b += !right && twin->second ? 1U : 0U;
      }
    }
    return judged.empty() ? kNoFigure : mcnemar_test(only_a, only_b);
  });
}

bool is_complete(const Comparison& comparison) {
  for (std::size_t i = 0; i < comparison.p.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::isnan(comparison.p[i][j])) return false;
    }
  }
  return true;
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
