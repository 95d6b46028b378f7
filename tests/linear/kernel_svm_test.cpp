#include "bermuda/linear/kernel_svm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bermuda/core/random.hpp"
#include "bermuda/linear/linear_trainer.hpp"

namespace bermuda {
namespace {

struct Points {
  SparseMatrix rows;
  std::vector<int> labels;
};

// Points in the plane that a line separates with some room.
Points separable(std::size_t count) {
  Points points;
  RandomStream random(5, Purpose::kTest);
  while (points.labels.size() < count) {
    const double x = random.uniform() * 2 - 1;
    const double y = random.uniform() * 2 - 1;
    const double side = x + 2 * y - 0.3;
    if (std::abs(side) < 0.2) continue;
    points.rows.add_row({{0, x}, {1, y}});
    points.labels.push_back(side > 0 ? 1 : 0);
  }
  return points;
}

TEST(KernelSvm, SeparatesWithItsMargin) {
  const Points points = separable(200);
  const KernelSvmTrainer trainer(points.rows, points.labels, 2);
  const LinearModel model = trainer.train(1e4, false);
  double smallest = 1e9;
  for (std::size_t i = 0; i < points.labels.size(); ++i) {
    const double score = model.scores(points.rows.row(i))[1] * (points.labels[i] == 1 ? 1 : -1);
    smallest = std::min(smallest, score);
  }
  EXPECT_NEAR(smallest, 1.0, 0.01) << "support vectors lie on the margin";
}

TEST(KernelSvm, AgreesWithTheLinearSolver) {
  const Points points = separable(300);
  const KernelSvmTrainer kernel(points.rows, points.labels, 2);
  const LinearTrainer linear(points.rows, points.labels, 2);
  std::vector<std::size_t> rows(points.labels.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const LinearModel a = kernel.train(100, false);
  const LinearModel b =
      linear.train(rows, {.loss = Loss::kSquaredHinge, .cost = 100, .tolerance = 1e-4});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(a.scores(points.rows.row(i))[1] > 0, b.scores(points.rows.row(i))[1] > 0);
  }
}

TEST(KernelSvm, ThreeClasses) {
  Points points;
  for (int i = 0; i < 60; ++i) {
    points.rows.add_row({{i % 3, 1.0}, {3, 0.1 * (i % 7)}});
    points.labels.push_back(i % 3);
  }
  const LinearModel model = KernelSvmTrainer(points.rows, points.labels, 3).train(10, true);
  for (std::size_t i = 0; i < 60; ++i) {
    const auto scores = model.scores(points.rows.row(i));
    EXPECT_EQ(std::max_element(scores.begin(), scores.end()) - scores.begin(), points.labels[i]);
  }
}

TEST(KernelSvm, OneClassOnlyIsCertain) {
  const Points points = separable(20);
  const LinearModel model =
      KernelSvmTrainer(points.rows, std::vector<int>(20, 1), 2).train(1, true);
  EXPECT_GT(model.scores(points.rows.row(0))[1], 10);
}

}  // namespace
}  // namespace bermuda
