#include "bags.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
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

void number_columns(BagColumns& table, std::size_t graphs, std::vector<Symbol>& symbols) {
  std::vector<Symbol> kept;
  for (const auto& [key, column] : table) {
    if (teaches(table, key, column, graphs)) kept.push_back(key);
  }
  std::sort(kept.begin(), kept.end());
  for (const Symbol key : kept) {
    table[key].number = static_cast<int>(symbols.size());
    symbols.push_back(symbol_of(key));
  }
}

std::map<Symbol, int> number_measures(std::span<const Bag> bags, std::vector<Symbol>& symbols) {
  std::map<Symbol, int> numbers;
  for (const Bag& bag : bags) {
    for (const Bag::Measure& measure : bag.measures()) numbers.emplace(measure.symbol, 0);
  }
  for (auto& [symbol, number] : numbers) {
    number = static_cast<int>(symbols.size());
    symbols.push_back(symbol);
  }
  return numbers;
}

constexpr std::size_t kEighths = 8;

// How the values of one quantity become columns: the first holds deviations, those behind it are
// one for each part between two bounds.
struct Scale {
  int column = 0;
  double unit = 1;  // values are divided by it first, so that their squares stay finite
  double mean = 0;
  double deviation = 0;
  std::vector<double> bounds = {};  // ascending; a value belongs behind those below it

  double deviations(double value) const {
    return std::clamp((value / unit - mean) / deviation, -kMostDeviations, kMostDeviations);
  }
  int part(double value) const {
    return static_cast<int>(std::ranges::lower_bound(bounds, value) - bounds.begin());
  }
  int columns() const { return bounds.empty() ? 1 : 2 + static_cast<int>(bounds.size()); }
};

/// Nothing where all values are the same.
std::optional<Scale> scale_of(std::vector<double> values) {
  std::ranges::sort(values);
  if (values.front() == values.back()) return {};
  Scale scale;
  scale.unit = std::max(std::abs(values.front()), std::abs(values.back()));
  const auto count = static_cast<double>(values.size());
  for (const double value : values) scale.mean += value / scale.unit / count;
  for (const double value : values) {
    const double distance = value / scale.unit - scale.mean;
    scale.deviation += distance * distance / count;
  }
  scale.deviation = std::sqrt(scale.deviation);
  if (!(scale.deviation > 0)) return {};
  for (std::size_t eighth = 1; eighth < kEighths; ++eighth) {
    const double bound = values[eighth * (values.size() - 1) / kEighths];
    const double last = scale.bounds.empty() ? values.front() : scale.bounds.back();
    if (bound < values.back() && (scale.bounds.empty() || bound > last)) {
      scale.bounds.push_back(bound);
    }
  }
  return scale;
}

std::map<Symbol, Scale> scale_quantities(std::span<const Bag> bags, std::vector<Symbol>& symbols) {
  std::map<Symbol, std::vector<double>> values;
  for (const Bag& bag : bags) {
    for (const Bag::Measure& quantity : bag.quantities()) {
      values[quantity.symbol].push_back(quantity.value);
    }
  }
  std::map<Symbol, Scale> scales;
  for (auto& [symbol, found] : values) {
    std::optional<Scale> scale = scale_of(std::move(found));
    if (!scale) continue;
    scale->column = static_cast<int>(symbols.size());
    symbols.insert(symbols.end(), static_cast<std::size_t>(scale->columns()), symbol);
    scales.emplace(symbol, std::move(*scale));
  }
  return scales;
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

Encoding encode(std::span<const Bag> bags, StopPoll stop) {
  BagColumns table = tabulate(bags, stop);
  Encoding result;
  number_columns(table, bags.size(), result.symbols);
  const std::map<Symbol, int> measures = number_measures(bags, result.symbols);
  const std::map<Symbol, Scale> scales = scale_quantities(bags, result.symbols);
  result.matrix.columns = static_cast<int>(result.symbols.size());
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
    for (const Bag::Measure& quantity : bag.quantities()) {
      const auto found = scales.find(quantity.symbol);
      if (found == scales.end()) continue;
      const Scale& scale = found->second;
      row.push_back({scale.column, scale.deviations(quantity.value)});
      if (!scale.bounds.empty()) {
        row.push_back({scale.column + 1 + scale.part(quantity.value), 1.0});
      }
    }
    result.matrix.add_row(row);
  }
  return result;
}

}  // namespace bermuda
