#include "ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bermuda {
namespace {

constexpr double kSteps = 5;

double round_step(double span) {
  const double rough = span / kSteps;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::string Ticks::text(double value) const { return fmt::format("{:.{}f}", value, decimals); }

Ticks round_ticks(double low, double high) {
  if (!(high > low)) high = low + std::max(std::abs(low) * 0.1, 0.01);
  const double step = round_step(high - low);
  Ticks ticks;
  ticks.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const double first = std::floor(low / step + 1e-9);
  const double last = std::ceil(high / step - 1e-9);
  for (double i = first; i <= last; ++i) ticks.values.push_back(i * step);
  return ticks;
}

std::vector<double> epoch_ticks(double last) {
  std::vector<double> ticks = {1};
  if (last < 2) return ticks;
  const double step = std::max(1.0, round_step(last));
  // A mark right beside the 1 would run into it.
  for (double epoch = step == 1 ? 2 : step; epoch <= last; epoch += step) ticks.push_back(epoch);
  return ticks;
}

}  // namespace bermuda
