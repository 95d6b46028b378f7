#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// What a trained model is asked beside the test graphs, as the key of a run knows it: the graphs
/// of another data set, or the test graphs again with their nodes renumbered.
struct Ask {
  std::string name;      ///< "twins": what tables call it
  std::string checksum;  ///< data_checksum() of the other data set; empty: test graphs, renumbered
  bool pairs = false;    ///< whether its graphs are pairs that follow each other
  int rounds = 0;        ///< how often the test graphs are renumbered

  bool operator==(const Ask&) const = default;
};
inline constexpr std::size_t kMostAsks = 8;  ///< of one run
inline constexpr int kMostAskedRounds = 100;

nlohmann::ordered_json to_json(const std::vector<Ask>& asks);
/// Throws JSON's exceptions and JsonError.
std::vector<Ask> asks_of(const nlohmann::ordered_json& json);

/// What a model answered, at the epoch that was kept.
struct AskedResult {
  std::string name;
  Metrics metrics;                             ///< of renumbered graphs: over all rounds
  std::optional<std::size_t> both_right = {};  ///< pairs, of metrics.count / 2
  std::optional<std::size_t> changed = {};     ///< answers that renumbering changed
};

nlohmann::ordered_json to_json(const AskedResult& result);

/// What is impossible about these, or about what was asked and what was answered. Empty for none.
/// `tested` is how many test graphs there are.
std::string flaw_of_asked(const std::vector<Ask>& asks, const std::vector<AskedResult>& results,
                          std::size_t tested);

/// What answers to the graphs that were asked come to. Of renumbered test graphs, round after
/// round, `said` is what was said of the test graphs themselves.
AskedResult asked_result(const Ask& ask, Samples graphs, std::span<const Prediction> answers,
                         std::span<const int> said, int classes);

/// The data sets that are asked about, by Ask::name.
using AskedData = std::map<std::string, const DataSet*>;

/// All that a model will be asked: the test graphs first. It is put together before the fit, for
/// there are methods that learn and answer in one go.
class QuestionSheet {
 public:
  /// Throws Error when a data set is missing, or of other classes than `class_names`.
  QuestionSheet(const std::vector<Ask>& asks, Samples test, const AskedData& data,
                const std::vector<std::string>& class_names, std::uint64_t seed,
                const Execution& execution);

  Samples all() const { return all_; }
  /// Asks the model all but the test graphs, of which it has said `said`.
  std::vector<AskedResult> ask(const Method& method, std::span<const int> said,
                               const Execution& execution) const;

 private:
  struct Part {
    Ask ask;
    std::size_t first = 0;  // of its graphs in all_
    std::size_t count = 0;
  };
  int classes_;
  std::vector<Part> parts_;
  std::vector<std::vector<Sample>> renumbered_;  // a round each
  std::vector<const Sample*> all_;
};

}  // namespace bermuda
