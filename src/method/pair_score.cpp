#include "bermuda/method/pair_score.hpp"

#include <fmt/format.h>

#include "bermuda/dataset/pairs.hpp"
#include "bermuda/statistics/intervals.hpp"

namespace bermuda {

double PairScore::share() const {
  return pairs == 0 ? 0 : static_cast<double>(both_right) / static_cast<double>(pairs);
}

double PairScore::low() const { return wilson_interval(both_right, pairs).low; }
double PairScore::high() const { return wilson_interval(both_right, pairs).high; }

std::string PairScore::text() const {
  const auto percent = [&](std::size_t count) {
    return 100 * static_cast<double>(count) / static_cast<double>(pairs);
  };
  return fmt::format(
      "both twins right: {:.1f} % of {} pairs (95 % interval {:.1f} - {:.1f}; chance {:.0f} %); "
      "one of them: {:.1f} %; none: {:.1f} %\n",
      percent(both_right), pairs, low() * 100, high() * 100, kChance * 100, percent(one_right),
      percent(none_right));
}

nlohmann::ordered_json PairScore::to_json() const {
  return {{"count", pairs},           {"both_right", both_right}, {"one_right", one_right},
          {"none_right", none_right}, {"share", share()},         {"interval", {low(), high()}}};
}

PairScore score_twins(Samples samples, std::span<const Prediction> predictions) {
  PairScore score;
  for (const auto& [first, second] : find_pairs(samples)) {
    if (samples[first]->label == Sample::kNoClass || samples[second]->label == Sample::kNoClass) {
      continue;
    }
    const int right = (predictions[first].label == samples[first]->label ? 1 : 0) +
                      (predictions[second].label == samples[second]->label ? 1 : 0);
    ++score.pairs;
    ++(right == 2 ? score.both_right : right == 1 ? score.one_right : score.none_right);
  }
  return score;
}

std::optional<PairScore> score_pairs(const DataSet& data, Samples samples,
                                     std::span<const Prediction> predictions) {
  if (!has_pairs(data)) return {};
  const PairScore score = score_twins(samples, predictions);
  if (score.pairs == 0) return {};
  return score;
}

}  // namespace bermuda
