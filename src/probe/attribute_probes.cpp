#include <algorithm>
#include <cmath>
#include <limits>

#include "ladder.hpp"

namespace bermuda {
namespace {

enum AttributeFigure { kSum, kMean, kLeast, kMost };

// Sums of huge numbers stay finite.
double finite(double value) {
  return std::clamp(value, std::numeric_limits<double>::lowest(),
                    std::numeric_limits<double>::max());
}

void add_attributes(const Graph& graph, Bag& bag) {
  const auto width = static_cast<std::size_t>(graph.attribute_width());
  const std::vector<double>& values = graph.attributes();
  if (width == 0 || values.empty()) return;
  const auto nodes = static_cast<double>(graph.node_count());
  for (std::size_t column = 0; column < width; ++column) {
    double sum = 0;
    double mean = 0;
    double least = values[column];
    double most = values[column];
    for (std::size_t i = column; i < values.size(); i += width) {
      sum = finite(sum + values[i]);
      mean += values[i] / nodes;
      least = std::min(least, values[i]);
      most = std::max(most, values[i]);
    }
    const auto put = [&](AttributeFigure figure, double value) {
      bag.quantity(make_symbol(SymbolKind::kAttribute, static_cast<int>(column), figure), value);
    };
    put(kSum, sum);
    put(kMean, finite(mean));
    put(kLeast, least);
    put(kMost, most);
  }
}

}  // namespace

void add_attribute_rungs(const LadderInput& input, Ladder& ladder) {
  if (!input.node_attributes) return;
  ladder.rungs.push_back(
      {{.name = "node-attributes",
        .description = "sum, mean, least and largest value of each node attribute; no edges",
        .kind = ProbeKind::kCounts,
        .subject = "node attributes",
        .sees = "sums and extremes of node attributes"},
       [samples = input.samples](std::size_t item, Bag& bag) {
         add_attributes(samples[item]->graph, bag);
       }});
}

}  // namespace bermuda
