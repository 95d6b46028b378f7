// The parts that the audit is made of, which are private to the module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../../src/probe/bags.hpp"
#include "../../src/probe/climb.hpp"
#include "../../src/probe/expressivity.hpp"
#include "../../src/probe/node_index.hpp"
#include "audit_data.hpp"

namespace bermuda {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

TEST(Bags, CountsUpTo32HaveTheirOwnBinsThenEightPerOctave) {
  EXPECT_EQ(bin_of_count(1), 1);
  EXPECT_EQ(bin_of_count(32), 32);
  EXPECT_EQ(bin_of_count(33), 33);
  EXPECT_EQ(bin_of_count(63), 40);
  EXPECT_EQ(bin_of_count(64), 41);
  EXPECT_LT(bin_of_count(~std::uint64_t{0}), 1 << kBinBits);
}

Bag bag_of(std::vector<std::pair<int, std::uint64_t>> degrees) {
  Bag bag;
  for (const auto& [degree, count] : degrees) {
    bag.add(make_symbol(SymbolKind::kDegree, degree), count);
  }
  bag.close();
  return bag;
}

TEST(Bags, EqualSymbolsAddUp) {
  const Bag bag = bag_of({{2, 1}, {1, 1}, {2, 3}, {5, 0}});
  ASSERT_EQ(bag.items().size(), 2u);
  EXPECT_EQ(bag.items()[0].count, 1u);
  EXPECT_EQ(bag.items()[1].count, 4u);
}

TEST(Bags, EncodingScalesCountsAndKeepsOnlyColumnsThatTeach) {
  // Degree 1: counts 2, 4, 6, 2 in all graphs; degree 2: once in two graphs; degree 3: in one
  // graph.
  const std::vector<Bag> bags = {bag_of({{1, 2}, {2, 1}}), bag_of({{1, 4}}),
                                 bag_of({{1, 6}, {3, 7}}), bag_of({{1, 2}, {2, 1}})};
  const Encoding encoding = encode(bags);
  const SparseMatrix& matrix = encoding.matrix;
  // Scaled degree 1, "degree 1 twice", scaled degree 2 (its only bin would be the same).
  EXPECT_EQ(matrix.columns, 3);
  EXPECT_THAT(encoding.symbols,
              ElementsAre(make_symbol(SymbolKind::kDegree, 1), make_symbol(SymbolKind::kDegree, 1),
                          make_symbol(SymbolKind::kDegree, 2)));
  const auto row = [&](std::size_t index) {
    const auto entries = matrix.row(index);
    return std::vector<SparseMatrix::Entry>(entries.begin(), entries.end());
  };
  using Entry = SparseMatrix::Entry;
  EXPECT_EQ(row(0), (std::vector<Entry>{{1, 1.0}, {2, 1.0}}));
  EXPECT_EQ(row(1), (std::vector<Entry>{{0, 0.5}}));
  EXPECT_EQ(row(2), (std::vector<Entry>{{0, 1.0}}));
}

TEST(Bags, MeasuresFollowTheCounts) {
  std::vector<Bag> bags = {bag_of({{1, 1}}), bag_of({{1, 2}}), bag_of({{1, 1}})};
  bags[0].measure(make_symbol(SymbolKind::kPositionDistance, 3), -1.5);
  bags[2].measure(make_symbol(SymbolKind::kPositionDistance, 2), 0.5);
  const SparseMatrix matrix = encode(bags).matrix;
  ASSERT_EQ(matrix.columns, 4);  // scaled degree 1, "degree 1 once", two measures
  EXPECT_EQ(matrix.row(0).back(), (SparseMatrix::Entry{3, -1.5}));
  EXPECT_EQ(matrix.row(2).back(), (SparseMatrix::Entry{2, 0.5}));
}

Bag bag_with(double value) {
  Bag bag;
  bag.quantity(make_symbol(SymbolKind::kAttribute), value);
  bag.quantity(make_symbol(SymbolKind::kAttribute, 1), 4.0);
  return bag;
}

TEST(Bags, QuantitiesAreScaledAndCutIntoEighths) {
  // Mean 5, deviation 3; the second quantity is always the same.
  const std::vector<Bag> bags = {bag_with(2), bag_with(2), bag_with(8), bag_with(8)};
  const Encoding encoding = encode(bags);
  ASSERT_EQ(encoding.matrix.columns, 3);  // deviations, up to 2, above
  const auto first = encoding.matrix.row(0);
  const auto last = encoding.matrix.row(3);
  EXPECT_EQ(first[0].column, 0);
  EXPECT_DOUBLE_EQ(first[0].value, -1);
  EXPECT_EQ(first[1], (SparseMatrix::Entry{1, 1.0}));
  EXPECT_DOUBLE_EQ(last[0].value, 1);
  EXPECT_EQ(last[1], (SparseMatrix::Entry{2, 1.0}));
}

TEST(Bags, QuantitiesOfAnySizeStayFinite) {
  std::vector<Bag> bags(500, bag_with(-1.7e308));
  for (int i = 0; i < 10; ++i) bags.push_back(bag_with(1e-300 * i));
  bags.push_back(bag_with(1.7e308));
  for (const SparseMatrix::Entry& entry : encode(bags).matrix.entries) {
    EXPECT_LE(std::abs(entry.value), kMostDeviations);
  }
  EXPECT_EQ(encode(std::vector<Bag>(3, bag_with(0))).matrix.columns, 0);
}

TEST(Effect, TheIntervalDecidesTheWord) {
  const auto name = [](double low, double high) {
    return name_of(effect_of((low + high) / 2, {low, high}));
  };
  EXPECT_EQ(name(-0.05, -0.01), "below");
  EXPECT_EQ(name(-0.01, 0.02), "none");
  EXPECT_EQ(name(0.006, 0.054), "hint");
  EXPECT_EQ(name(0.043, 0.074), "clear");
  EXPECT_EQ(name(0.09, 0.14), "clear");
  EXPECT_EQ(name(0.299, 0.398), "strong");
  EXPECT_EQ(words_of(Effect::kNone), "no effect found");
}

TEST(Climb, AProbeThatContainsAnotherIsNotFarBelowIt) {
  // One column tells the class; a hundred random ones beside it mislead.
  std::vector<int> labels;
  for (int i = 0; i < 120; ++i) labels.push_back(i % 2);
  const auto tell = [&](std::size_t item, Bag& bag) {
    bag.add(make_symbol(SymbolKind::kNodes), 1 + static_cast<std::uint64_t>(labels[item]));
  };
  const auto mislead = [&](std::size_t item, Bag& bag) {
    tell(item, bag);
    RandomStream random(7, Purpose::kTest, item);
    for (int i = 0; i < 300; ++i) {
      bag.measure(make_symbol(SymbolKind::kPositionDistance, i), 8 * random.uniform() - 4);
    }
  };
  const auto right = [&](const std::vector<std::string>& contains) {
    Climb climb(labels, 2, stratified_folds(labels, 2, 10, 1), {});
    climb.ask({{.name = "few"}, tell});
    const std::vector<int> said = climb.ask({{.name = "many"}, mislead, contains}).found.predicted;
    int count = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) count += said[i] == labels[i] ? 1 : 0;
    return count;
  };
  EXPECT_LT(right({}), 110);
  EXPECT_EQ(right({"few"}), 120);
}

TEST(Agreement, ByHand) {
  const std::vector<std::size_t> groups = {7, 7, 7, 1, 1, 4};
  const std::vector<int> labels = {0, 1, 1, 0, 0, 1};
  const Agreement found = measure_agreement(groups, labels);
  EXPECT_EQ(found.groups, 3u);
  EXPECT_EQ(found.repeated_groups, 2u);
  EXPECT_EQ(found.conflicting, 3u);
  EXPECT_DOUBLE_EQ(found.best_accuracy, 5.0 / 6.0);
}

TEST(NodeIndex, ShuffledOrderIsAPermutationAndAFunctionOfSeedAndItem) {
  const std::vector<int> places = shuffled_order(20, 1, 5);
  EXPECT_THAT(places, UnorderedElementsAreArray(file_order(20)));
  EXPECT_NE(places, file_order(20));
  EXPECT_EQ(places, shuffled_order(20, 1, 5));
  EXPECT_NE(places, shuffled_order(20, 1, 6));
  EXPECT_NE(places, shuffled_order(20, 2, 5));
}

Bag places_of(const Graph& graph, const std::vector<int>& places) {
  Bag bag;
  add_node_places(graph, {}, places, bag);
  bag.close();
  return bag;
}

std::vector<Symbol> symbols_of(const Graph& graph, const std::vector<int>& places) {
  const Bag bag = places_of(graph, places);
  std::vector<Symbol> symbols;
  for (const Bag::Item& item : bag.items()) symbols.push_back(item.symbol);
  return symbols;
}

std::vector<double> distances_of(const Graph& graph, const std::vector<int>& places) {
  const Bag bag = places_of(graph, places);
  std::vector<double> values;
  for (const Bag::Measure& measure : bag.measures()) values.push_back(measure.value);
  return values;
}

TEST(NodeIndex, PlacesCountFromBothEnds) {
  // Path 0-1-2: from each end 3 degrees and 2 edges.
  const std::vector<Symbol> symbols = symbols_of(test::path(3), file_order(3));
  EXPECT_EQ(symbols.size(), 10u);
  EXPECT_THAT(symbols, Contains(make_symbol(SymbolKind::kPositionDegree, 1, 2)));
  EXPECT_THAT(symbols, Contains(make_symbol(SymbolKind::kPositionEdge, 1, 2)));
  // Renumbering the places is the same as renumbering the nodes.
  EXPECT_EQ(symbols_of(test::star(5, 0), {4, 1, 2, 3, 0}),
            symbols_of(test::star(5, 4), file_order(5)));
  EXPECT_NE(symbols_of(test::star(5, 0), file_order(5)),
            symbols_of(test::star(5, 4), file_order(5)));
}

TEST(NodeIndex, DistancesAreMeasuredAgainstTheMeanOfTheirEnds) {
  // Path 0-1-2: the ends are 1.5 steps from the others on average, the middle is 1.
  EXPECT_THAT(distances_of(test::path(3), file_order(3)),
              ElementsAre(-0.25, 0.5, -0.25, -0.25, 0.5, -0.25));
}

TEST(NodeIndex, DistancesAreZeroOnAverageOverAllOrders) {
  const Graph path_and_node(4, {{0, 1}, {1, 2}});
  std::vector<int> places = file_order(4);
  std::vector<double> sums(12, 0.0);
  do {
    const std::vector<double> values = distances_of(path_and_node, places);
    ASSERT_EQ(values.size(), sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
  } while (std::next_permutation(places.begin(), places.end()));
  EXPECT_THAT(sums, Each(DoubleNear(0.0, 1e-9)));
}

}  // namespace
}  // namespace bermuda
