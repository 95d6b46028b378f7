#include "telling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bermuda/core/index.hpp"
#include "bermuda/linear/linear_trainer.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kMostKinds = 3;
constexpr double kTellingCost = 0.1;

/// The best rung of each kind, best first.
std::vector<const Rung*> best_rungs(const Ladder& ladder, const AuditReport& report) {
  std::vector<const ProbeResult*> best;
  for (const ProbeResult& probe : report.probes) {
    if (probe.kind == ProbeKind::kNodeOrder || !probe.beats_majority) continue;
    const auto same = std::ranges::find(best, probe.subject, &ProbeResult::subject);
    if (same == best.end()) {
      best.push_back(&probe);
    } else if (probe.accuracy > (*same)->accuracy) {
      *same = &probe;
    }
  }
  std::ranges::stable_sort(best, std::greater<>(), &ProbeResult::accuracy);
  if (best.size() > kMostKinds) best.resize(kMostKinds);
  std::vector<const Rung*> rungs;
  for (const ProbeResult* probe : best) {
    rungs.push_back(&*std::ranges::find(ladder.rungs, probe->name, &Rung::name));
  }
  return rungs;
}

/// A symbol and the score that it moves most: `score` is an index into the model's weights.
struct Pull {
  Symbol symbol = 0;
  std::size_t score = 0;
  double deviation = 0;
};

/// Calls use(symbol, what the symbol's columns add to the score) for the symbols of a row.
template <typename Use>
void add_up(std::span<const SparseMatrix::Entry> row, const std::vector<Symbol>& symbols,
            const std::vector<double>& weights, const Use& use) {
  for (std::size_t i = 0; i < row.size();) {
    const Symbol symbol = symbols[at(row[i].column)];
    double sum = 0;
    for (; i < row.size() && symbols[at(row[i].column)] == symbol; ++i) {
      sum += weights[at(row[i].column)] * row[i].value;
    }
    use(symbol, sum);
  }
}

/// One per symbol, the strongest first. Columns of a symbol stand side by side.
std::vector<Pull> pulls_of(const Encoding& encoding, const LinearModel& model) {
  std::vector<Symbol> distinct = encoding.symbols;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::ranges::sort(distinct);
  std::vector<Pull> pulls;
  for (const Symbol symbol : distinct) pulls.push_back({symbol});
  const auto rows = static_cast<double>(encoding.matrix.rows());
  for (std::size_t score = 0; score < model.weights.size(); ++score) {
    std::vector<double> sums(distinct.size());
    std::vector<double> squares(distinct.size());
    for (std::size_t row = 0; row < encoding.matrix.rows(); ++row) {
      add_up(encoding.matrix.row(row), encoding.symbols, model.weights[score],
             [&](Symbol symbol, double sum) {
               const auto place = static_cast<std::size_t>(
                   std::ranges::lower_bound(distinct, symbol) - distinct.begin());
               sums[place] += sum;
               squares[place] += sum * sum;
             });
    }
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      const double mean = sums[i] / rows;
      const double deviation = std::sqrt(std::max(0.0, squares[i] / rows - mean * mean));
      if (deviation > pulls[i].deviation) pulls[i] = {distinct[i], score, deviation};
    }
  }
  std::ranges::stable_sort(pulls, std::greater<>(), &Pull::deviation);
  return pulls;
}

class Telling {
 public:
  Telling(const LadderInput& input, const AuditReport& report, std::span<const int> labels,
          const Execution& execution)
      : input_(input), report_(report), labels_(labels), execution_(execution) {}

  TellingProbe explain(const Rung& rung) const {
    const std::vector<Bag> bags = fill_bags(rung, labels_.size(), execution_);
    const Encoding encoding = encode(bags, execution_);
    std::vector<std::size_t> rows(labels_.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const LinearModel model =
        LinearTrainer(encoding.matrix, labels_, static_cast<int>(report_.classes.size()))
            .train(rows, {.cost = kTellingCost, .stop = execution_});
    TellingProbe result{rung.name, {}};
    for (const Pull& pull : pulls_of(encoding, model)) {
      if (result.features.size() == at(input_.options.telling) || pull.deviation <= 0) break;
      TellingFeature feature;
      feature.pull = pull.deviation;
      const std::vector<double> amounts = amounts_of(bags, pull.symbol);
      feature.speaks = speaks(encoding, model, pull, amounts);
      count(amounts, feature);
      describe_symbol(input_, pull.symbol, feature);
      result.features.push_back(std::move(feature));
    }
    return result;
  }

 private:
  /// How often each graph has the symbol, or what was measured of it; NaN for not at all.
  static std::vector<double> amounts_of(std::span<const Bag> bags, Symbol symbol) {
    std::vector<double> amounts(bags.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t item = 0; item < bags.size(); ++item) {
      for (const Bag::Item& one : bags[item].items()) {
        if (one.symbol == symbol) amounts[item] = static_cast<double>(one.count);
      }
      for (const Bag::Measure& one : bags[item].quantities()) {
        if (one.symbol == symbol) amounts[item] = one.value;
      }
    }
    return amounts;
  }

  /// Whether graphs that have more of it have a higher score. Of two classes the only score is that
  /// of class 1.
  std::string speaks(const Encoding& encoding, const LinearModel& model, const Pull& pull,
                     std::span<const double> amounts) const {
    std::vector<double> added(labels_.size(), 0.0);
    for (std::size_t row = 0; row < labels_.size(); ++row) {
      add_up(encoding.matrix.row(row), encoding.symbols, model.weights[pull.score],
             [&](Symbol symbol, double sum) {
               if (symbol == pull.symbol) added[row] = sum;
             });
    }
    const double mean =
        std::accumulate(added.begin(), added.end(), 0.0) / static_cast<double>(added.size());
    double agreement = 0;
    for (std::size_t row = 0; row < labels_.size(); ++row) {
      agreement += (std::isnan(amounts[row]) ? 0.0 : amounts[row]) * (added[row] - mean);
    }
    const bool more = agreement >= 0;
    if (model.weights.size() == 1) return fmt::format("for {}", report_.classes[more ? 1 : 0]);
    return fmt::format("{} {}", more ? "for" : "against", report_.classes[pull.score]);
  }

  void count(std::span<const double> amounts, TellingFeature& feature) const {
    feature.graphs.assign(report_.classes.size(), 0);
    feature.mean.assign(report_.classes.size(), 0);
    for (std::size_t item = 0; item < amounts.size(); ++item) {
      if (std::isnan(amounts[item])) continue;
      const std::size_t label = at(labels_[item]);
      ++feature.graphs[label];
      feature.mean[label] += amounts[item];
    }
    for (std::size_t label = 0; label < feature.mean.size(); ++label) {
      feature.mean[label] /=
          static_cast<double>(std::max<std::size_t>(1, report_.class_counts[label]));
    }
  }

  const LadderInput& input_;
  const AuditReport& report_;
  std::span<const int> labels_;
  const Execution& execution_;
};

}  // namespace

std::vector<TellingProbe> find_telling_features(const LadderInput& input, const Ladder& ladder,
                                                const AuditReport& report,
                                                std::span<const int> labels,
                                                const Execution& execution) {
  const std::vector<const Rung*> rungs = best_rungs(ladder, report);
  const Stage stage(execution, "telling features", rungs.size());
  const Telling telling(input, report, labels, execution);
  std::vector<TellingProbe> result;
  for (const Rung* rung : rungs) {
    execution.check_stop();
    result.push_back(telling.explain(*rung));
    stage.advance(1);
  }
  return result;
}

}  // namespace bermuda
