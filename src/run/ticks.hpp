#pragma once

#include <string>
#include <vector>

namespace bermuda {

/// The marks of an axis: round numbers, evenly spaced, that cover the figures.
struct Ticks {
  std::vector<double> values;  ///< at least two, ascending
  int decimals = 0;            ///< that tell neighbours apart

  double low() const { return values.front(); }
  double high() const { return values.back(); }
  std::string text(double value) const;
};

/// About five steps of 1, 2 or 5 times a power of ten from at most low to at least high.
Ticks round_ticks(double low, double high);

/// Round numbers of epochs in 1..last, and always 1.
std::vector<double> epoch_ticks(double last);

}  // namespace bermuda
