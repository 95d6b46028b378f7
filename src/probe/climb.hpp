#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/linear/cross_validation.hpp"
#include "ladder.hpp"

namespace bermuda {

/// Asks one rung after another.
class Climb {
 public:
  struct Step {
    CrossValidation found;
    int features = 0;
  };

  /// Keeps references to labels and execution.
  Climb(std::span<const int> labels, int classes, Folds folds, const Execution& execution);

  /// What the rung says of each graph. More features may mislead a model of few graphs, so a fold
  /// is left to a rung that this one contains where that did better on the graphs by which C is
  /// chosen: parts of the other folds. So a rung is not far below one that it contains; of these
  /// all must have been asked before. The answer stays where it is.
  const Step& ask(const Rung& rung);
  /// Of a rung that was asked.
  const Step& said_by(const std::string& rung) const { return steps_.at(rung); }

 private:
  void leave_folds(const Step& contained, Step& step) const;

  std::span<const int> labels_;
  int classes_;
  Folds folds_;
  const Execution& execution_;
  std::map<std::string, Step> steps_;
};

}  // namespace bermuda
