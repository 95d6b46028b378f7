#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/stop.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/linear/sparse_matrix.hpp"

namespace bermuda {

/// What a probe may count in a graph. Values only need to differ.
enum class SymbolKind : std::uint64_t {
  kNodes,
  kEdges,
  kDegree,
  kDegreePair,
  kColour,
  kGraphlet,
  kPositionDegree,
  kPositionLabel,
  kPositionEdge,
  kPositionDistance,
  kAttribute,
};

/// A thing that a probe counts, as one number: kind, two details, and room for a count's bin.
using Symbol = std::uint64_t;

inline constexpr int kBinBits = 10;
inline constexpr int kDetailBits = 24;
inline constexpr int kLargestDetail = (1 << kDetailBits) - 1;

constexpr Symbol make_symbol(SymbolKind kind, int a = 0, int b = 0) {
  const auto detail = [](int value) {
    return static_cast<Symbol>(value < kLargestDetail ? value : kLargestDetail);
  };
  return (static_cast<Symbol>(kind) << (2 * kDetailBits) | detail(a) << kDetailBits | detail(b))
         << kBinBits;
}

/// How often a graph shows each symbol, and what was measured of it.
class Bag {
 public:
  struct Item {
    Symbol symbol;
    std::uint64_t count;
  };
  struct Measure {
    Symbol symbol;
    double value;
  };
  void add(Symbol symbol, std::uint64_t count = 1) {
    if (count > 0) items_.push_back({symbol, count});
  }
  /// A number that goes to the model as it is; once per symbol.
  void measure(Symbol symbol, double value) { measures_.push_back({symbol, value}); }
  /// A finite number of any scale, which encode() makes comparable; once per symbol.
  void quantity(Symbol symbol, double value) { quantities_.push_back({symbol, value}); }
  /// Sorts by symbol and adds up equal counts; call once all is added.
  void close();
  std::span<const Item> items() const { return items_; }
  std::span<const Measure> measures() const { return measures_; }
  std::span<const Measure> quantities() const { return quantities_; }

 private:
  std::vector<Item> items_;
  std::vector<Measure> measures_;
  std::vector<Measure> quantities_;
};

inline constexpr double kMostDeviations = 10;

/// Which one-of-many column a count falls into: itself up to 32, then eight bins per octave.
int bin_of_count(std::uint64_t count);

/// Features for a linear model, and what each column is of.
struct Encoding {
  SparseMatrix matrix;
  std::vector<Symbol> symbols;  ///< by column
};

/// Counts for a linear model. A symbol has one column that rises with its count, scaled to 0..1
/// over the data set, and one column for each bin of counts that occurs, so that the model can
/// also tell 0 from 1, or odd from even. Columns that only one graph has teach nothing about other
/// graphs and are left out, and so are those that are the same in all graphs.
///
/// Measures have a column each, after those of the counts, and quantities after these: one column
/// in standard deviations from the mean over the data set (at most kMostDeviations; 0 where a graph
/// has none), and one for each eighth of the sorted values.
Encoding encode(std::span<const Bag> bags, StopPoll stop = {});

}  // namespace bermuda
