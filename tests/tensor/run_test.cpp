#include "bermuda/tensor/run.hpp"

#include "helpers.hpp"

namespace bermuda::tensor {
namespace {

const std::vector<Mode>& plain_modes() {
  static const std::vector<Mode> modes = {{"i", ModeKind::kTopology, {}, {}},
                                          {"j", ModeKind::kTopology, {}, {}}};
  return modes;
}

TEST(Run, UnlabelledGraphIsOwnVectorAndSumOfNeighbours) {
  // The path 2 - 0 - 1.
  const MixedTensor path({"i", "j"}, index({2, 0, 0, 2, 0, 1, 1, 0}, 2),
                         {torch::ones({4}, torch::kDouble)});
  const torch::Tensor e = numbers({3, 4}, 1);
  const MixedTensor nodes = run(make_plan(plain_modes(), "i"), path, {{"i", e}});
  EXPECT_TRUE(torch::equal(nodes.coordinates("i"), torch::tensor({2, 0, 1}, torch::kInt32)));
  expect_close(nodes.flatten(),
               torch::stack({torch::cat({e[0], e[2]}), torch::cat({e[1] + e[2], e[0]}),
                             torch::cat({e[0], e[1]})}),
               "vectors");
}

TEST(Run, TheOrderOfEntriesOnlyOrdersRows) {
  const torch::Tensor pairs = random_index({5, 5}, 12, 1);
  const torch::Tensor weights = numbers({12}, 2);
  const Tables tables = {{"i", numbers({5, 3}, 3)}};
  const Plan plan = make_plan(plain_modes(), "i");
  const MixedTensor forwards = run(plan, MixedTensor({"i", "j"}, pairs, {weights}), tables);
  const MixedTensor backwards =
      run(plan, MixedTensor({"i", "j"}, pairs.flip(0), {weights.flip(0)}), tables);
  for (std::size_t e = 0; e < 2; ++e) {
    expect_close(dense(forwards, e, {5}), dense(backwards, e, {5}), "flipped");
  }
}

TEST(Run, ColumnsInAnyOrder) {
  const torch::Tensor pairs = random_index({5, 5}, 12, 1);
  const torch::Tensor weights = numbers({12}, 2);
  const Tables tables = {{"i", numbers({5, 3}, 3)}};
  const Plan plan = make_plan(plain_modes(), "i");
  EXPECT_TRUE(
      torch::equal(run(plan, MixedTensor({"i", "j"}, pairs, {weights}), tables).flatten(),
                   run(plan, MixedTensor({"j", "i"}, pairs.flip(1), {weights}), tables).flatten()));
}

TEST(Run, ModesThatThePlanDoesNotNameMakeABatch) {
  const torch::Tensor first = random_index({5, 5}, 9, 1);
  const torch::Tensor second = random_index({5, 5}, 7, 2);
  const torch::Tensor weights = numbers({16}, 3);
  const torch::Tensor graph = torch::cat({torch::zeros({9, 1}, torch::kInt32),  //
                                          torch::ones({7, 1}, torch::kInt32)});
  const MixedTensor both({"graph", "i", "j"}, torch::cat({graph, torch::cat({first, second})}, 1),
                         {weights});
  const Tables tables = {{"i", numbers({5, 3}, 4)}};
  const Plan plan = make_plan(plain_modes(), "i");
  const MixedTensor one({"i", "j"}, first, {weights.slice(0, 0, 9)});
  const MixedTensor other({"i", "j"}, second, {weights.slice(0, 9, 16)});

  const MixedTensor nodes = run(plan, both, tables);
  EXPECT_EQ(nodes.modes(), (std::vector<std::string>{"graph", "i"}));
  expect_close(nodes.flatten(),
               torch::cat({run(plan, one, tables).flatten(), run(plan, other, tables).flatten()}),
               "vectors");
  expect_close(core_tensor(plan, both, tables).flatten(),
               torch::cat({core_tensor(plan, one, tables).flatten(),
                           core_tensor(plan, other, tables).flatten()}),
               "cores");
}

TEST(Run, EntriesOfWeightZeroGiveLonelyNodesARow) {
  const torch::Tensor e = numbers({3, 2}, 1);
  const MixedTensor tensor({"i", "j"}, index({0, 1, 1, 0, 2, 2}, 2),
                           {torch::tensor({1.0, 1.0, 0.0}, torch::kDouble)});
  const MixedTensor nodes = run(make_plan(plain_modes(), "i"), tensor, {{"i", e}});
  expect_close(nodes.flatten()[2], torch::cat({torch::zeros({2}, torch::kDouble), e[2]}), "node 2");
}

TEST(Run, WithoutEntries) {
  const MixedTensor none({"i", "j", "label_i", "label_j", "edge"},
                         torch::empty({0, 5}, torch::kInt32), {torch::empty({0}, torch::kDouble)});
  const Tables tables = {{"i", numbers({4, 2}, 1)},
                         {"label_i", numbers({3, 1}, 2)},
                         {"label_j", numbers({3, 2}, 3)},
                         {"edge", numbers({2, 1}, 4)}};
  const Plan plan = make_plan(graph_modes(), "i");
  const MixedTensor nodes = run(plan, none, tables);
  EXPECT_EQ(nodes.rows(), 0);
  EXPECT_EQ(nodes.flatten().sizes(), (std::vector<std::int64_t>{0, 2 + 2 + 4 + 1 + 2}));
  const torch::Tensor core = core_tensor(plan, none, tables).flatten();
  EXPECT_TRUE(torch::equal(core, torch::zeros({1, 4 + 4 + 8 + 2}, torch::kDouble)));
}

TEST(Run, SinglePrecision) {
  const MixedTensor tensor({"i", "j"}, index({0, 1, 1, 0}, 2), {torch::ones({2})});
  const MixedTensor nodes =
      run(make_plan(plain_modes(), "i"), tensor, {{"i", numbers({2, 3}, 1).to(torch::kFloat)}});
  EXPECT_EQ(nodes.flatten().scalar_type(), torch::kFloat);
}

/// The example of docs/tensors.md.
TEST(Run, ThreeTopologyModes) {
  const Plan plan = make_plan({{"user", ModeKind::kTopology, {}, {}},
                               {"film", ModeKind::kTopology, {}, "film"},
                               {"week", ModeKind::kTopology, {}, "week"},
                               {"genre", ModeKind::kLabel, {"film"}, {}},
                               {"rating", ModeKind::kLabel, {"user", "film", "week"}, {}}},
                              "user");
  const MixedTensor visits({"user", "film", "week", "genre", "rating"},
                           index({0, 0, 0, 1, 2, 0, 0, 1, 1, 3, 1, 2, 0, 0, 4}, 5),
                           {torch::ones({3}, torch::kDouble)});
  const Tables tables = {{"user", numbers({2, 2}, 1)},
                         {"film", numbers({3, 3}, 2)},
                         {"week", numbers({2, 4}, 3)},
                         {"genre", numbers({2, 5}, 4)},
                         {"rating", numbers({5, 6}, 5)}};
  std::string steps;
  const MixedTensor users = run(plan, visits, tables, [&](const Step& step, const MixedTensor&) {
    steps += describe(step) + "\n";
  });
  EXPECT_EQ(steps,
            "label embedding of rating with table rating\nmode product of week with table week\n"
            "label embedding of genre with table genre\nmode product of film with table film\n"
            "main embedding of user with table user\n");
  using Shape = std::vector<std::int64_t>;
  ASSERT_EQ(users.values().size(), 4U);
  EXPECT_EQ(users.values()[0].sizes(), (Shape{2, 4, 3}));
  EXPECT_EQ(users.values()[1].sizes(), (Shape{2, 6, 4, 3}));
  EXPECT_EQ(users.values()[2].sizes(), (Shape{2, 5, 3}));
  EXPECT_EQ(users.values()[3].sizes(), (Shape{2, 2}));
  // User 0 saw film 0, of genre 1, in both weeks: it counts once.
  expect_close(users.values()[2][0], torch::outer(tables.at("genre")[1], tables.at("film")[0]),
               "genre");
}

class RunRefusals : public testing::Test {
 protected:
  const Plan plan_ = make_plan(plain_modes(), "i");
  const MixedTensor tensor_{{"i", "j"}, index({0, 1, 1, 3}, 2), {torch::ones({2})}};
};

TEST_F(RunRefusals, MissingTable) {
  const std::string expected = "mode 'j': found no table 'i' among 1, expected one";
  EXPECT_EQ(refusal([&] { run(plan_, tensor_, {{"j", torch::ones({4, 2})}}); }), expected);
  EXPECT_EQ(refusal([&] { core_tensor(plan_, tensor_, {{"j", torch::ones({4, 2})}}); }), expected);
}

TEST_F(RunRefusals, MissingMode) {
  const MixedTensor other({"i", "k"}, index({0, 1}, 2), {torch::ones({1})});
  EXPECT_EQ(refusal([&] {
              run(plan_, other, {{"i", torch::ones({4, 2})}});
            }),
            "found no mode 'j' in the tensor, expected one of: 'i', 'k'");
}

TEST_F(RunRefusals, IndexOutsideTheTable) {
  EXPECT_EQ(refusal([&] {
              run(plan_, tensor_, {{"i", torch::ones({3, 2})}});
            }),
            "mode 'j', row 1: found index 3, expected one of the 3 rows of its table");
}

TEST_F(RunRefusals, LabelThatDependsOnMoreThanWasDeclared) {
  // l is said to depend on i, but differs between (0, 1) and (0, 2).
  const Plan plan = make_plan({{"i", ModeKind::kTopology, {}, {}},
                               {"j", ModeKind::kTopology, {}, {}},
                               {"l", ModeKind::kLabel, {"i"}, {}}},
                              "i");
  const MixedTensor tensor({"i", "j", "l"}, index({0, 1, 0, 0, 2, 1}, 3), {torch::ones({2})});
  EXPECT_EQ(
      refusal([&] {
        run(plan, tensor, {{"i", torch::ones({3, 2})}, {"l", torch::ones({2, 1})}});
      }),
      "mode 'l' is no label: found 0 in row 0 and 1 in row 1, which agree in all other modes, "
      "expected one value");
}

}  // namespace
}  // namespace bermuda::tensor
