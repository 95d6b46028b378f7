#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "bermuda/core/team.hpp"
#include "bermuda/linear/logistic.hpp"
#include "bermuda/probe/filter.hpp"
#include "collect.hpp"

namespace bermuda {
namespace {

/// What rounds found out about the items they validated; adds up over rounds and over ranks, in any
/// order.
struct Tally {
  enum Figure : std::size_t { kValidated, kRight, kConfident, kConfidentRight = 4, kFigures = 6 };

  std::array<std::uint64_t, kFigures> figures{};
  std::vector<std::uint16_t> hits;  // of each item; at most one per round

  void add(const Tally& other) {
    for (std::size_t i = 0; i < kFigures; ++i) figures[i] += other.figures[i];
    for (std::size_t i = 0; i < hits.size(); ++i) {
      hits[i] = static_cast<std::uint16_t>(hits[i] + other.hits[i]);
    }
  }

  std::string to_bytes() const {
    std::string bytes(reinterpret_cast<const char*>(figures.data()), sizeof figures);
    bytes.append(reinterpret_cast<const char*>(hits.data()), hits.size() * sizeof hits[0]);
    return bytes;
  }
  static Tally from_bytes(std::string_view bytes) {
    Tally tally;
    std::memcpy(tally.figures.data(), bytes.data(), sizeof tally.figures);
    bytes.remove_prefix(sizeof tally.figures);
    tally.hits.resize(bytes.size() / sizeof tally.hits[0]);
    std::memcpy(tally.hits.data(), bytes.data(), bytes.size());
    return tally;
  }

  ClassifierFigures classifier_figures() const {
    const auto share = [&](std::uint64_t part, std::uint64_t whole) {
      return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    const auto& c = figures;
    return {share(c[kRight], c[kValidated]),
            share(c[kConfident] + c[kConfident + 1], c[kValidated]),
            share(c[kConfidentRight] + c[kConfidentRight + 1], c[kConfident] + c[kConfident + 1]),
            {share(c[kConfidentRight], c[kConfident]),
             share(c[kConfidentRight + 1], c[kConfident + 1])}};
  }
};

/// The rounds over graphs of which many have the same features: each row is scored once.
class Rounds {
 public:
  Rounds(const MergedFeatures& features, const FilterOptions& options)
      : options_(options), features_(features) {}

  LogisticFit train(int round, const Execution& execution, const LogisticFit* start) const {
    RowCounts counts{std::vector<double>(features_.rows.rows(), 0.0),
                     std::vector<double>(features_.rows.rows(), 0.0)};
    for_folds(round, true, [&](std::size_t i) {
      counts.total[features_.row_of[i]] += 1;
      counts.ones[features_.row_of[i]] += features_.labels[i];
    });
    return fit_logistic(features_.rows, counts, {.cost = options_.cost}, execution, start);
  }

  /// What a fit says about each row.
  struct Answer {
    std::uint8_t label;
    bool confident;
  };
  std::vector<Answer> answers(const LogisticFit& fit, const Execution& execution) const {
    constexpr std::size_t kBlock = 256;
    std::vector<Answer> result(features_.rows.rows());
    std::array<double, kBlock> ones;
    StopPoll stop = execution;
    for (std::size_t begin = 0; begin < result.size(); begin += kBlock) {
      stop(kBlock);
      const std::size_t size = std::min(kBlock, result.size() - begin);
      fit.chances(features_.rows, begin, std::span(ones).first(size));
      for (std::size_t i = 0; i < size; ++i) {
        const bool confident = std::abs(1.0 - 2.0 * ones[i]) > options_.confidence;
        result[begin + i] = {ones[i] > 0.5, confident};
      }
    }
    return result;
  }

  void validate(int round, std::span<const Answer> answers, Tally& tally) const {
    for_folds(round, false, [&](std::size_t i) {
      const Answer answer = answers[features_.row_of[i]];
      const std::size_t label = features_.labels[i];
      const bool right = answer.label == label;
      const bool hit = right && answer.confident;
      tally.figures[Tally::kValidated] += 1;
      tally.figures[Tally::kRight] += right;
      tally.figures[Tally::kConfident + label] += answer.confident;
      tally.figures[Tally::kConfidentRight + label] += hit;
      tally.hits[i] = static_cast<std::uint16_t>(tally.hits[i] + hit);
    });
  }

 private:
  // Calls visit(item) for those that the round trains on, or for the others.
  template <typename Visit>
  void for_folds(int round, bool trained_on, Visit visit) const {
    const auto folds = static_cast<std::size_t>(options_.folds);
    std::vector<char> wanted(folds);
    for (int fold = 0; fold < options_.folds; ++fold) {
      const bool trains = (fold - round + options_.folds) % options_.folds < options_.train_folds;
      wanted[static_cast<std::size_t>(fold)] = trains == trained_on;
    }
    const std::size_t items = features_.row_of.size();
    for (std::size_t begin = 0; begin < items; begin += folds) {
      for (std::size_t fold = 0; fold < std::min(folds, items - begin); ++fold) {
        if (wanted[fold]) visit(begin + fold);
      }
    }
  }

  const FilterOptions& options_;
  const MergedFeatures& features_;
};

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

HitCounts count_hits(const SampleSource* source, const FilterOptions& options,
                     const Execution& execution) {
  MergedFeatures features = collect_features(source, execution);
  const std::shared_ptr<Team> ranks = team_of(execution);
  Team& team = *ranks;
  if (team.size() > 1) {
    std::string bytes = team.in_charge() ? features.to_bytes() : std::string();
    team.broadcast(bytes);
    if (!team.in_charge()) features = MergedFeatures::from_bytes(bytes);
  }

  const std::vector<int> own = rounds_of(team, options.folds);
  const Stage stage(execution, "filter rounds", static_cast<std::size_t>(options.folds));
  const Rounds rounds(features, options);
  Tally tally;
  tally.hits.assign(features.row_of.size(), 0);
  // All ranks begin with round 0, from which they start the others: it comes out the same
  // everywhere, and waiting for it would take as long.
  const LogisticFit first = rounds.train(0, execution, nullptr);
  if (team.in_charge()) rounds.validate(0, rounds.answers(first, execution), tally);
  stage.advance(1);
  std::mutex mutex;
  parallel_for(execution, own.size(), 1, [&](std::size_t number, std::size_t) {
    const int round = own[number];
    const auto answers = rounds.answers(rounds.train(round, execution, &first), execution);
    const std::lock_guard lock(mutex);
    rounds.validate(round, answers, tally);
    stage.advance(1);
  });

  const std::vector<std::string> parts = team.gather(tally.to_bytes());
  if (!team.in_charge()) return {};
  stage.advance(static_cast<std::size_t>(options.folds) - 1 - own.size());
  for (std::size_t rank = 1; rank < parts.size(); ++rank) tally.add(Tally::from_bytes(parts[rank]));
  return {std::move(tally.hits), std::move(features.labels), tally.classifier_figures()};
}

HitCounts count_hits(std::span<const Sample* const> samples, const FilterOptions& options,
                     const Execution& execution) {
  const auto source = source_of(samples);
  return count_hits(execution.in_charge() ? source.get() : nullptr, options, execution);
}

}  // namespace bermuda
