#include "bermuda/dataset/pairs.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace bermuda {
namespace {

constexpr std::string_view kFirstTwin = "-a";
constexpr std::string_view kSecondTwin = "-b";

}  // namespace

bool has_pairs(const DataSet& data) {
  const auto pairs = data.provenance.find("pairs");
  return pairs != data.provenance.end() && pairs->is_object();
}

std::string_view pair_of(std::string_view id) {
  if (!id.ends_with(kFirstTwin) && !id.ends_with(kSecondTwin)) return {};
  return id.substr(0, id.size() - kFirstTwin.size());
}

bool are_twins(const Sample& first, const Sample& second) {
  return first.id.ends_with(kFirstTwin) && second.id.ends_with(kSecondTwin) &&
         !pair_of(first.id).empty() && pair_of(first.id) == pair_of(second.id);
}

std::vector<std::pair<std::size_t, std::size_t>> find_pairs(
    std::span<const Sample* const> samples) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    if (!are_twins(*samples[i], *samples[i + 1])) continue;
    pairs.emplace_back(i, i + 1);
    ++i;
  }
  return pairs;
}

std::vector<std::size_t> pair_groups(std::span<const Sample* const> samples) {
  std::unordered_map<std::string_view, std::size_t> known;
  std::vector<std::size_t> groups(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::string_view pair = pair_of(samples[i]->id);
    groups[i] = pair.empty() ? i : known.try_emplace(pair, i).first->second;
  }
  return groups;
}

std::vector<std::size_t> merged_groups(std::span<const std::size_t> first,
                                       std::span<const std::size_t> second) {
  // Each item leads on to an earlier one of the same group, the first of all to itself.
  std::vector<std::size_t> leader(first.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto leader_of = [&](std::size_t item) {
    while (leader[item] != item) item = leader[item] = leader[leader[item]];
    return item;
  };
  for (const auto& groups : {first, second}) {
    std::unordered_map<std::size_t, std::size_t> known;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::size_t one = leader_of(known.try_emplace(groups[i], i).first->second);
      const std::size_t other = leader_of(i);
      leader[std::max(one, other)] = std::min(one, other);
    }
  }
  for (std::size_t i = 0; i < leader.size(); ++i) leader[i] = leader_of(i);
  return leader;
}

}  // namespace bermuda
