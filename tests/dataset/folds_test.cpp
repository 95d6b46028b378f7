#include "bermuda/dataset/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "bermuda/core/index.hpp"
#include "bermuda/core/random.hpp"

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

/// What folds and classes have in common: counts[fold][class].
std::vector<std::vector<int>> counts_of(const Folds& folds, const std::vector<int>& labels,
                                        int classes) {
  std::vector<std::vector<int>> counts(at(folds.count), std::vector<int>(at(classes), 0));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++counts[at(folds.fold_of[i])][at(labels[i])];
  }
  return counts;
}

void expect_groups_together(const Folds& folds, const std::vector<std::size_t>& groups) {
  std::map<std::size_t, int> fold_of_group;
  ASSERT_EQ(folds.fold_of.size(), groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    ASSERT_GE(folds.fold_of[i], 0);
    ASSERT_LT(folds.fold_of[i], folds.count);
    EXPECT_EQ(fold_of_group.emplace(groups[i], folds.fold_of[i]).first->second, folds.fold_of[i]);
  }
}

struct GroupedItems {
  std::vector<int> labels;
  std::vector<std::size_t> groups;
};

/// Groups of 1 to `most` items; now and then one whose items are of several classes.
GroupedItems some_items(std::uint64_t seed, int count, int classes, int most) {
  RandomStream random(seed, Purpose::kTest);
  GroupedItems items;
  std::size_t group = 0;
  while (static_cast<int>(items.labels.size()) < count) {
    const int size = random.below(3) > 0 ? 1 : random.between(1, most);
    const int label = random.between(0, classes - 1);
    const bool mixed = random.below(10) == 0;
    for (int i = 0; i < size; ++i) {
      items.labels.push_back(mixed ? random.between(0, classes - 1) : label);
      items.groups.push_back(group);
    }
    ++group;
  }
  // Members of a group do not stand together in a file.
  std::vector<std::size_t> order(items.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  GroupedItems shuffled;
  for (const std::size_t i : order) {
    shuffled.labels.push_back(items.labels[i]);
    shuffled.groups.push_back(items.groups[i]);
  }
  return shuffled;
}

TEST(GroupedFolds, KeepGroupsTogetherAndClassesEven) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const int classes = 2 + static_cast<int>(seed % 3);
    const GroupedItems items = some_items(seed, 600, classes, 6);
    const Folds folds = grouped_folds(items.labels, items.groups, classes, 10, seed);
    expect_groups_together(folds, items.groups);
    const auto counts = counts_of(folds, items.labels, classes);
    std::vector<int> sizes;
    for (const std::vector<int>& fold : counts) {
      sizes.push_back(std::accumulate(fold.begin(), fold.end(), 0));
    }
    const auto [least, most] = std::ranges::minmax(sizes);
    EXPECT_LE(most - least, 2) << seed;
    for (int c = 0; c < classes; ++c) {
      std::vector<int> of_class;
      for (const std::vector<int>& fold : counts) of_class.push_back(fold[at(c)]);
      const auto [fewest, greatest] = std::ranges::minmax(of_class);
      EXPECT_LE(greatest - fewest, 2) << seed;
    }
    EXPECT_EQ(folds.fold_of, grouped_folds(items.labels, items.groups, classes, 10, seed).fold_of);
    EXPECT_NE(folds.fold_of,
              grouped_folds(items.labels, items.groups, classes, 10, seed + 1).fold_of);
  }
}

TEST(GroupedFolds, OfSingleItemsAreTheStratifiedOnes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    GroupedItems items = some_items(seed, 400 + static_cast<int>(seed), 3, 1);
    const Folds folds = grouped_folds(items.labels, items.groups, 3, 10, seed);
    EXPECT_EQ(folds.fold_of, stratified_folds(items.labels, 3, 10, seed).fold_of);
  }
}

TEST(GroupedFolds, OneGiantGroupHasAFoldOfItsOwn) {
  GroupedItems items = some_items(1, 200, 2, 1);
  for (std::size_t& group : items.groups) group += 1;
  for (int i = 0; i < 300; ++i) {
    items.labels.push_back(i % 2);
    items.groups.push_back(0);
  }
  const Folds folds = grouped_folds(items.labels, items.groups, 2, 10, 1);
  expect_groups_together(folds, items.groups);
  for (const std::vector<int>& fold : counts_of(folds, items.labels, 2)) {
    const int size = fold[0] + fold[1];
    EXPECT_TRUE(size == 300 || size == 22 || size == 23) << size;
  }
  const std::vector<std::size_t> all_one(items.labels.size(), 7);
  expect_groups_together(grouped_folds(items.labels, all_one, 2, 10, 1), all_one);
  EXPECT_TRUE(grouped_folds({}, {}, 2, 10, 1).fold_of.empty());
}

}  // namespace
}  // namespace bermuda
