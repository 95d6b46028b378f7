// Gradients against central differences, every number of every input, in double.
#include "helpers.hpp"

namespace bermuda::tensor {
namespace {

using Inputs = std::vector<torch::Tensor>;
using Function = std::function<torch::Tensor(const Inputs&)>;

/// sum of sin(y) times fixed numbers, so that every output counts differently.
torch::Tensor score(const torch::Tensor& y) {
  return (y.sin() * numbers(y.sizes().vec(), 99)).sum();
}

void check_gradients(const Function& function, const Inputs& values) {
  Inputs inputs;
  for (const torch::Tensor& value : values) inputs.push_back(value.clone().requires_grad_(true));
  score(function(inputs)).backward();
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(inputs[i].grad().defined()) << "input " << i;
    EXPECT_GT(inputs[i].grad().abs().max().item<double>(), 0) << "input " << i;
    for (std::int64_t n = 0; n < values[i].numel(); ++n) {
      const double step = 1e-6;
      const auto moved = [&](double by) {
        Inputs changed = values;
        changed[i] = values[i].clone();
        changed[i].view(-1)[n] += by;
        return score(function(changed)).item<double>();
      };
      const double slope = (moved(step) - moved(-step)) / (2 * step);
      EXPECT_NEAR(inputs[i].grad().reshape(-1)[n].item<double>(), slope,
                  1e-6 * std::max(1.0, std::abs(slope)))
          << "input " << i << ", number " << n;
    }
  }
}

TEST(Gradients, ModeProduct) {
  const torch::Tensor index = random_index({3, 4, 2}, 12, 1, true);
  check_gradients(
      [&](const Inputs& in) {
        return MixedTensor({"a", "b", "c"}, index, {in[0], in[1]})
            .mode_product("b", in[2])
            .flatten();
      },
      {numbers({12}, 1), numbers({12, 2}, 2), numbers({4, 3}, 3)});
}

TEST(Gradients, EmbedLabel) {
  // Both labels and all three kinds occur, one of them twice.
  const torch::Tensor index =
      torch::tensor({0, 1, 0, 0, 2, 2, 1, 0, 1, 2, 2, 0}, torch::kInt32).view({4, 3});
  check_gradients(
      [&](const Inputs& in) {
        return MixedTensor({"a", "b", "l"}, index, {in[0]})
            .embed_label("l", in[1])
            .mode_product("b", in[2])
            .flatten();
      },
      {numbers({4}, 1), numbers({3, 2}, 2), numbers({3, 2}, 3)});
}

TEST(Gradients, WholePlanAndItsCore) {
  // A triangle with a tail; labels of nodes and edges.
  const torch::Tensor index =
      torch::tensor({0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 1,
                     2, 0, 0, 0, 1, 0, 2, 0, 0, 1, 2, 3, 0, 1, 0, 3, 2, 1, 0, 0},
                    torch::kInt32)
          .view({8, 5});
  const Plan plan = make_plan(graph_modes(), "i");
  const Inputs values = {numbers({8}, 1), numbers({4, 2}, 2), numbers({2, 2}, 3),
                         numbers({2, 3}, 4), numbers({2, 1}, 5)};
  const auto tensor = [&](const Inputs& in) {
    return MixedTensor({"i", "j", "label_i", "label_j", "edge"}, index, {in[0]});
  };
  const auto tables = [](const Inputs& in) {
    return Tables{{"i", in[1]}, {"label_i", in[2]}, {"label_j", in[3]}, {"edge", in[4]}};
  };
  check_gradients([&](const Inputs& in) { return run(plan, tensor(in), tables(in)).flatten(); },
                  values);
  check_gradients(
      [&](const Inputs& in) { return core_tensor(plan, tensor(in), tables(in)).flatten(); },
      values);
}

}  // namespace
}  // namespace bermuda::tensor
