#include "bermuda/dataset/folds.hpp"

#include <gtest/gtest.h>

namespace bermuda {
namespace {

TEST(StratifiedFolds, EveryFoldHasItsShareOfEveryClass) {
  std::vector<int> labels;
  for (int i = 0; i < 103; ++i) labels.push_back(i < 40 ? 0 : i < 70 ? 1 : 2);
  const Folds folds = stratified_folds(labels, 3, 10, 1);
  std::vector<std::vector<int>> counts(10, std::vector<int>(3, 0));
  std::vector<int> sizes(10, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++counts[static_cast<std::size_t>(folds.fold_of[i])][static_cast<std::size_t>(labels[i])];
    ++sizes[static_cast<std::size_t>(folds.fold_of[i])];
  }
  for (std::size_t fold = 0; fold < 10; ++fold) {
    EXPECT_EQ(counts[fold][0], 4);
    EXPECT_EQ(counts[fold][1], 3);
    EXPECT_TRUE(sizes[fold] == 10 || sizes[fold] == 11);
  }
  EXPECT_EQ(folds.fold_of, stratified_folds(labels, 3, 10, 1).fold_of);
  EXPECT_NE(folds.fold_of, stratified_folds(labels, 3, 10, 2).fold_of);
}

}  // namespace
}  // namespace bermuda
