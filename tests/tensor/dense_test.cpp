// The sparse operations against sums over all cells of the dense tensor.
#include <torch/torch.h>

#include "helpers.hpp"

namespace bermuda::tensor {
namespace {

/// 1 where something is stored.
torch::Tensor stored(const MixedTensor& tensor, const std::vector<std::int64_t>& sizes) {
  const MixedTensor ones(tensor.modes(), tensor.index(),
                         {torch::ones({tensor.rows()}, torch::kDouble)});
  return dense(ones, 0, sizes).gt(0).to(torch::kDouble);
}

/// Labels of all cells: int64 of the given shape, below `kinds`.
torch::Tensor random_labels(const std::vector<std::int64_t>& shape, int kinds, std::uint64_t item) {
  return (numbers(shape, item).abs() * 1000).to(torch::kInt64).remainder(kinds);
}

/// A column more, with the labels of the given columns' cells.
torch::Tensor with_label(const torch::Tensor& index, const std::vector<std::int64_t>& columns,
                         const torch::Tensor& labels) {
  std::vector<torch::Tensor> places;
  for (const std::int64_t c : columns) places.push_back(index.select(1, c).to(torch::kInt64));
  torch::Tensor chosen = labels;
  std::vector<int> column;
  for (std::int64_t row = 0; row < index.size(0); ++row) {
    chosen = labels;
    for (const torch::Tensor& place : places) chosen = chosen[place[row].item<std::int64_t>()];
    column.push_back(chosen.item<int>());
  }
  return torch::cat({index, torch::tensor(column, torch::kInt32).unsqueeze(1)}, 1);
}

torch::Tensor embedded(const torch::Tensor& table, const torch::Tensor& labels) {
  return torch::embedding(table, labels);
}

/// The vectors of all indices of the main mode, zero where there is none.
std::vector<torch::Tensor> dense_set(const MixedTensor& nodes, std::int64_t size) {
  std::vector<torch::Tensor> result;
  for (std::size_t e = 0; e < nodes.values().size(); ++e) {
    result.push_back(dense(nodes, e, {size}));
  }
  return result;
}

TEST(Dense, ModeProductOfEachModeOfOrder2To4) {
  const std::string letters = "abcd";
  const std::vector<int> sizes = {3, 4, 2, 5};
  for (std::size_t order = 2; order <= 4; ++order) {
    const std::vector<int> shape(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(order));
    const std::vector<std::int64_t> dense_shape(shape.begin(), shape.end());
    std::vector<std::string> modes;
    for (std::size_t m = 0; m < order; ++m) modes.emplace_back(1, letters[m]);
    for (const bool repeats : {false, true}) {
      const int rows = order == 2 ? 8 : 20;
      const MixedTensor tensor(modes, random_index(shape, rows, order, repeats),
                               {numbers({rows}, 1), numbers({rows, 3, 2}, 2)});
      for (std::size_t m = 0; m < order; ++m) {
        const torch::Tensor w = numbers({shape[m], 4}, 3 + m);
        const MixedTensor product = tensor.mode_product(modes[m], w);
        std::string rest = letters.substr(0, order);
        rest.erase(m, 1);
        std::vector<std::int64_t> rest_shape = dense_shape;
        rest_shape.erase(rest_shape.begin() + static_cast<std::ptrdiff_t>(m));
        const std::string what = "order " + std::to_string(order) + ", mode " + modes[m];
        expect_close(dense(product, 0, rest_shape),
                     torch::einsum(letters.substr(0, order) + "," + modes[m] + "z->" + rest + "z",
                                   {dense(tensor, 0, dense_shape), w}),
                     what + ", weights");
        expect_close(
            dense(product, 1, rest_shape),
            torch::einsum(letters.substr(0, order) + "xy," + modes[m] + "z->" + rest + "xyz",
                          {dense(tensor, 1, dense_shape), w}),
            what + ", second element");
      }
    }
  }
}

TEST(Dense, ProductsCommute) {
  const MixedTensor tensor({"a", "b", "c"}, random_index({3, 4, 5}, 25, 1, true),
                           {numbers({25}, 1)});
  const torch::Tensor a = numbers({3, 2}, 2);
  const torch::Tensor b = numbers({4, 3}, 3);
  const torch::Tensor c = numbers({5, 4}, 4);
  const torch::Tensor core =
      tensor.mode_product("a", a).mode_product("b", b).mode_product("c", c).values()[0];
  expect_close(core.permute({0, 3, 2, 1}),
               tensor.mode_product("c", c).mode_product("b", b).mode_product("a", a).values()[0],
               "c, b, a");
  expect_close(core.permute({0, 2, 1, 3}),
               tensor.mode_product("b", b).mode_product("a", a).mode_product("c", c).values()[0],
               "b, a, c");
  expect_close(core.permute({0, 2, 3, 1}),
               tensor.mode_product("b", b).mode_product("c", c).mode_product("a", a).values()[0],
               "b, c, a");
}

TEST(Dense, CoreOfOrder4) {
  const MixedTensor tensor({"a", "b", "c", "d"}, random_index({3, 4, 2, 5}, 40, 7, true),
                           {numbers({40}, 1)});
  const Tables tables = {{"a", numbers({3, 2}, 2)},
                         {"b", numbers({4, 3}, 3)},
                         {"c", numbers({2, 2}, 4)},
                         {"d", numbers({5, 4}, 5)}};
  const Plan plan = make_plan({{"a", ModeKind::kTopology, {}, "a"},
                               {"b", ModeKind::kTopology, {}, "b"},
                               {"c", ModeKind::kTopology, {}, "c"},
                               {"d", ModeKind::kTopology, {}, "d"}},
                              "b");
  const MixedTensor core = core_tensor(plan, tensor, tables);
  EXPECT_TRUE(core.modes().empty());
  // In the order of the steps: d, c, a and the main mode last.
  expect_close(
      core.values()[0][0],
      torch::einsum("abcd,aw,bx,cy,dz->zywx", {dense(tensor, 0, {3, 4, 2, 5}), tables.at("a"),
                                               tables.at("b"), tables.at("c"), tables.at("d")}),
      "core");
}

TEST(Dense, PlanOfAGraph) {
  const int n = 6;
  const torch::Tensor pairs = random_index({n, n}, 14, 3);
  const torch::Tensor node_labels = random_labels({n}, 3, 4);
  const torch::Tensor edge_labels = random_labels({n, n}, 2, 5);
  const torch::Tensor index = with_label(
      with_label(with_label(pairs, {0}, node_labels), {1}, node_labels), {0, 1}, edge_labels);
  const torch::Tensor weights = numbers({14}, 6);
  const Tables tables = {{"i", numbers({n, 4}, 7)},
                         {"label_i", numbers({3, 2}, 8)},
                         {"label_j", numbers({3, 3}, 9)},
                         {"edge", numbers({2, 2}, 10)}};
  const MixedTensor nodes =
      run(make_plan(graph_modes(), "i"),
          MixedTensor({"i", "j", "label_i", "label_j", "edge"}, index, {weights}), tables);

  const MixedTensor adjacency({"i", "j"}, pairs, {weights});
  const torch::Tensor is_stored = stored(adjacency, {n, n});
  const torch::Tensor occurs = is_stored.sum(1).gt(0).to(torch::kDouble).unsqueeze(1);
  const torch::Tensor& e = tables.at("i");
  const std::vector<torch::Tensor> set = dense_set(nodes, n);
  ASSERT_EQ(set.size(), 5U);
  expect_close(set[0], torch::mm(dense(adjacency, 0, {n, n}), e), "weights");
  expect_close(
      set[1],
      torch::einsum("ij,ijx,jy->ixy", {is_stored, embedded(tables.at("edge"), edge_labels), e}),
      "edge");
  expect_close(
      set[2],
      torch::einsum("ij,jx,jy->ixy", {is_stored, embedded(tables.at("label_j"), node_labels), e}),
      "label_j");
  expect_close(set[3], embedded(tables.at("label_i"), node_labels) * occurs, "label_i");
  expect_close(set[4], e * occurs, "i");
}

TEST(Dense, PlanOfOrder3) {
  // Labels of k, of (j, k), of (i, j), of i and of all three.
  const std::vector<std::int64_t> sizes = {4, 5, 3};
  const torch::Tensor triples = random_index({4, 5, 3}, 22, 11);
  const torch::Tensor of_k = random_labels({3}, 2, 12);
  const torch::Tensor of_jk = random_labels({5, 3}, 3, 13);
  const torch::Tensor of_ij = random_labels({4, 5}, 3, 14);
  const torch::Tensor of_i = random_labels({4}, 2, 15);
  const torch::Tensor of_ijk = random_labels({4, 5, 3}, 2, 16);
  torch::Tensor index = with_label(triples, {2}, of_k);
  index = with_label(index, {1, 2}, of_jk);
  index = with_label(index, {0, 1}, of_ij);
  index = with_label(index, {0}, of_i);
  index = with_label(index, {0, 1, 2}, of_ijk);
  const MixedTensor tensor({"i", "j", "k", "of_k", "of_jk", "of_ij", "of_i", "of_ijk"}, index,
                           {numbers({22}, 17)});
  const Plan plan = make_plan({{"i", ModeKind::kTopology, {}, {}},
                               {"j", ModeKind::kTopology, {}, {}},
                               {"k", ModeKind::kTopology, {}, "k"},
                               {"of_k", ModeKind::kLabel, {"k"}, {}},
                               {"of_jk", ModeKind::kLabel, {"j", "k"}, {}},
                               {"of_ij", ModeKind::kLabel, {"i", "j"}, {}},
                               {"of_i", ModeKind::kLabel, {"i"}, {}},
                               {"of_ijk", ModeKind::kLabel, {"i", "j", "k"}, {}}},
                              "i");
  const Tables tables = {{"i", numbers({5, 3}, 20)},     {"k", numbers({3, 2}, 21)},
                         {"of_k", numbers({2, 2}, 22)},  {"of_jk", numbers({3, 4}, 23)},
                         {"of_ij", numbers({3, 2}, 24)}, {"of_i", numbers({2, 3}, 25)},
                         {"of_ijk", numbers({2, 1}, 26)}};
  const std::vector<torch::Tensor> set = dense_set(run(plan, tensor, tables), 4);

  const MixedTensor plain({"i", "j", "k"}, triples, {tensor.values()[0]});
  const torch::Tensor is_stored = stored(plain, sizes);
  const torch::Tensor pair_stored = is_stored.sum(2).gt(0).to(torch::kDouble);
  const torch::Tensor occurs = pair_stored.sum(1).gt(0).to(torch::kDouble).unsqueeze(1);
  const torch::Tensor& k = tables.at("k");
  const torch::Tensor& e = tables.at("i");
  ASSERT_EQ(set.size(), 7U);
  expect_close(set[0], torch::einsum("ijk,ky,jz->iyz", {dense(plain, 0, sizes), k, e}), "weights");
  expect_close(set[1],
               torch::einsum("ijk,ijkx,ky,jz->ixyz",
                             {is_stored, embedded(tables.at("of_ijk"), of_ijk), k, e}),
               "of_ijk");
  expect_close(
      set[2],
      torch::einsum("ijk,jkx,ky,jz->ixyz", {is_stored, embedded(tables.at("of_jk"), of_jk), k, e}),
      "of_jk");
  expect_close(
      set[3],
      torch::einsum("ijk,kx,ky,jz->ixyz", {is_stored, embedded(tables.at("of_k"), of_k), k, e}),
      "of_k");
  // Embedded after the product over k, so counted once per pair and not once per entry.
  expect_close(
      set[4],
      torch::einsum("ij,ijx,jz->ixz", {pair_stored, embedded(tables.at("of_ij"), of_ij), e}),
      "of_ij");
  expect_close(set[5], embedded(tables.at("of_i"), of_i) * occurs, "of_i");
  expect_close(set[6], e.slice(0, 0, 4) * occurs, "i");
}

}  // namespace
}  // namespace bermuda::tensor
