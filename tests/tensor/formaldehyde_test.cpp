// The paper's example with numbers computed by hand. E has rows (1 2), (0 1), (1 1), (2 3).
#include "helpers.hpp"

namespace bermuda::tensor {
namespace {

class Formaldehyde : public testing::Test {
 protected:
  static torch::Tensor matrix(const std::vector<double>& numbers, std::int64_t columns) {
    return torch::tensor(numbers, torch::kDouble).view({-1, columns});
  }

  // C 0, H 1, O 2; single bond 0, double bond 1
  const MixedTensor molecule_{{"i", "j", "label_i", "label_j", "edge"},
                              torch::tensor({0, 1, 0, 1, 0, 0, 2, 0, 1, 0, 0, 3, 0, 2, 1,  //
                                             1, 0, 1, 0, 0, 2, 0, 1, 0, 0, 3, 0, 2, 0, 1},
                                            torch::kInt32)
                                  .view({6, 5}),
                              {torch::ones({6}, torch::kDouble)}};
  const Tables tables_ = {{"i", matrix({1, 2, 0, 1, 1, 1, 2, 3}, 2)},
                          {"label_i", matrix({6, 1, 8}, 1)},
                          {"label_j", matrix({1, 0, 0, 1, 2, 1}, 2)},
                          {"edge", matrix({1, 2}, 1)}};
  const Plan plan_ = make_plan(graph_modes(), "i");
};

TEST_F(Formaldehyde, EachStep) {
  std::vector<MixedTensor> states;
  run(plan_, molecule_, tables_,
      [&](const Step&, const MixedTensor& state) { states.push_back(state); });
  ASSERT_EQ(states.size(), 5U);

  EXPECT_EQ(states[0].modes(), (std::vector<std::string>{"i", "j", "label_i", "label_j"}));
  EXPECT_EQ(states[0].rows(), 6);
  EXPECT_TRUE(torch::equal(states[0].values()[1], matrix({1, 1, 2, 1, 1, 2}, 1)));

  EXPECT_EQ(states[1].modes(), (std::vector<std::string>{"i", "j", "label_i"}));
  EXPECT_TRUE(torch::equal(states[1].values()[2], matrix({0, 1, 0, 1, 2, 1, 1, 0, 1, 0, 1, 0}, 2)));

  EXPECT_EQ(states[2].modes(), (std::vector<std::string>{"i", "label_i"}));
  EXPECT_TRUE(torch::equal(states[2].index(),
                           torch::tensor({0, 0, 1, 1, 2, 1, 3, 2}, torch::kInt32).view({4, 2})));

  EXPECT_EQ(states[3].modes(), std::vector<std::string>{"i"});
  EXPECT_EQ(states[3].values().size(), 4U);
  EXPECT_EQ(states[4].values().size(), 5U);
}

TEST_F(Formaldehyde, NodeVectors) {
  const MixedTensor nodes = run(plan_, molecule_, tables_);
  EXPECT_TRUE(torch::equal(nodes.coordinates("i"), torch::tensor({0, 1, 2, 3}, torch::kInt32)));
  ASSERT_EQ(nodes.values().size(), 5U);
  // Carbon: E1 + E2 + E3; hydrogens and oxygen: E0.
  EXPECT_TRUE(torch::equal(nodes.values()[0], matrix({3, 5, 1, 2, 1, 2, 1, 2}, 2)));
  // The same with the double bond counting 2: 1 (0 1) + 1 (1 1) + 2 (2 3).
  EXPECT_TRUE(torch::equal(nodes.values()[1], matrix({5, 8, 1, 2, 1, 2, 2, 4}, 2).view({4, 1, 2})));
  // Carbon: H (0 1) outer E1 + H (0 1) outer E2 + O (2 1) outer E3; the others: C (1 0) outer E0.
  EXPECT_TRUE(
      torch::equal(nodes.values()[2],
                   matrix({4, 6, 3, 5, 1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0}, 4).view({4, 2, 2})));
  EXPECT_TRUE(torch::equal(nodes.values()[3], matrix({6, 1, 1, 8}, 1)));
  EXPECT_TRUE(torch::equal(nodes.values()[4], tables_.at("i")));
  EXPECT_TRUE(torch::equal(nodes.flatten()[0], matrix({3, 5, 5, 8, 4, 6, 3, 5, 6, 1, 2}, 11)[0]));
  EXPECT_TRUE(torch::equal(nodes.flatten()[3], matrix({1, 2, 2, 4, 1, 2, 0, 0, 8, 2, 3}, 11)[0]));
}

TEST_F(Formaldehyde, CoreTensor) {
  const MixedTensor core = core_tensor(plan_, molecule_, tables_);
  EXPECT_EQ(core.rows(), 1);
  ASSERT_EQ(core.values().size(), 4U);
  // sum over i of (neighbour sum of i) outer E_i: (3 5)(1 2) + (1 2)((0 1) + (1 1) + (2 3))
  EXPECT_TRUE(torch::equal(core.values()[0][0], matrix({6, 11, 11, 20}, 2)));
  // 6 (1 2) + 1 (0 1) + 1 (1 1) + 8 (2 3)
  EXPECT_TRUE(torch::equal(core.values()[3][0], matrix({23, 38}, 2)));
}

}  // namespace
}  // namespace bermuda::tensor
