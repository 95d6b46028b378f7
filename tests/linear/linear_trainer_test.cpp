#include "bermuda/linear/linear_trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bermuda/core/random.hpp"

namespace bermuda {
namespace {

struct Problem {
  SparseMatrix matrix;
  std::vector<int> labels;
  std::vector<std::size_t> rows;
};

// Labels drawn from a known logistic model over a few binary columns.
Problem random_problem(std::size_t count, int classes) {
  Problem problem;
  RandomStream random(3, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<SparseMatrix::Entry> row;
    double score = -0.5;
    for (int column = 0; column < 6; ++column) {
      if (random.uniform() < 0.5) continue;
      row.push_back({column, 1.0 + 0.1 * column});
      score += column % 2 == 0 ? 0.9 : -0.7;
    }
    problem.matrix.add_row(std::move(row));
    const bool one = random.uniform() < 1 / (1 + std::exp(-score));
    problem.labels.push_back(classes == 2 ? one : static_cast<int>(i) % classes);
  }
  problem.rows.resize(count);
  std::iota(problem.rows.begin(), problem.rows.end(), std::size_t{0});
  return problem;
}

// Gradient of 0.5 |w|^2 + C sum log(1 + exp(-y w.x)), intercept included.
double gradient_norm(const Problem& problem, const LinearModel& model, double cost) {
  std::vector<double> gradient = model.weights[0];
  for (const std::size_t i : problem.rows) {
    const double p = model.probability_of_one(problem.matrix.row(i));
    const double factor = cost * (p - problem.labels[i]);
    for (const auto& entry : problem.matrix.row(i)) {
      gradient[static_cast<std::size_t>(entry.column)] += factor * entry.value;
    }
    gradient.back() += factor;
  }
  return std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
}

TEST(Logistic, ReachesTheOptimum) {
  const Problem problem = random_problem(2000, 2);
  const LinearTrainer trainer(problem.matrix, problem.labels, 2);
  const LinearModel model = trainer.train(problem.rows, {.cost = 0.5, .tolerance = 1e-8});
  EXPECT_LT(gradient_norm(problem, model, 0.5), 1e-4);
}

TEST(Logistic, WarmStartEndsAtTheSameOptimum) {
  const Problem problem = random_problem(2000, 2);
  const LinearTrainer trainer(problem.matrix, problem.labels, 2);
  const std::vector<std::size_t> half(problem.rows.begin(), problem.rows.begin() + 1000);
  const LinearModel first = trainer.train(half, {});
  const LinearModel cold = trainer.train(problem.rows, {.tolerance = 1e-9});
  const LinearModel warm = trainer.train(problem.rows, {.tolerance = 1e-9, .start = &first});
  for (std::size_t i = 0; i < cold.weights[0].size(); ++i) {
    EXPECT_NEAR(cold.weights[0][i], warm.weights[0][i], 1e-5);
  }
}

TEST(Logistic, SignDoesNotDependOnWhichClassComesFirst) {
  Problem problem = random_problem(500, 2);
  const LinearTrainer trainer(problem.matrix, problem.labels, 2);
  const LinearModel forward = trainer.train(problem.rows, {.tolerance = 1e-9});
  std::reverse(problem.rows.begin(), problem.rows.end());
  const LinearModel backward = trainer.train(problem.rows, {.tolerance = 1e-9});
  for (std::size_t i = 0; i < forward.weights[0].size(); ++i) {
    EXPECT_NEAR(forward.weights[0][i], backward.weights[0][i], 1e-5);
  }
}

TEST(Logistic, OneClassOnlyIsCertain) {
  const Problem problem = random_problem(20, 2);
  const std::vector<int> ones(20, 1);
  const LinearTrainer trainer(problem.matrix, ones, 2);
  const LinearModel model = trainer.train(problem.rows, {});
  EXPECT_GT(model.probability_of_one(problem.matrix.row(0)), 0.999);
}

TEST(Logistic, ManyClassesGiveProbabilities) {
  Problem problem;
  for (int i = 0; i < 90; ++i) {
    problem.matrix.add_row({{i % 3, 1.0}});
    problem.labels.push_back(i % 3);
    problem.rows.push_back(static_cast<std::size_t>(i));
  }
  const LinearTrainer trainer(problem.matrix, problem.labels, 3);
  const LinearModel model = trainer.train(problem.rows, {.cost = 10});
  for (std::size_t i = 0; i < 3; ++i) {
    const auto p = model.probabilities(problem.matrix.row(i));
    ASSERT_EQ(p.size(), 3U);
    EXPECT_NEAR(p[0] + p[1] + p[2], 1.0, 1e-12);
    EXPECT_GT(p[i], 0.7);
  }
}

}  // namespace
}  // namespace bermuda
