#include "bermuda/method/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

std::size_t drawn_of(std::size_t edges, int top) {
  return std::min(edges, static_cast<std::size_t>(top));
}

/// The chance that `drawn` of `total` items, taken at random without putting back, are all among
/// `good` of them.
double chance_of_all(std::size_t total, std::size_t good, std::size_t drawn) {
  double chance = 1;
  for (std::size_t i = 0; i < drawn; ++i) {
    if (good <= i) return 0;
    chance *= static_cast<double>(good - i) / static_cast<double>(total - i);
  }
  return chance;
}

/// Some edges are chosen for certain; the rest is drawn from edges that tie.
struct Choice {
  std::size_t certain = 0;
  std::size_t certain_hits = 0;
  std::size_t tied = 0;
  std::size_t tied_hits = 0;
};

TopEdges expected(const Choice& choice, std::size_t chosen) {
  const std::size_t drawn = chosen - choice.certain;
  TopEdges result;
  if (chosen == 0) return result;
  result.hits = static_cast<double>(choice.certain_hits);
  if (drawn > 0) {
    result.hits += static_cast<double>(drawn * choice.tied_hits) / static_cast<double>(choice.tied);
  }
  const std::size_t tied_misses = choice.tied - choice.tied_hits;
  result.any = choice.certain_hits > 0 ? 1 : 1 - chance_of_all(choice.tied, tied_misses, drawn);
  result.all = choice.certain_hits < choice.certain
                   ? 0
                   : chance_of_all(choice.tied, choice.tied_hits, drawn);
  return result;
}

}  // namespace

TopEdges top_edges(std::span<const double> weights, const std::vector<bool>& in_witness, int top) {
  const std::size_t chosen = drawn_of(weights.size(), top);
  if (chosen == 0) return {};
  std::vector<double> sorted(weights.begin(), weights.end());
  std::ranges::sort(sorted, std::greater());
  const double last = sorted[chosen - 1];
  const double width = kTieWidth * sorted.front();
  Choice choice;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t hit = in_witness[i] ? 1 : 0;
    if (weights[i] > last + width) {
      ++choice.certain;
      choice.certain_hits += hit;
    } else if (weights[i] >= last - width) {
      ++choice.tied;
      choice.tied_hits += hit;
    }
  }
  return expected(choice, chosen);
}

TopEdges random_edges(std::size_t edges, std::size_t in_witness, int top) {
  return expected({0, 0, edges, in_witness}, drawn_of(edges, top));
}

void TopEdgesMean::add(const TopEdges& found, std::size_t edges) {
  const std::size_t chosen = drawn_of(edges, top_);
  if (chosen == 0) return;
  ++sum_.graphs;
  sum_.share += found.hits / static_cast<double>(chosen);
  sum_.any += found.any;
  sum_.all += found.all;
}

TopEdgesSummary TopEdgesMean::summary() const {
  TopEdgesSummary mean = sum_;
  if (mean.graphs == 0) return mean;
  const auto count = static_cast<double>(mean.graphs);
  mean.share /= count;
  mean.any /= count;
  mean.all /= count;
  return mean;
}

Explanations explain_edges(const Method& method, Samples samples, const ExplainOptions& options,
                           const Execution& execution) {
  Explanations found = method.explain(samples, options, execution);
  if (found.edge_weights.size() != samples.size()) {
    throw Error(fmt::format("{} explained {} graphs of {}", method.name(),
                            found.edge_weights.size(), samples.size()));
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<double>& weights = found.edge_weights[i];
    if (weights.size() != samples[i]->graph.edges().size()) {
      throw Error(fmt::format("{} gave {} weights for the {} edges of {}", method.name(),
                              weights.size(), samples[i]->graph.edge_count(), samples[i]->id));
    }
    for (const double weight : weights) {
      if (!std::isfinite(weight) || weight < 0) {
        throw Error(fmt::format("{} gave an edge of {} the weight {}", method.name(),
                                samples[i]->id, weight));
      }
    }
  }
  return found;
}

}  // namespace bermuda
