#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>

#include "bermuda/core/portable_math.hpp"
#include "bermuda/core/team.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/graph/graph6.hpp"
#include "bermuda/linear/logistic.hpp"
#include "bermuda/probe/features.hpp"
#include "bermuda/probe/filter.hpp"

namespace bermuda {
namespace {

/// What rounds found out about the items they validated, as one array of counts: it adds up over
/// rounds and over ranks, in any order.
class Tally {
 public:
  enum Figure : std::size_t { kValidated, kRight, kConfident, kConfidentRight = 4, kItems = 6 };

  explicit Tally(std::size_t items) : counts_(kItems + items, 0) {}
  explicit Tally(std::string_view bytes) : counts_(bytes.size() / sizeof(std::uint64_t)) {
    std::memcpy(counts_.data(), bytes.data(), bytes.size());
  }

  void count(std::size_t figure) { ++counts_[figure]; }
  std::size_t operator[](std::size_t figure) const { return counts_[figure]; }
  void add(const Tally& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(counts_.data()), counts_.size() * sizeof counts_[0]};
  }

  HitCounts hit_counts() const {
    const auto share = [&](std::size_t part, std::size_t whole) {
      return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    const auto& c = counts_;
    HitCounts result;
    result.hits.assign(c.begin() + kItems, c.end());
    result.figures = {
        share(c[kRight], c[kValidated]),
        share(c[kConfident] + c[kConfident + 1], c[kValidated]),
        share(c[kConfidentRight] + c[kConfidentRight + 1], c[kConfident] + c[kConfident + 1]),
        {share(c[kConfidentRight], c[kConfident]),
         share(c[kConfidentRight + 1], c[kConfident + 1])}};
    return result;
  }

 private:
  std::vector<std::uint64_t> counts_;
};

/// The rounds over graphs of which many have the same features: each row is scored once.
class Rounds {
 public:
  Rounds(std::span<const Sample* const> samples, const FilterOptions& options,
         const Execution& execution)
      : options_(options),
        labels_(labels_of(samples)),
        features_(merge_equal_rows(undermanned_features(samples, execution))) {}

  LogisticFit train(int round, const Execution& execution, const LogisticFit* start) const {
    RowCounts counts{std::vector<double>(features_.rows.rows(), 0.0),
                     std::vector<double>(features_.rows.rows(), 0.0)};
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (!trains(i, round)) continue;
      counts.total[features_.row_of[i]] += 1;
      counts.ones[features_.row_of[i]] += labels_[i];
    }
    return fit_logistic(features_.rows, counts, {.cost = options_.cost}, execution, start);
  }

  Tally validate(int round, const LogisticFit& fit) const {
    std::vector<double> ones(features_.rows.rows());
    for (std::size_t row = 0; row < ones.size(); ++row) {
      ones[row] = portable_logistic(fit.score(features_.rows.row(row)));
    }
    Tally tally(labels_.size());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (trains(i, round)) continue;
      const double one = ones[features_.row_of[i]];
      const bool right = (one > 0.5) == (labels_[i] == 1);
      const bool confident = std::abs(1.0 - 2.0 * one) > options_.confidence;
      const auto label = static_cast<std::size_t>(labels_[i]);
      tally.count(Tally::kValidated);
      if (right) tally.count(Tally::kRight);
      if (confident) tally.count(Tally::kConfident + label);
      if (right && confident) {
        tally.count(Tally::kConfidentRight + label);
        tally.count(Tally::kItems + i);
      }
    }
    return tally;
  }

 private:
  bool trains(std::size_t item, int round) const {
    const int fold = static_cast<int>(item % static_cast<std::size_t>(options_.folds));
    return (fold - round + options_.folds) % options_.folds < options_.train_folds;
  }

  const FilterOptions& options_;
  std::vector<int> labels_;
  DistinctRows features_;
};

// What the features are made of: one line per graph, its class and graph6.
std::string graph_lines(std::span<const Sample* const> samples) {
  std::string text;
  for (const Sample* sample : samples) {
    text += std::to_string(sample->label) + ' ' + encode_graph6(sample->graph) + '\n';
  }
  return text;
}

std::vector<Sample> parse_graph_lines(std::string_view text) {
  std::vector<Sample> samples;
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    Sample& sample = samples.emplace_back();
    sample.label = line.front() - '0';
    sample.graph = decode_graph6(line.substr(2), std::numeric_limits<int>::max());
  }
  return samples;
}

// Rounds take equally long, so dealing them out evenly is enough. What does not divide goes to the
// last ranks: rank 0 validates round 0.
std::vector<int> rounds_of(const Team& team, int folds) {
  std::vector<int> rounds;
  for (int round = 1; round < folds; ++round) {
    if ((round - 1) % team.size() == team.size() - 1 - team.rank()) rounds.push_back(round);
  }
  return rounds;
}

}  // namespace

HitCounts count_hits(std::span<const Sample* const> samples, const FilterOptions& options,
                     const Execution& execution) {
  const std::shared_ptr<Team> ranks = team_of(execution);
  Team& team = *ranks;
  std::vector<Sample> received;
  std::vector<const Sample*> pointers;
  if (team.size() > 1) {
    std::string lines = team.in_charge() ? graph_lines(samples) : std::string();
    team.broadcast(lines);
    if (!team.in_charge()) received = parse_graph_lines(lines);
    for (const Sample& sample : received) pointers.push_back(&sample);
    if (!team.in_charge()) samples = pointers;
  }

  const std::vector<int> own = rounds_of(team, options.folds);
  const Stage stage(execution, "filter rounds", static_cast<std::size_t>(options.folds));
  const Rounds rounds(samples, options, execution);
  Tally tally(samples.size());
  // All ranks begin with round 0, from which they start the others: it comes out the same
  // everywhere, and waiting for it would take as long.
  const LogisticFit first = rounds.train(0, execution, nullptr);
  if (team.in_charge()) tally.add(rounds.validate(0, first));
  stage.advance(1);
  std::mutex mutex;
  parallel_for(execution, own.size(), 1, [&](std::size_t number, std::size_t) {
    const Tally result = rounds.validate(own[number], rounds.train(own[number], execution, &first));
    const std::lock_guard lock(mutex);
    tally.add(result);
    stage.advance(1);
  });

  const std::vector<std::string> parts = team.gather(tally.bytes());
  if (!team.in_charge()) return {};
  stage.advance(static_cast<std::size_t>(options.folds) - 1 - own.size());
  for (std::size_t rank = 1; rank < parts.size(); ++rank) tally.add(Tally(parts[rank]));
  return tally.hit_counts();
}

}  // namespace bermuda
