#include "bermuda/tensor/mixed_tensor.hpp"

#include "helpers.hpp"

namespace bermuda::tensor {
namespace {

torch::Tensor weights(const std::vector<double>& numbers) {
  return torch::tensor(numbers, torch::kDouble);
}

torch::Tensor matrix(const std::vector<double>& numbers, std::int64_t columns) {
  return torch::tensor(numbers, torch::kDouble).view({-1, columns});
}

TEST(MixedTensor, ModeProductByHand) {
  // Entries (5,0)=2, (3,1)=4, (5,2)=-1; the rest 5 appears first.
  const MixedTensor tensor({"a", "b"}, index({5, 0, 3, 1, 5, 2}, 2), {weights({2, 4, -1})});
  const MixedTensor result = tensor.mode_product("b", matrix({1, 10, 2, 20, 3, 30}, 2));
  EXPECT_EQ(result.modes(), std::vector<std::string>{"a"});
  EXPECT_TRUE(torch::equal(result.index(), index({5, 3}, 1)));
  ASSERT_EQ(result.values().size(), 1U);
  EXPECT_TRUE(torch::equal(result.values()[0], matrix({-1, -10, 8, 80}, 2)));
}

TEST(MixedTensor, ModeProductOfAnyMode) {
  const MixedTensor tensor({"a", "b"}, index({1, 7, 0, 7, 1, 8}, 2), {weights({2, 4, -1})});
  const MixedTensor result = tensor.mode_product("a", matrix({1, 2}, 1));
  EXPECT_EQ(result.modes(), std::vector<std::string>{"b"});
  EXPECT_TRUE(torch::equal(result.index(), index({7, 8}, 1)));
  EXPECT_TRUE(torch::equal(result.values()[0], matrix({8, -2}, 1)));
}

TEST(MixedTensor, ModeProductReachesEveryElementOfTheSet) {
  const torch::Tensor features = matrix({1, 2, 3, 4}, 2);
  const MixedTensor tensor({"a", "b"}, index({0, 0, 0, 1}, 2), {weights({1, 2}), features});
  const MixedTensor result = tensor.mode_product("b", matrix({1, 10, 2, 20}, 2));
  ASSERT_EQ(result.values().size(), 2U);
  EXPECT_TRUE(torch::equal(result.values()[0], matrix({5, 50}, 2)));
  // [1 2] (outer) [1 10] + [3 4] (outer) [2 20], the new dense mode last
  EXPECT_TRUE(torch::equal(result.values()[1], matrix({7, 70, 10, 100}, 2).unsqueeze(0)));
}

TEST(MixedTensor, RepeatedEntriesCountAsTheirSum) {
  const torch::Tensor w = matrix({1, 10, 2, 20}, 2);
  const MixedTensor twice({"a", "b"}, index({0, 1, 0, 1, 0, 0}, 2), {weights({2, 3, 7})});
  const MixedTensor once({"a", "b"}, index({0, 1, 0, 0}, 2), {weights({5, 7})});
  EXPECT_TRUE(
      torch::equal(twice.mode_product("b", w).flatten(), once.mode_product("b", w).flatten()));
  EXPECT_TRUE(torch::equal(twice.coalesce().index(), once.index()));
  EXPECT_TRUE(torch::equal(twice.coalesce().flatten(), once.flatten()));
}

TEST(MixedTensor, GroupsAreToldApartByEveryOtherMode) {
  // Rests (0,1), (1,0), (0,1), (1,-1), (0,-1): the sign must not spill into the other mode.
  const MixedTensor tensor({"a", "x", "b"},
                           index({0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, -1, 0, 0, -1}, 3),
                           {weights({1, 2, 4, 8, 16})});
  const MixedTensor result = tensor.mode_product("x", matrix({1}, 1));
  EXPECT_TRUE(torch::equal(result.index(), index({0, 1, 1, 0, 1, -1, 0, -1}, 2)));
  EXPECT_TRUE(torch::equal(result.values()[0], matrix({5, 2, 8, 16}, 1)));
}

TEST(MixedTensor, EmbedLabelAppendsAndDrops) {
  const MixedTensor tensor({"a", "l", "b"}, index({0, 2, 1, 1, 0, 0, 0, 2, 0}, 3),
                           {weights({1, 2, 3})});
  const MixedTensor result = tensor.embed_label("l", matrix({1, 2, 3, 4, 5, 6}, 2));
  EXPECT_EQ(result.modes(), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(torch::equal(result.index(), index({0, 1, 1, 0, 0, 0}, 2)));
  ASSERT_EQ(result.values().size(), 2U);
  EXPECT_TRUE(torch::equal(result.values()[0], weights({1, 2, 3})));
  EXPECT_TRUE(torch::equal(result.values()[1], matrix({5, 6, 1, 2, 5, 6}, 2)));
  EXPECT_EQ(result.width(), 3);
  EXPECT_TRUE(torch::equal(result.flatten(), matrix({1, 5, 6, 2, 1, 2, 3, 5, 6}, 3)));
  EXPECT_EQ(tensor.modes().size(), 3U);  // the operand is as it was
}

TEST(MixedTensor, EmbedMainKeepsTheMode) {
  const MixedTensor tensor({"a"}, index({2, 0}, 1), {weights({7, 8})});
  const MixedTensor result = tensor.embed_main("a", matrix({1, 2, 3}, 1));
  EXPECT_EQ(result.modes(), std::vector<std::string>{"a"});
  EXPECT_TRUE(torch::equal(result.index(), index({2, 0}, 1)));
  EXPECT_TRUE(torch::equal(result.flatten(), matrix({7, 3, 8, 1}, 2)));
}

TEST(MixedTensor, TheLastProductLeavesOneRow) {
  const MixedTensor some({"a"}, index({0, 1, 0}, 1), {weights({1, 2, 3})});
  const MixedTensor core = some.mode_product("a", matrix({1, 10, 2, 20}, 2));
  EXPECT_TRUE(core.modes().empty());
  EXPECT_EQ(core.index().sizes(), (std::vector<std::int64_t>{1, 0}));
  EXPECT_TRUE(torch::equal(core.flatten(), matrix({8, 80}, 2)));
}

TEST(MixedTensor, WithoutEntries) {
  const torch::Tensor w = matrix({1, 10, 2, 20}, 2);
  const MixedTensor none({"a", "l", "b"}, torch::empty({0, 3}, torch::kInt32), {weights({})});
  EXPECT_EQ(none.coalesce().rows(), 0);
  const MixedTensor labelled = none.embed_label("l", w);
  EXPECT_EQ(labelled.flatten().sizes(), (std::vector<std::int64_t>{0, 3}));
  const MixedTensor product = labelled.mode_product("b", w);
  EXPECT_EQ(product.index().sizes(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(product.flatten().sizes(), (std::vector<std::int64_t>{0, 6}));
  EXPECT_EQ(product.embed_main("a", w).flatten().sizes(), (std::vector<std::int64_t>{0, 8}));
  EXPECT_TRUE(
      torch::equal(product.mode_product("a", w).flatten(), torch::zeros({1, 12}, torch::kDouble)));
}

TEST(MixedTensor, TakesIndexTablesThatAreViews) {
  const torch::Tensor turned = index({0, 1, 2, 1, 0, 1}, 3).t();  // rows 0 1, 1 0, 2 1
  const MixedTensor tensor({"a", "b"}, turned, {weights({1, 2, 3})});
  const MixedTensor result = tensor.mode_product("a", matrix({1, 10, 100}, 1));
  EXPECT_TRUE(torch::equal(result.index(), index({1, 0}, 1)));
  EXPECT_TRUE(torch::equal(result.values()[0], matrix({301, 20}, 1)));
}

class Refusals : public testing::Test {
 protected:
  const MixedTensor tensor_{{"a", "b"}, index({0, 1, 0, 2, 1, 2}, 2), {weights({1, 2, 3})}};
  const torch::Tensor w_ = numbers({3, 2}, 1);
};

TEST_F(Refusals, UnknownMode) {
  const std::string expected = "found no mode 'c' in the tensor, expected one of: 'a', 'b'";
  EXPECT_EQ(refusal([&] { tensor_.mode_product("c", w_); }), expected);
  EXPECT_EQ(refusal([&] { tensor_.embed_label("c", w_); }), expected);
  EXPECT_EQ(refusal([&] { tensor_.embed_main("c", w_); }), expected);
  EXPECT_EQ(refusal([&] { tensor_.coordinates("c"); }), expected);
  EXPECT_EQ(refusal([&] { tensor_.mode_product("a", w_).mode_product("b", w_).coordinates("a"); }),
            "found no mode 'a' in the tensor, expected none, for none is left");
}

TEST_F(Refusals, IndexOutsideTheTable) {
  const torch::Tensor small = numbers({2, 2}, 1);
  const std::string expected =
      "mode 'b', row 1: found index 2, expected one of the 2 rows of its table";
  EXPECT_EQ(refusal([&] { tensor_.mode_product("b", small); }), expected);
  EXPECT_EQ(refusal([&] { tensor_.embed_label("b", small); }), expected);
  EXPECT_EQ(refusal([&] { tensor_.embed_main("b", small); }), expected);
  const MixedTensor negative({"a"}, index({0, -1}, 1), {weights({1, 2})});
  EXPECT_EQ(refusal([&] { negative.mode_product("a", small); }),
            "mode 'a', row 1: found index -1, expected one of the 2 rows of its table");
}

TEST_F(Refusals, TablesThatAreNoMatrix) {
  EXPECT_EQ(refusal([&] { tensor_.mode_product("b", numbers({3}, 1)); }),
            "mode 'b': found a table of shape [3], expected [indices, width]");
  EXPECT_EQ(refusal([&] {
              tensor_.embed_label("b", numbers({3, 2, 2}, 1));
            }),
            "mode 'b': found a table of shape [3, 2, 2], expected [indices, width]");
  EXPECT_EQ(refusal([&] { tensor_.embed_main("b", torch::Tensor()); }),
            "mode 'b': found a table of shape nothing, expected [indices, width]");
}

TEST_F(Refusals, LabelsThatAreNone) {
  EXPECT_EQ(refusal([&] { tensor_.embed_label("b", w_); }),
            "mode 'b' is no label: found 1 in row 0 and 2 in row 1, which agree in all other "
            "modes, expected one value");
  const MixedTensor alone({"a"}, index({2, 0}, 1), {weights({1, 1})});
  EXPECT_EQ(refusal([&] { alone.embed_label("a", w_); }),
            "mode 'a' is no label: found 2 in row 0 and 0 in row 1, which agree in all other "
            "modes, expected one value");
}

TEST_F(Refusals, EmbeddingsOfRepeatedEntries) {
  const MixedTensor twice({"a", "l"}, index({1, 0, 0, 0, 0, 0}, 2), {weights({1, 2, 3})});
  const std::string expected =
      "mode 'l': found rows 1 and 2 equal in all modes, expected every entry once (coalesce() "
      "adds them up)";
  EXPECT_EQ(refusal([&] { twice.embed_label("l", w_); }), expected);
  EXPECT_EQ(refusal([&] { twice.embed_main("l", w_); }), expected);
  EXPECT_EQ(twice.coalesce().embed_label("l", w_).rows(), 2);
}

TEST_F(Refusals, WrongShapes) {
  const auto make = [](std::vector<std::string> modes, const torch::Tensor& table,
                       std::vector<torch::Tensor> values) {
    return refusal([&] { MixedTensor(std::move(modes), table, std::move(values)); });
  };
  const torch::Tensor two = index({0, 1, 1, 0}, 2);
  EXPECT_EQ(make({"a"}, two, {weights({1, 2})}),
            "found an index table of shape [2, 2], expected [rows, 1]");
  EXPECT_EQ(make({"a", "b"}, two[0], {weights({1, 2})}),
            "found an index table of shape [2], expected [rows, 2]");
  EXPECT_EQ(make({"a", "b"}, {}, {weights({1, 2})}),
            "found an index table of shape nothing, expected [rows, 2]");
  EXPECT_EQ(make({"a", "b"}, two.to(torch::kInt64), {weights({1, 2})}),
            "found an index table of Long on cpu, expected int32 on cpu");
  EXPECT_EQ(make({"a", "b"}, two, {weights({1, 2, 3})}),
            "found values 0 of shape [3], expected [2]");
  EXPECT_EQ(make({"a", "b"}, two, {numbers({2, 1}, 1)}),
            "found values 0 of shape [2, 1], expected [2]");
  EXPECT_EQ(make({"a", "b"}, two, {weights({1, 2}), numbers({1, 2}, 1)}),
            "found values 1 of shape [1, 2], expected [2, ...]");
  EXPECT_EQ(make({"a", "b"}, two, {weights({1, 2}), torch::Tensor()}),
            "found values 1 of shape nothing, expected [2, ...]");
  EXPECT_EQ(make({"a", "b"}, two, {}), "found no values, expected the weights of the entries");
  EXPECT_EQ(make({"a", "a"}, two, {weights({1, 2})}),
            "found two modes named 'a', expected different names");
}

}  // namespace
}  // namespace bermuda::tensor
