#include "bermuda/dataset/graph_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

constexpr const char* kPairsKey = "pairs";
constexpr const char* kCategoriesKey = "categories";

/// What stands before the ending, or nothing when the id ends otherwise.
std::string_view stem_of(std::string_view id, std::string_view ending) {
  return id.ends_with(ending) ? id.substr(0, id.size() - ending.size()) : std::string_view();
}

std::vector<std::string> named_categories(const DataSet& data) {
  std::vector<std::string> names;
  const auto& about = data.provenance.at(kPairsKey);
  if (!about.is_object() || !about.contains(kCategoriesKey)) return names;
  for (const auto& name : about.at(kCategoriesKey)) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

bool has_pairs(const DataSet& data) {
  return data.provenance.is_object() && data.provenance.contains(kPairsKey);
}

GraphPairs pairs_of(const DataSet& data) {
  if (!has_pairs(data)) throw UsageError(fmt::format("{}: no data set of pairs", data.name));
  GraphPairs result{named_categories(data), {}};
  const bool named = !result.categories.empty();
  if (!named) result.categories.emplace_back(kPairsKey);
  for (const Split& split : data.splits) {
    const std::vector<Sample>& samples = split.samples;
    for (std::size_t i = 0; i < samples.size(); i += 2) {
      const std::string_view stem = stem_of(samples[i].id, "-a");
      if (stem.empty() || i + 1 == samples.size() || stem_of(samples[i + 1].id, "-b") != stem) {
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
