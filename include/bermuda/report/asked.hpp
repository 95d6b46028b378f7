#pragma once

#include <cstddef>
#include <string>

namespace bermuda {

/// What models were asked beside the test graphs, as a column of figures beside accuracy.
struct AskedColumn {
  enum class Kind { kGraphs, kPairs, kRenumbered };
  std::string name;
  Kind kind = Kind::kGraphs;

  bool operator==(const AskedColumn&) const = default;
};

std::string asked_key(AskedColumn::Kind kind);    ///< "accuracy", "both_right", "changed"
std::string asked_words(AskedColumn::Kind kind);  ///< "pairs with both right"

/// What the models of a cell answered, in per cent.
struct AskedFigure {
  std::size_t runs = 0;
  double mean = 0;       ///< of graphs that are right, pairs with both right, or changed answers
  double deviation = 0;  ///< over runs; NaN for one
  double low = 0;        ///< Wilson's 95 % interval of one run; NaN of several
  double high = 0;
  double accuracy = 0;  ///< of single graphs
};

}  // namespace bermuda
