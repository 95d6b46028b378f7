#include "bermuda/linear/cross_validation.hpp"

#include <gtest/gtest.h>

#include "bermuda/core/random.hpp"

namespace bermuda {
namespace {

TEST(CrossValidation, NoItemIsPredictedByAModelThatSawIt) {
  // Each item has a column of its own and a random class: only a model that saw it could know.
  SparseMatrix matrix;
  std::vector<int> labels;
  RandomStream random(3, Purpose::kTest);
  for (int i = 0; i < 200; ++i) {
    matrix.add_row({{i, 10.0}});
    labels.push_back(i < 100 ? 0 : 1);
  }
  random.shuffle(std::span(labels));
  const Folds folds = stratified_folds(labels, 2, 10, 1);
  const std::vector<int> predicted = cross_validate(matrix, labels, 2, folds, "test", {}).predicted;
  int right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += predicted[i] == labels[i] ? 1 : 0;
  EXPECT_LT(right, 130);
}

}  // namespace
}  // namespace bermuda
