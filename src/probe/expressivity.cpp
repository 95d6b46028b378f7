#include "expressivity.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/wl.hpp"

namespace bermuda {
namespace {

constexpr int kMostVerdictRounds = 10;

struct HistogramHash {
  std::size_t operator()(const std::vector<int>& colours) const {
    std::size_t hash = colours.size();
    for (const int colour : colours) {
      hash = (hash ^ static_cast<std::size_t>(colour)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

// Numbers colour histograms (sorted lists of colours) in order of first appearance.
using HistogramNumbers = std::unordered_map<std::vector<int>, std::size_t, HistogramHash>;

}  // namespace

Agreement measure_agreement(std::span<const std::size_t> group_of, std::span<const int> labels) {
  std::vector<std::size_t> order(group_of.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(group_of[a], labels[a]) < std::pair(group_of[b], labels[b]);
  });
  Agreement result;
  std::size_t right = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    std::size_t commonest = 0;
    while (end < order.size() && group_of[order[end]] == group_of[order[begin]]) {
      std::size_t run = end;
      while (run < order.size() && group_of[order[run]] == group_of[order[begin]] &&
             labels[order[run]] == labels[order[end]]) {
        ++run;
      }
      commonest = std::max(commonest, run - end);
      end = run;
    }
    const std::size_t size = end - begin;
    ++result.groups;
    if (size > 1) ++result.repeated_groups;
    if (commonest < size) result.conflicting += size;
    right += commonest;
    begin = end;
  }
  if (!order.empty()) {
    result.best_accuracy = static_cast<double>(right) / static_cast<double>(order.size());
  }
  return result;
}

WlStudy study_wl_colours(std::span<const Sample* const> samples, std::span<const int> labels,
                         int wl_rounds, std::size_t isomorphism_classes,
                         const Execution& execution) {
  const int last = std::max(wl_rounds, kMostVerdictRounds);
  // One round more than is judged, to see whether the last one is stable.
  WlColouring colouring({.rounds = last + 1, .use_edge_labels = true});
  std::vector<HistogramNumbers> numbers(at(last) + 1);
  std::vector<std::vector<std::size_t>> histogram_of(at(last) + 1);
  WlStudy study;
  study.colours.reserve(samples.size());
  {
    const Stage stage(execution, "WL colours", samples.size());
    for (const Sample* sample : samples) {
      execution.check_stop();
      std::vector<std::vector<int>> rounds = colouring.learn(sample->graph, execution);
      for (std::size_t round = 0; round < numbers.size(); ++round) {
        std::vector<int> sorted = rounds[round];
        std::sort(sorted.begin(), sorted.end());
        const std::size_t fresh = numbers[round].size();
        histogram_of[round].push_back(
            numbers[round].try_emplace(std::move(sorted), fresh).first->second);
      }
      rounds.resize(at(wl_rounds) + 1);
      study.colours.push_back(std::move(rounds));
      stage.advance(1);
    }
  }

  for (int round = 0; round <= last; ++round) {
    const Agreement found = measure_agreement(histogram_of[at(round)], labels);
    study.verdicts.push_back({round, found.groups, found.conflicting, found.best_accuracy});
    // Every round refines the one before: with as many colours as before, nothing was split.
    study.stable =
        study.stable || colouring.colour_count(round) == colouring.colour_count(round + 1);
    const bool final =
        found.conflicting == 0 || study.stable || found.groups == isomorphism_classes;
    if (round >= wl_rounds && final) break;
  }
  return study;
}

}  // namespace bermuda
