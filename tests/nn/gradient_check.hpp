#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/nn/operators.hpp"

namespace bermuda::nn {

using Inputs = std::vector<torch::Tensor>;
using Operator = std::function<torch::Tensor(const Inputs&, Engine)>;

/// Fixed random numbers, standard normal.
inline torch::Tensor numbers(std::initializer_list<std::int64_t> shape, std::uint64_t item) {
  RandomStream random(11, Purpose::kTest, item);
  torch::Tensor values = torch::empty(shape, torch::kDouble);
  for (std::int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = random.normal();
  return values;
}

/// sum of y times fixed numbers, so that every output counts differently.
inline torch::Tensor score(const torch::Tensor& y) {
  return (y * numbers({y.size(0), y.size(1)}, 99).to(y.scalar_type())).sum();
}

inline Inputs gradients(const Operator& run, const Inputs& values, Engine engine,
                        torch::ScalarType type) {
  Inputs inputs;
  for (const torch::Tensor& value : values) {
    inputs.push_back(value.to(type).clone().requires_grad_(true));
  }
  score(run(inputs, engine)).backward();
  Inputs result;
  for (const torch::Tensor& input : inputs) {
    result.push_back(input.grad().defined() ? input.grad() : torch::zeros_like(input));
  }
  return result;
}

inline void expect_close(const torch::Tensor& a, const torch::Tensor& b, double tolerance,
                         const std::string& what) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  if (a.numel() == 0) return;
  const double scale = std::max(1.0, b.abs().max().item<double>());
  EXPECT_LT((a - b).abs().max().item<double>() / scale, tolerance) << what;
}

struct CheckOptions {
  // Weights of relations are single: those of an average add up to 1 within 1e-7 only.
  double exact = 1e-7;  ///< what double precision must hold; gradients ten times that
  bool single = true;   ///< compare in single precision too
  bool smooth = true;   ///< compare with finite differences
  double step = 1e-6;   ///< of these: small where there are kinks to step over
};

/// The fused operator against the reference, values and gradients of all inputs in double and
/// single precision, and against finite differences.
inline void check(const Operator& run, const Inputs& values, const std::string& what,
                  const CheckOptions& options = {}) {
  for (const torch::ScalarType type : {torch::kDouble, torch::kFloat}) {
    if (type == torch::kFloat && !options.single) continue;
    const double tolerance = type == torch::kDouble ? options.exact : 1e-4;
    Inputs typed;
    for (const torch::Tensor& value : values) typed.push_back(value.to(type));
    expect_close(run(typed, Engine::kFused), run(typed, Engine::kReference), tolerance, what);
    const Inputs fused = gradients(run, values, Engine::kFused, type);
    const Inputs reference = gradients(run, values, Engine::kReference, type);
    for (std::size_t i = 0; i < fused.size(); ++i) {
      expect_close(fused[i], reference[i], tolerance * 10,
                   what + ", gradient " + std::to_string(i));
    }
  }
  if (!options.smooth) return;
  // Finite differences of the fused operator itself, along one random direction per input.
  const Inputs exact = gradients(run, values, Engine::kFused, torch::kDouble);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].numel() == 0) continue;
    RandomStream random(13, Purpose::kTest, i);
    torch::Tensor direction = torch::empty_like(values[i]);
    for (std::int64_t k = 0; k < direction.numel(); ++k) {
      direction.data_ptr<double>()[k] = random.normal();
    }
    Inputs up = values;
    Inputs down = values;
    up[i] = values[i] + options.step * direction;
    down[i] = values[i] - options.step * direction;
    const double slope =
        (score(run(up, Engine::kFused)) - score(run(down, Engine::kFused))).item<double>() /
        (2 * options.step);
    const double expected = (exact[i] * direction).sum().item<double>();
    EXPECT_NEAR(slope, expected, 1e-5 * std::max(1.0, std::abs(expected)))
        << what << ", finite differences of input " << i;
  }
}

}  // namespace bermuda::nn
