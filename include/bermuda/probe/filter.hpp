#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/parameter.hpp"
#include "bermuda/dataset/source.hpp"

namespace bermuda {

/// Raised when the same options and candidates keep other graphs than before.
inline constexpr int kFilterVersion = 2;

/// The undermanned logistic regression filter, paper section 2.1.
struct FilterOptions : Configurable {
  int folds = 10;           ///< n: item i is in fold i mod n
  int train_folds = 6;      ///< m: folds that a round trains on; the other n - m validate
  double confidence = 0.4;  ///< a hit is right and has |p0 - p1| above this
  double easy_share = 0.1;  ///< share of items with at least one hit, spread over the buckets
  double cost = 1.0;        ///< C of the logistic regression
  int train = 10000;
  int valid = 1000;
  int test = 1000;
  bool allow_isomorphs = false;

  ParameterSet parameters() override;
};

/// How well the undermanned classifier does, over all validations.
struct ClassifierFigures {
  double accuracy = 0;            ///< at p = 0.5
  double coverage = 0;            ///< share of confident answers
  double confident_accuracy = 0;  ///< accuracy among them
  /// Accuracy among the confident answers on graphs of class 0 and of class 1. The second one is
  /// what the original filter prints as "prec" and the paper quotes for triangles.
  std::array<double, 2> confident_by_class{};
};

/// hits[i]: how often item i was answered rightly and confidently, in 0..folds-train_folds.
struct HitCounts {
  std::vector<std::uint16_t> hits;
  std::vector<std::uint8_t> labels;
  ClassifierFigures figures;
};

/// Overlapping n-fold cross-validation: round r trains on folds r..r+m-1 (mod n) and validates on
/// the rest, so that every item is validated n - m times. Rounds after the first start from its
/// solution; the result does not depend on the number of threads. The rounds are shared by the
/// ranks of execution.team, and so is looking at the samples when every rank has the source; when
/// it has not, it is null on all but rank 0. Rank 0 gets the counts.
HitCounts count_hits(const SampleSource* source, const FilterOptions& options,
                     const Execution& execution);
/// The same for samples in memory, which rank 0 gives.
HitCounts count_hits(std::span<const Sample* const> samples, const FilterOptions& options,
                     const Execution& execution);

struct FilterReport {
  std::size_t candidates = 0;
  ClassifierFigures before;
  ClassifierFigures after;                  ///< the same procedure on the items that were kept
  double after_train_to_test = 0;           ///< accuracy on test, trained on train
  std::vector<std::size_t> hit_histogram;   ///< candidates with 0, 1, ... hits
  std::vector<std::size_t> kept_histogram;  ///< kept ones
  std::vector<std::string> refills;         ///< what short buckets were refilled from, in words
  std::size_t isomorphs_across = 0;         ///< kept graphs with a twin in another, earlier split
  std::size_t isomorphs_avoided = 0;        ///< graphs moved or passed over to keep that at zero

  nlohmann::ordered_json to_json() const;
};

struct FilterResult {
  DataSet data;  ///< splits train, valid, test; provenance has "filter" with options and report
  FilterReport report;
};

/// Keeps mostly items that the undermanned classifier cannot solve, classes exactly balanced in
/// every split, no isomorphic pair across splits unless the provenance says that the task has few
/// graphs. The candidates must have two classes. Throws UsageError when there are too few. Only
/// what is kept is ever held: memory grows by some ten bytes per candidate, and a hundred per row
/// of features that no other has. Shared by the ranks of execution.team as count_hits(); rank 0
/// gets the result, the others get nothing.
FilterResult filter_samples(const SampleSource* source, const FilterOptions& options,
                            std::uint64_t seed, const Execution& execution);
/// Replaces the test split of filtered data by options.test graphs of other candidates, kept by the
/// same procedure on these alone, so that they are no easier for the undermanned classifier. `what`
/// goes into the provenance as "other_test", with the report; in it after_train_to_test is of the
/// training split and the new test. Ranks as filter_samples(): those not in charge pass anything.
FilterReport replace_test(DataSet& data, const SampleSource* candidates,
                          const FilterOptions& options, std::uint64_t seed,
                          nlohmann::ordered_json what, const Execution& execution);
/// The same for the samples of all splits of `data`, which rank 0 gives.
FilterResult filter_dataset(DataSet data, const FilterOptions& options, std::uint64_t seed,
                            const Execution& execution);

}  // namespace bermuda
