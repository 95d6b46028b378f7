#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// What a method makes of twins: graphs of different class that agree in something (`bermuda
/// pairs`). Whoever sees only that says the same of both and is right about exactly one.
struct PairScore {
  /// Both right by chance: of two answers that are independent and right half of the time.
  static constexpr double kChance = 0.25;

  std::size_t pairs = 0;
  std::size_t both_right = 0;
  std::size_t one_right = 0;
  std::size_t none_right = 0;

  double share() const;  ///< of pairs with both right
  /// 95 % Wilson interval of that share.
  double low() const;
  double high() const;

  /// "both twins right: 31.2 % of 1000 pairs (95 % interval 28.4 - 34.1; chance 25 %), one right:
  /// ..."
  std::string text() const;
  nlohmann::ordered_json to_json() const;
  bool operator==(const PairScore&) const = default;
};

/// Of the twins among the samples, known by their ids and one after the other; samples without a
/// class are passed over.
PairScore score_twins(Samples samples, std::span<const Prediction> predictions);

/// Of the pairs among the samples, which run parallel to the predictions. Nothing when the data set
/// has no pairs, or none of them is among the samples with both classes known.
std::optional<PairScore> score_pairs(const DataSet& data, Samples samples,
                                     std::span<const Prediction> predictions);

}  // namespace bermuda
