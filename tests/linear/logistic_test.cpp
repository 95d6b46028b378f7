#include "bermuda/linear/logistic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/linear/linear_trainer.hpp"

namespace bermuda {
namespace {

struct Items {
  PresenceRows rows;
  std::vector<int> labels;
};

// Column c stands in a row with probability 1 / (1 + c / 4): some are frequent, most are rare, and
// a few have never been seen. How strongly they speak for a class is drawn.
Items draw_items(std::size_t count, std::uint32_t columns, double strength, std::uint64_t seed) {
  Items items;
  items.rows.columns = columns;
  RandomStream random(seed, Purpose::kTest);
  std::vector<double> truth(columns);
  for (double& value : truth) value = strength * (2 * random.uniform() - 1);
  std::vector<std::uint32_t> row;
  for (std::size_t i = 0; i < count; ++i) {
    row.clear();
    double score = 0;
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (random.uniform() * (1 + 0.25 * column) >= 1) continue;
      row.push_back(column);
      score += truth[column];
    }
    items.rows.add_row(row);
    items.labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : 0);
  }
  return items;
}

RowCounts counts_of(const Items& items) {
  RowCounts counts;
  counts.total.assign(items.labels.size(), 1.0);
  counts.ones.assign(items.labels.begin(), items.labels.end());
  return counts;
}

// |w|^2 / 2 + C sum log(1 + exp(-y s)): the slow way, in the C library's arithmetic.
double objective(const Items& items, const std::vector<double>& weights, double cost) {
  double sum = 0;
  for (std::size_t i = 0; i < items.labels.size(); ++i) {
    double score = weights.back();
    for (const std::uint32_t column : items.rows.row(i)) score += weights[column];
    const double margin = items.labels[i] == 1 ? score : -score;
    sum += std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
  }
  return 0.5 * std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0) +
         cost * sum;
}

std::vector<double> by_liblinear(const Items& items, double cost) {
  SparseMatrix matrix;
  matrix.columns = static_cast<int>(items.rows.columns);
  for (std::size_t i = 0; i < items.labels.size(); ++i) {
    std::vector<SparseMatrix::Entry> row;
    for (const std::uint32_t c : items.rows.row(i)) row.push_back({static_cast<int>(c), 1.0});
    matrix.add_row(std::move(row));
  }
  matrix.columns = static_cast<int>(items.rows.columns);
  std::vector<std::size_t> all(items.labels.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const LinearTrainer trainer(matrix, items.labels, 2);
  return trainer.train(all, {.cost = cost, .tolerance = 1e-8}).weights[0];
}

TEST(PortableLogisticRegression, ReachesWhatLiblinearReaches) {
  struct Case {
    std::size_t items;
    std::uint32_t columns;
    double strength, cost;
  };
  // Weak and strong clues, nearly separable ones, more columns than rows, more than are factored.
  for (const Case& c :
       {Case{2000, 40, 0.5, 1.0}, Case{2000, 40, 8.0, 100.0}, Case{50, 300, 2, 1},
        Case{3000, 1500, 1.0, 1.0}, Case{3000, 1500, 4.0, 10.0}, Case{500, 20, 1.0, 1e-3}}) {
    const Items items = draw_items(c.items, c.columns, c.strength, 7);
    const LogisticFit fit =
        fit_logistic(items.rows, counts_of(items), {.cost = c.cost, .tolerance = 1e-7}, {});
    const std::vector<double> reference = by_liblinear(items, c.cost);
    const double best = objective(items, reference, c.cost);
    EXPECT_NEAR(objective(items, fit.weights, c.cost), best, 1e-6 * best);
    ASSERT_EQ(fit.weights.size(), reference.size());
    for (std::size_t i = 0; i < reference.size(); ++i) {
      EXPECT_NEAR(fit.weights[i], reference[i], 2e-3) << i << " of " << c.columns;
    }
  }
}

TEST(PortableLogisticRegression, MergedRowsAreTheSameTask) {
  const Items items = draw_items(4000, 8, 1.0, 3);
  const DistinctRows merged = merge_equal_rows(items.rows);
  ASSERT_LT(merged.rows.rows(), 300U);
  RowCounts counts{std::vector<double>(merged.rows.rows(), 0), {}};
  counts.ones = counts.total;
  for (std::size_t i = 0; i < items.labels.size(); ++i) {
    ASSERT_TRUE(std::ranges::equal(merged.rows.row(merged.row_of[i]), items.rows.row(i)));
    counts.total[merged.row_of[i]] += 1;
    counts.ones[merged.row_of[i]] += items.labels[i];
  }
  const LogisticOptions exact{.tolerance = 1e-9};
  const LogisticFit one = fit_logistic(items.rows, counts_of(items), exact, {});
  const LogisticFit other = fit_logistic(merged.rows, counts, exact, {});
  for (std::size_t i = 0; i < one.weights.size(); ++i) {
    EXPECT_NEAR(one.weights[i], other.weights[i], 1e-7);
  }
}

TEST(PortableLogisticRegression, AStartEndsAtTheSamePlace) {
  const Items items = draw_items(4000, 60, 1.0, 3);
  RowCounts half = counts_of(items);
  for (std::size_t i = 0; i < 1500; ++i) half.total[i] = half.ones[i] = 0;
  const LogisticOptions exact{.tolerance = 1e-9};
  const LogisticFit first = fit_logistic(items.rows, half, exact, {});
  const LogisticFit cold = fit_logistic(items.rows, counts_of(items), exact, {});
  const LogisticFit warm = fit_logistic(items.rows, counts_of(items), exact, {}, &first);
  for (std::size_t i = 0; i < cold.weights.size(); ++i) {
    EXPECT_NEAR(cold.weights[i], warm.weights[i], 1e-7);
  }
}

TEST(PortableLogisticRegression, OneClassNoRowsAndNoColumns) {
  Items items = draw_items(100, 10, 1.0, 5);
  std::ranges::fill(items.labels, 1);
  const LogisticFit sure = fit_logistic(items.rows, counts_of(items), {}, {});
  EXPECT_GT(sure.score(items.rows.row(0)), 1.0);
  EXPECT_EQ(fit_logistic({}, {}, {}, {}).weights, std::vector<double>{0.0});
  PresenceRows bare;
  bare.add_row({});
  const LogisticFit shares = fit_logistic(bare, {{4e6}, {3e6}}, {.tolerance = 1e-9}, {});
  EXPECT_NEAR(shares.weights[0], std::log(3.0), 1e-5);
}

TEST(PortableLogisticRegression, StopsWhenAsked) {
  const Items items = draw_items(1000, 10, 1.0, 5);
  const std::atomic<bool> stop = true;
  Execution execution;
  execution.stop = &stop;
  EXPECT_THROW(fit_logistic(items.rows, counts_of(items), {}, execution), Interrupted);
}

// The bits themselves, whatever compiler, optimisation or processor: labels come from integers, so
// that nothing else in this test can round.
TEST(PortableLogisticRegression, BitsArePinned) {
  PresenceRows rows;
  rows.columns = 1100;  // some are outside of the factored block
  RowCounts counts;
  RandomStream random(11, Purpose::kTest);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint32_t> row;
    for (int k = 0; k < 12; ++k) {
      const int most = k < 6 ? 60 : 1099;
      row.push_back(static_cast<std::uint32_t>(random.between(0, most)));
    }
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    rows.add_row(row);
    counts.total.push_back(random.between(0, 3));
    counts.ones.push_back(random.between(0, row[0] < 10 ? 3 : 1));
    counts.ones.back() = std::min(counts.ones.back(), counts.total.back());
  }
  const LogisticFit fit = fit_logistic(rows, counts, {}, {});
  const LogisticFit again = fit_logistic(rows, counts, {.cost = 0.5}, {}, &fit);
  std::uint64_t hash = 0;
  for (const LogisticFit* one : {&fit, &again}) {
    for (const double weight : one->weights) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(weight)) * 0x9e3779b97f4a7c15U;
    }
  }
  EXPECT_EQ(hash, 0x71c242f65675ce7eU);
}

}  // namespace
}  // namespace bermuda
