#include "bermuda/dataset/isomorphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/canonical.hpp"

namespace bermuda {
namespace {

std::string form_of(const Sample& sample, const Execution& execution) {
  try {
    return canonical_form(sample.graph, execution);
  } catch (const CanonicalFormError& error) {
    throw CanonicalFormError(fmt::format("graph {}: {}", in_quotes(sample.id), error.what()));
  }
}

/// SplitMix64's: every bit of the word moves every bit of the result.
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
  word = (word ^ word >> 27) * 0x94d049bb133111eb;
  return word ^ word >> 31;
}

std::uint64_t as_word(int label) { return static_cast<std::uint32_t>(label); }

/// Equal for isomorphic graphs: sums do not see an order. O(edges).
std::uint64_t colour_hash(const Graph& graph, StopPoll stop) {
  constexpr int kRounds = 3;
  const auto nodes = static_cast<std::size_t>(graph.node_count());
  std::vector<std::uint64_t> colours(nodes, 1);
  for (std::size_t v = 0; v < graph.node_labels().size(); ++v) {
    colours[v] = mixed(as_word(graph.node_labels()[v]) + 2);
  }
  std::vector<std::uint64_t> heard(nodes);
  for (int round = 0; round < kRounds; ++round) {
    std::ranges::fill(heard, 0);
    for (std::size_t id = 0; id < graph.edges().size(); ++id) {
      stop();
      const auto [u, v] = graph.edges()[id];
      const std::uint64_t edge =
          graph.has_edge_labels() ? mixed(as_word(graph.edge_labels()[id]) + 3) : 0;
      heard[at(u)] += mixed(colours[at(v)] ^ edge);
      heard[at(v)] += mixed(colours[at(u)] ^ edge);
    }
    for (std::size_t v = 0; v < nodes; ++v) colours[v] = mixed(3 * colours[v] + heard[v]);
  }
  std::uint64_t sum = mixed(nodes);
  for (const std::uint64_t colour : colours) sum += mixed(colour);
  return sum;
}

constexpr std::size_t kChunk = 256;

}  // namespace

std::vector<std::size_t> isomorphism_classes(std::span<const Sample* const> samples,
                                             const Execution& execution) {
  std::vector<std::string> forms(samples.size());
  const Stage stage(execution, "isomorphs", samples.size());
  parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      execution.check_stop();
      forms[i] = form_of(*samples[i], execution);
    }
    stage.advance(end - begin);
  });
  std::unordered_map<std::string_view, std::size_t> known;
  std::vector<std::size_t> classes;
  classes.reserve(forms.size());
  for (const std::string& form : forms) {
    classes.push_back(known.try_emplace(form, known.size()).first->second);
  }
  return classes;
}

std::vector<std::size_t> twin_groups(std::span<const Sample* const> samples,
                                     const Execution& execution) {
  const Stage stage(execution, "isomorphs", samples.size());
  std::vector<std::uint64_t> colours(samples.size());
  parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      colours[i] = colour_hash(samples[i]->graph, execution);
    }
  });
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < samples.size(); ++i) alike[colours[i]].push_back(i);
  // The form stays empty where colours alone decide.
  std::vector<std::string> forms(samples.size());
  parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      execution.check_stop();
      const std::vector<std::size_t>& members = alike.at(colours[i]);
      if (members.size() == 1) continue;
      try {
        forms[i] = canonical_form(samples[i]->graph, execution);
      } catch (const CanonicalFormError&) {
        forms[i].clear();
      }
    }
    stage.advance(end - begin);
  });
  for (const auto& [colour, members] : alike) {
    const bool all = std::ranges::none_of(members, [&](auto i) { return forms[i].empty(); });
    if (!all) {
      for (const std::size_t i : members) forms[i].clear();
    }
  }
  std::map<std::pair<std::uint64_t, std::string_view>, std::size_t> known;
  std::vector<std::size_t> groups;
  groups.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    groups.push_back(known.try_emplace({colours[i], forms[i]}, known.size()).first->second);
  }
  return groups;
}

std::size_t count_isomorphs_across(const std::vector<Split>& splits,
                                   std::span<const std::size_t> class_of) {
  std::unordered_map<std::size_t, std::size_t> first_split;
  std::size_t position = 0;
  std::size_t count = 0;
  for (std::size_t split = 0; split < splits.size(); ++split) {
    for (std::size_t i = 0; i < splits[split].samples.size(); ++i, ++position) {
      if (first_split.try_emplace(class_of[position], split).first->second != split) ++count;
    }
  }
  return count;
}

std::size_t drop_isomorphs(DataSet& data, const DataSet& other, const Execution& execution) {
  std::vector<const Sample*> samples = other.all();
  const std::vector<const Sample*> own = data.all();
  samples.insert(samples.end(), own.begin(), own.end());
  const std::vector<std::size_t> class_of = isomorphism_classes(samples, execution);
  // Classes are numbered as they appear: the first ones are those of `other`.
  const auto first = class_of.begin() + static_cast<std::ptrdiff_t>(other.size());
  const std::size_t known =
      first == class_of.begin() ? 0 : *std::max_element(class_of.begin(), first) + 1;
  auto next = first;
  std::size_t dropped = 0;
  for (Split& split : data.splits) {
    dropped += std::erase_if(split.samples, [&](const Sample&) { return *next++ < known; });
  }
  return dropped;
}

}  // namespace bermuda
