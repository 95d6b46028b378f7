#include "bermuda/method/told_apart.hpp"

#include <algorithm>
#include <map>

#include "bermuda/core/random.hpp"
#include "bermuda/method/relabelling.hpp"
#include "bermuda/method/views.hpp"
#include "bermuda/statistics/sign_flip.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kPairsAtOnce = 32;  // 100 MB of draws at the usual options
constexpr std::size_t kGraphsOfPair = 3;  // both, and the first one renumbered
// What is drawn for the control; draws of views count from 0.
constexpr std::uint32_t kControlDraw = 0xffffffff;

bool is_small(const GraphPair& pair, int most_nodes) {
  return std::max(pair.first->graph.node_count(), pair.second->graph.node_count()) <= most_nodes;
}

class PairsTeller {
 public:
  PairsTeller(const Views& views, std::uint64_t seed, ToldApart& result)
      : views_(views), seed_(seed), result_(result) {}

  Telling compare(std::size_t one, std::size_t other, std::uint64_t item,
                  const StopPoll& stop) const {
    const SignFlipResult test =
        sign_flip_test(views_.draws[one], views_.draws[other], views_.columns, {},
                       RandomStream(seed_, Purpose::kSignFlips, item), stop);
    return test.differ ? Telling::kDifferent : Telling::kSame;
  }

  Telling compare_rows(std::size_t one, std::size_t other) {
    const double difference = view_difference(views_.rows[one], views_.rows[other], views_.block);
    if (difference <= views_.tolerance) {
      result_.largest_none = std::max(result_.largest_none, difference);
      return Telling::kSame;
    }
    result_.smallest_difference =
        std::min(result_.smallest_difference.value_or(difference), difference);
    return Telling::kDifferent;
  }

 private:
  const Views& views_;
  std::uint64_t seed_;
  ToldApart& result_;
};

}  // namespace

std::optional<ToldApart> told_apart(Method& method, const GraphPairs& pairs,
                                    const ToldApartOptions& options, const Execution& execution) {
  ToldApart result;
  result.pairs.assign(pairs.pairs.size(), Telling::kNotAsked);
  result.control = result.pairs;
  std::vector<std::size_t> asked;
  std::vector<const Sample*> whole;
  for (std::size_t i = 0; i < pairs.pairs.size(); ++i) {
    if (!is_small(pairs.pairs[i], options.most_nodes)) continue;
    asked.push_back(i);
    whole.insert(whole.end(), {pairs.pairs[i].first, pairs.pairs[i].second});
  }
  const Execution quiet{.threads = execution.threads, .stop = execution.stop};
  const Stage stage(execution, method.name(), asked.size());
  for (std::size_t begin = 0; begin < asked.size(); begin += kPairsAtOnce) {
    execution.check_stop();
    const std::size_t count = std::min(kPairsAtOnce, asked.size() - begin);
    std::vector<Sample> controls;
    controls.reserve(count);
    std::vector<const Sample*> samples;
    for (std::size_t i = begin; i < begin + count; ++i) {
      const GraphPair& pair = pairs.pairs[asked[i]];
      controls.push_back(renumbered_sample(
          *pair.first, RandomStream(options.seed, Purpose::kViews, asked[i], kControlDraw)));
      samples.insert(samples.end(), {pair.first, pair.second, &controls.back()});
    }
    const std::optional<Views> views = method.views({.samples = samples,
                                                     .whole = whole,
                                                     .weights = options.weights,
                                                     .draws = options.draws,
                                                     .seed = options.seed,
                                                     .first = begin * kGraphsOfPair},
                                                    quiet);
    if (!views) return std::nullopt;
    result.how = views->how;
    result.at_least = views->are_drawn();
    PairsTeller teller(*views, options.seed, result);
    if (views->are_drawn()) {
      parallel_for(execution, count, 1, [&](std::size_t i, std::size_t) {
        const std::size_t place = asked[begin + i];
        const std::size_t at = kGraphsOfPair * i;
        result.pairs[place] = teller.compare(at, at + 1, 2 * place, execution);
        result.control[place] = teller.compare(at, at + 2, 2 * place + 1, execution);
      });
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = asked[begin + i];
        const std::size_t at = kGraphsOfPair * i;
        result.pairs[place] = teller.compare_rows(at, at + 1);
        result.control[place] = teller.compare_rows(at, at + 2);
      }
    }
    stage.advance(count);
  }
  return result;
}

double SeenClasses::best_accuracy() const {
  const std::size_t asked = graphs - not_asked;
  return asked == 0 ? 0 : static_cast<double>(right) / static_cast<double>(asked);
}

std::optional<SeenClasses> seen_classes(Method& method, Samples samples,
                                        const ToldApartOptions& options,
                                        const Execution& execution) {
  std::vector<const Sample*> asked;
  for (const Sample* sample : samples) {
    if (sample->graph.node_count() <= options.most_nodes) asked.push_back(sample);
  }
  const Stage stage(execution, method.name(), 1);
  const Execution quiet{.threads = execution.threads, .stop = execution.stop};
  // A draw is enough to learn that it is one.
  const std::optional<Views> views = method.views({.samples = asked,
                                                   .whole = asked,
                                                   .weights = options.weights,
                                                   .draws = 1,
                                                   .seed = options.seed},
                                                  quiet);
  if (!views || views->are_drawn()) {
    stage.finish();
    return std::nullopt;
  }
  const std::vector<std::size_t> group_of = view_groups(*views);
  std::vector<std::map<int, std::size_t>> counts;  // [group], of each class
  for (std::size_t i = 0; i < asked.size(); ++i) {
    counts.resize(std::max(counts.size(), group_of[i] + 1));
    ++counts[group_of[i]][asked[i]->label];
  }
  SeenClasses result{.how = views->how,
                     .graphs = samples.size(),
                     .not_asked = samples.size() - asked.size(),
                     .views = counts.size()};
  for (const auto& of_class : counts) {
    std::size_t most = 0;
    for (const auto& [label, count] : of_class) most = std::max(most, count);
    result.right += most;
    if (of_class.size() == 1) result.apart += most;
  }
  stage.advance(1);
  return result;
}

}  // namespace bermuda
