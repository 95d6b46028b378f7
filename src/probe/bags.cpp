#include "bags.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace bermuda {
namespace {

constexpr std::uint64_t kExactCounts = 32;
constexpr double kBinsPerOctave = 8;

// A column is named by symbol | bin; bin 0 is the scaled count.
struct Column {
  std::size_t graphs = 0;
  std::uint64_t smallest = ~std::uint64_t{0};  // counts of the graphs that have the symbol
  std::uint64_t largest = 0;
  int number = -1;
};

using BagColumns = std::unordered_map<Symbol, Column>;

BagColumns tabulate(std::span<const Bag> bags, StopPoll& stop) {
  BagColumns table;
  for (const Bag& bag : bags) {
    for (const Bag::Item& item : bag.items()) {
      stop();
      Column& scaled = table[item.symbol];
      ++scaled.graphs;
      scaled.smallest = std::min(scaled.smallest, item.count);
      scaled.largest = std::max(scaled.largest, item.count);
      ++table[item.symbol | static_cast<Symbol>(bin_of_count(item.count))].graphs;
    }
  }
  return table;
}

bool is_bin(Symbol key) { return (key & ((Symbol{1} << kBinBits) - 1)) != 0; }
Symbol symbol_of(Symbol key) { return key >> kBinBits << kBinBits; }

// Where some graph lacks the symbol, its smallest count is 0 and the scaled column stays sparse.
std::uint64_t base_count(const Column& scaled, std::size_t graphs) {
  return scaled.graphs == graphs ? scaled.smallest : 0;
}

bool teaches(const BagColumns& table, Symbol key, const Column& column, std::size_t graphs) {
  if (column.graphs < 2) return false;
  const Column& scaled = table.at(symbol_of(key));
  if (!is_bin(key)) return scaled.largest > base_count(scaled, graphs);
  // With a single count the bin would repeat the scaled column.
  return column.graphs < graphs && scaled.largest > scaled.smallest;
}

int number_columns(BagColumns& table, std::size_t graphs) {
  std::vector<Symbol> kept;
  for (const auto& [key, column] : table) {
    if (teaches(table, key, column, graphs)) kept.push_back(key);
  }
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) table[kept[i]].number = static_cast<int>(i);
  return static_cast<int>(kept.size());
}

std::map<Symbol, int> number_measures(std::span<const Bag> bags, int first) {
  std::map<Symbol, int> numbers;
  for (const Bag& bag : bags) {
    for (const Bag::Measure& measure : bag.measures()) numbers.emplace(measure.symbol, 0);
  }
  for (auto& [symbol, number] : numbers) number = first++;
  return numbers;
}

}  // namespace

void Bag::close() {
  std::sort(items_.begin(), items_.end(),
            [](const Item& a, const Item& b) { return a.symbol < b.symbol; });
  std::size_t kept = 0;
  for (const Item& item : items_) {
    if (kept > 0 && items_[kept - 1].symbol == item.symbol) {
      items_[kept - 1].count += item.count;
    } else {
      items_[kept++] = item;
    }
  }
  items_.resize(kept);
}

int bin_of_count(std::uint64_t count) {
  if (count <= kExactCounts) return static_cast<int>(count);
  const double octaves = std::log2(static_cast<double>(count) / static_cast<double>(kExactCounts));
  return static_cast<int>(kExactCounts) + 1 + static_cast<int>(octaves * kBinsPerOctave);
}

SparseMatrix encode(std::span<const Bag> bags, StopPoll stop) {
  BagColumns table = tabulate(bags, stop);
  SparseMatrix matrix;
  const int count_columns = number_columns(table, bags.size());
  const std::map<Symbol, int> measures = number_measures(bags, count_columns);
  matrix.columns = count_columns + static_cast<int>(measures.size());
  std::vector<SparseMatrix::Entry> row;
  for (const Bag& bag : bags) {
    row.clear();
    for (const Bag::Item& item : bag.items()) {
      stop();
      const Column& scaled = table.at(item.symbol);
      const std::uint64_t base = base_count(scaled, bags.size());
      if (scaled.number >= 0 && item.count > base) {
        row.push_back({scaled.number, static_cast<double>(item.count - base) /
                                          static_cast<double>(scaled.largest - base)});
      }
      const auto bin = static_cast<Symbol>(bin_of_count(item.count));
      const int number = table.at(item.symbol | bin).number;
      if (number >= 0) row.push_back({number, 1.0});
    }
    for (const Bag::Measure& measure : bag.measures()) {
      row.push_back({measures.at(measure.symbol), measure.value});
    }
    matrix.add_row(row);
  }
  return matrix;
}

}  // namespace bermuda
