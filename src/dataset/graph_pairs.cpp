#include "bermuda/dataset/graph_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

constexpr const char* kPairsKey = "pairs";
constexpr const char* kCategoriesKey = "categories";

std::vector<std::string> named_categories(const DataSet& data) {
  std::vector<std::string> names;
  const auto& about = data.provenance.at(kPairsKey);
  if (!about.contains(kCategoriesKey)) return names;
  for (const auto& name : about.at(kCategoriesKey)) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

GraphPairs pairs_of(const DataSet& data) {
  if (!has_pairs(data)) throw UsageError(fmt::format("{}: no data set of pairs", data.name));
  GraphPairs result{named_categories(data), {}};
  const bool named = !result.categories.empty();
  if (!named) result.categories.emplace_back(kPairsKey);
  for (const Split& split : data.splits) {
    const std::vector<Sample>& samples = split.samples;
    for (std::size_t i = 0; i < samples.size(); i += 2) {
      if (i + 1 == samples.size() || !are_twins(samples[i], samples[i + 1])) {
        throw UsageError(fmt::format(
            "{}: found graph {} without its twin behind it, expected ids that end in -a and -b",
            data.name, in_quotes(samples[i].id)));
      }
      GraphPair pair{&samples[i], &samples[i + 1], 0};
      if (named) {
        const auto found = std::ranges::find(result.categories, samples[i].origin);
        if (found == result.categories.end()) {
          throw UsageError(fmt::format("{}: found graph {} of origin {}, expected a category",
                                       data.name, in_quotes(samples[i].id),
                                       in_quotes(samples[i].origin)));
        }
        pair.category = static_cast<int>(found - result.categories.begin());
      }
      result.pairs.push_back(pair);
    }
  }
  return result;
}

}  // namespace bermuda
