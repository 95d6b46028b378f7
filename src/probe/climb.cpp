#include "climb.hpp"

#include <utility>

namespace bermuda {

Climb::Climb(std::span<const int> labels, int classes, Folds folds, const Execution& execution)
    : labels_(labels), classes_(classes), folds_(std::move(folds)), execution_(execution) {}

const Climb::Step& Climb::ask(const Rung& rung) {
  execution_.check_stop();
  const SparseMatrix matrix = make_features(rung, labels_.size(), execution_).matrix;
  Step step{cross_validate(matrix, labels_, classes_, folds_, rung.name, execution_),
            matrix.columns};
  for (const std::string& name : rung.contains) leave_folds(steps_.at(name), step);
  return steps_.insert_or_assign(rung.name, std::move(step)).first->second;
}

void Climb::leave_folds(const Step& contained, Step& step) const {
  for (std::size_t fold = 0; fold < step.found.losses.size(); ++fold) {
    if (contained.found.losses[fold] >= step.found.losses[fold]) continue;
    step.found.losses[fold] = contained.found.losses[fold];
    for (std::size_t item = 0; item < labels_.size(); ++item) {
      if (folds_.fold_of[item] != static_cast<int>(fold)) continue;
      step.found.predicted[item] = contained.found.predicted[item];
    }
  }
}

}  // namespace bermuda
