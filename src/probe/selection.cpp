#include "selection.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "bermuda/core/error.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/graph/canonical.hpp"

namespace bermuda {
namespace {

using Pool = std::vector<std::uint32_t>;  // indices of candidates
using Quota = std::array<int, kSplits>;   // how many items each split still wants

// The share of each bucket in `wanted` items: easy ones spread evenly over buckets 1..last, what
// does not divide goes to the first of them.
std::vector<int> bucket_shares(int wanted, int buckets, double easy_share) {
  std::vector<int> shares(static_cast<std::size_t>(buckets), 0);
  const int easy = static_cast<int>(std::lround(wanted * easy_share));
  shares[0] = wanted - easy;
  for (int i = 0; i < easy; ++i) ++shares[static_cast<std::size_t>(1 + i % (buckets - 1))];
  return shares;
}

class Selector {
 public:
  Selector(const SampleSource& source, bool allow_isomorphs, std::uint64_t seed,
           const StopPoll& stop)
      : source_(source), allow_isomorphs_(allow_isomorphs), seed_(seed), stop_(stop) {}

  /// Takes items from the pool (a random order of one bucket) while the quota wants any; items
  /// not taken stay in the pool.
  void take(Pool& pool, Quota& quota) {
    Pool left;
    for (const std::uint32_t item : pool) {
      stop_.now();
      const int open = std::accumulate(quota.begin(), quota.end(), 0);
      const int split = open > 0 ? split_for(item, quota, open) : -1;
      if (split < 0) {
        left.push_back(item);
        continue;
      }
      selection.chosen[split].push_back(item);
      --quota[static_cast<std::size_t>(split)];
    }
    pool = std::move(left);
  }

  Selection selection;

 private:
  // A split that wants the item, drawn in proportion to what each still wants; -1 when the item's
  // isomorphism class belongs to a split that wants no more.
  int split_for(std::size_t item, const Quota& quota, int open) {
    RandomStream random(seed_, Purpose::kSplit, item);
    int draw = random.between(0, open - 1);
    int split = 0;
    while (draw >= quota[static_cast<std::size_t>(split)]) {
      draw -= quota[static_cast<std::size_t>(split++)];
    }
    if (allow_isomorphs_) return split;
    const auto [entry, fresh] =
        home_.try_emplace(canonical_form(source_.at(item, stop_).graph, stop_), split);
    if (fresh || entry->second == split) return split;
    ++selection.isomorphs_avoided;
    return quota[static_cast<std::size_t>(entry->second)] > 0 ? entry->second : -1;
  }

  const SampleSource& source_;
  bool allow_isomorphs_;
  std::uint64_t seed_;
  StopPoll stop_;
  std::unordered_map<std::string, int> home_;  // isomorphism class -> split
};

}  // namespace

Selection select_candidates(const SampleSource& source, const HitCounts& counts,
                            const FilterOptions& options, std::uint64_t seed,
                            const Execution& execution) {
  const int buckets = options.folds - options.train_folds + 1;
  const std::array<int, kSplits> sizes = {options.train, options.valid, options.test};
  const bool misses_only = options.easy_share <= 0;
  Selector selector(source, options.allow_isomorphs, seed, execution);

  for (int label = 0; label < 2; ++label) {
    std::vector<Pool> pools(static_cast<std::size_t>(buckets));
    for (std::uint32_t i = 0; i < counts.labels.size(); ++i) {
      if (counts.labels[i] == label) pools[counts.hits[i]].push_back(i);
    }
    std::vector<Quota> quotas(static_cast<std::size_t>(buckets));
    for (std::size_t split = 0; split < kSplits; ++split) {
      const auto shares = bucket_shares(sizes[split] / 2, buckets, options.easy_share);
      for (std::size_t b = 0; b < shares.size(); ++b) quotas[b][split] = shares[b];
    }

    Quota missing{};
    // A second walk lets what the last bucket lacks come from the first ones.
    for (int step = 0; step < 2 * buckets; ++step) {
      execution.check_stop();
      const auto bucket = static_cast<std::size_t>(step % buckets);
      if (misses_only && bucket != 0) continue;
      Quota quota = missing;
      if (step < buckets) {
        RandomStream random(seed, Purpose::kFilterSelection,
                            static_cast<std::uint64_t>(label) << 32 | bucket);
        random.shuffle(std::span(pools[bucket]));
        for (std::size_t s = 0; s < kSplits; ++s) quota[s] += quotas[bucket][s];
      }
      selector.take(pools[bucket], quota);
      missing = quota;
      const int short_by = std::accumulate(missing.begin(), missing.end(), 0);
      if (short_by == 0 && step >= buckets) break;
      if (short_by > 0 && step < 2 * buckets - 1 && !misses_only) {
        selector.selection.refills.push_back(
            fmt::format("class {}: {} items that bucket {} lacks are taken from bucket {}", label,
                        short_by, bucket, (bucket + 1) % static_cast<std::size_t>(buckets)));
      }
    }
    const int lacking = std::accumulate(missing.begin(), missing.end(), 0);
    if (lacking > 0) {
      throw UsageError(fmt::format(
          "{} graphs of class {} are lacking: {} candidates do not suffice for train {}, valid {} "
          "and test {}{}",
          lacking, label, source.size(), options.train, options.valid, options.test,
          misses_only ? " from misses only" : ""));
    }
  }

  for (int split = 0; split < kSplits; ++split) {
    RandomStream random(seed, Purpose::kFilterSelection, std::uint64_t{1} << 40,
                        static_cast<std::uint32_t>(split));
    random.shuffle(std::span(selector.selection.chosen[split]));
  }
  return std::move(selector.selection);
}

}  // namespace bermuda
