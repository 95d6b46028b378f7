#include "bermuda/linear/narrow_svm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "bermuda/core/random.hpp"
#include "bermuda/linear/kernel_svm.hpp"
#include "bermuda/linear/linear_trainer.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace bermuda {
namespace {

struct OverlappingRows {
  SparseMatrix rows;
  std::vector<int> labels;
};

// Classes that overlap, on features far from zero.
OverlappingRows overlapping(std::size_t count, int columns, int classes) {
  OverlappingRows problem;
  RandomStream random(9, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    const int label = static_cast<int>(i) % classes;
    std::vector<SparseMatrix::Entry> row;
    for (int c = 0; c < columns; ++c) {
      row.push_back({c, 3 + random.uniform() + (c == label ? 0.4 : 0.0)});
    }
    problem.rows.add_row(row);
    problem.labels.push_back(label);
  }
  return problem;
}

double hinge_objective(const LinearModel& model, const OverlappingRows& problem, double cost) {
  double value = 0;
  for (std::size_t k = 0; k + 1 < model.weights[0].size(); ++k) {
    value += model.weights[0][k] * model.weights[0][k] / 2;
  }
  for (std::size_t i = 0; i < problem.labels.size(); ++i) {
    const double score = model.scores(problem.rows.row(i))[1];
    value += cost * std::max(0.0, 1 - (problem.labels[i] == 1 ? score : -score));
  }
  return value;
}

TEST(NarrowSvm, ReachesTheOptimumOfLibsvm) {
  const OverlappingRows problem = overlapping(150, 4, 2);
  const NarrowSvmTrainer narrow(problem.rows, problem.labels, 2);
  const KernelSvmTrainer kernel(problem.rows, problem.labels, 2);
  for (const double cost : {1e-3, 0.1, 1.0, 10.0}) {
    const double found = hinge_objective(narrow.train(cost, false), problem, cost);
    const double expected = hinge_objective(kernel.train(cost, false), problem, cost);
    EXPECT_NEAR(found, expected, 2e-3 * expected) << cost;
    EXPECT_LE(found, expected * (1 + 1e-6)) << cost;
  }
}

TEST(NarrowSvm, LargeCostsTakeNoLonger) {
  const OverlappingRows problem = overlapping(600, 5, 3);
  const NarrowSvmTrainer trainer(problem.rows, problem.labels, 3);
  const LinearModel a = trainer.train(1e3, false);
  const LinearModel b = trainer.train(1e6, true);
  ASSERT_EQ(a.weights.size(), 3u);
  for (const LinearModel& model : {a, b}) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
      const std::vector<double> scores = model.scores(problem.rows.row(i));
      const auto said = std::ranges::max_element(scores) - scores.begin();
      right += said == problem.labels[i] ? 1u : 0u;
      for (const double score : scores) ASSERT_TRUE(std::isfinite(score));
    }
    EXPECT_GT(right, 330u);  // a third by chance
  }
}

TEST(NarrowSvm, SeparableDataAndOneFeature) {
  SparseMatrix rows;
  for (const double x : {1.0, 2.0, 4.0, 5.0}) rows.add_row({{0, x}});
  const std::vector<int> labels{0, 0, 1, 1};
  const LinearModel model = NarrowSvmTrainer(rows, labels, 2).train(1e4, false);
  EXPECT_NEAR(model.weights[0][0], 1, 1e-3);
  EXPECT_NEAR(model.weights[0][1], -3, 1e-3);
}

TEST(NarrowSvm, EqualRowsAndEmptyColumns) {
  SparseMatrix rows;
  rows.columns = 3;
  for (int i = 0; i < 20; ++i) rows.add_row({{1, 2.0}});
  rows.columns = 3;
  std::vector<int> labels(20, 0);
  labels[3] = 1;
  const LinearModel model = NarrowSvmTrainer(rows, labels, 2).train(1000, false);
  EXPECT_LT(model.scores(rows.row(0))[1], 0);
}

/// Raises a flag after some milliseconds.
template <typename Work>
void expect_training_stops(Work work) {
  std::atomic<bool> stop{false};
  const std::jthread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  const Execution execution{.stop = &stop};
  EXPECT_THROW(work(execution), Interrupted);
}

TEST(Training, CanBeStopped) {
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler
      not_given_back;  // what the libraries hold when we throw through them
#endif
  const OverlappingRows problem = overlapping(800, 5, 2);
  const KernelSvmTrainer kernel(problem.rows, problem.labels, 2);
  expect_training_stops([&](const Execution& execution) { kernel.train(1e6, false, execution); });
  const LinearTrainer linear(problem.rows, problem.labels, 2);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < problem.labels.size(); ++i) rows.push_back(i);
  expect_training_stops([&](const Execution& execution) {
    for (;;) {
      linear.train(
          rows, {.loss = Loss::kSquaredHinge, .cost = 1e6, .tolerance = 1e-9, .stop = execution});
    }
  });
  expect_training_stops([&](const Execution& execution) {
    for (;;) gram_matrix(problem.rows, problem.rows, execution);
  });
}

}  // namespace
}  // namespace bermuda
