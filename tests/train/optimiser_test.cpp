#include "bermuda/train/optimiser.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "bermuda/core/random.hpp"
#include "bermuda/nn/gnn.hpp"
#include "bermuda/train/schedule.hpp"

namespace bermuda::train {
namespace {

TEST(PlateauSchedule, HalvesAfterMoreThanPatienceBadEpochs) {
  PlateauSchedule schedule{.rate = 1, .factor = 0.5, .patience = 2};
  schedule.observe(1.0);
  schedule.observe(0.99995);  // not better by 1e-4
  schedule.observe(1.0);
  EXPECT_EQ(schedule.rate, 1);
  schedule.observe(1.0);
  EXPECT_EQ(schedule.rate, 0.5);
  schedule.observe(0.5);
  EXPECT_EQ(schedule.best, 0.5);
  EXPECT_EQ(schedule.bad_epochs, 0);
}

/// The largest distance between weights after steps of ours and of LibTorch's optimiser.
template <class Reference, class Options>
double apart(WeightDecay decay, const Options& theirs_options) {
  nn::GnnOptions options;
  options.width = 9;
  options.layers = 1;
  nn::Initialiser first(5);
  nn::Initialiser second(5);
  const auto ours = nn::make_gcn(options, first);
  const auto theirs = nn::make_gcn(options, second);
  FlatParameters flat(*ours);
  Adam adam(flat, decay);
  Reference reference(theirs->parameters(), theirs_options);
  RandomStream random(9, Purpose::kTest);
  for (int step = 0; step < 20; ++step) {
    for (std::int64_t i = 0; i < flat.gradients.numel(); ++i) {
      flat.gradients.data_ptr<float>()[i] = static_cast<float>(random.normal());
    }
    std::int64_t place = 0;
    for (torch::Tensor& parameter : theirs->parameters()) {
      parameter.mutable_grad() =
          flat.gradients.narrow(0, place, parameter.numel()).view(parameter.sizes()).clone();
      place += parameter.numel();
    }
    adam.step(0.01);
    reference.step();
  }
  std::vector<torch::Tensor> pieces;
  for (const torch::Tensor& parameter : theirs->parameters()) {
    pieces.push_back(parameter.detach().view(-1));
  }
  return (torch::cat(pieces) - flat.values).abs().max().template item<double>();
}

TEST(Adam, EqualsLibTorchs) {
  using torch::optim::AdamOptions;
  EXPECT_LT(apart<torch::optim::Adam>({.inside = 0.01}, AdamOptions(0.01).weight_decay(0.01)),
            1e-5);
}

TEST(Adam, WithDecayBesideItEqualsLibTorchsAdamW) {
  using torch::optim::AdamWOptions;
  EXPECT_LT(apart<torch::optim::AdamW>({.decoupled = 0.3}, AdamWOptions(0.01).weight_decay(0.3)),
            1e-5);
  EXPECT_GT(apart<torch::optim::AdamW>({}, AdamWOptions(0.01).weight_decay(0.3)), 1e-3);
}

TEST(WeightAverage, ForgetsTheFirstWeightsAndFollowsTheRest) {
  nn::Initialiser initialiser(5);
  nn::GnnOptions options;
  options.layers = 1;
  const auto network = nn::make_gcn(options, initialiser);
  FlatParameters flat(*network);
  const torch::NoGradGuard no_grad;
  flat.values.fill_(1000);
  WeightAverage average(flat, 0.9);
  flat.values.fill_(1);
  double expected = 1000;
  for (int step = 1; step <= 200; ++step) {
    average.observe(flat, step);
    const double decay = std::min(0.9, (1.0 + step) / (10.0 + step));
    expected = decay * expected + (1 - decay) * 1;
    EXPECT_NEAR(average.values[0].item<double>(), expected, 1e-3 * expected);
  }
  EXPECT_NEAR(average.values[0].item<double>(), 1, 1e-4);
  EXPECT_FALSE(WeightAverage(flat, 0).is_on());
}

}  // namespace
}  // namespace bermuda::train
