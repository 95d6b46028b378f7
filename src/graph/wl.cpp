#include "bermuda/graph/wl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/signature_table.hpp"

namespace bermuda {
namespace {

using Word = SignatureTable::Word;
using Signature = SignatureTable::Signature;

Word as_word(int value) { return static_cast<std::uint32_t>(value); }

/// A neighbour behind a labelled edge. Colours are never negative, so bit 31 is free to tell it
/// from a neighbour behind an edge without label.
Word labelled_neighbour(int edge_label, int colour) {
  return as_word(edge_label) << 32 | Word{1} << 31 | as_word(colour);
}

/// Most nodes have few neighbours, where insertion beats std::sort.
void sort_words(std::span<Word> words) {
  if (words.size() > 24) {
    std::sort(words.begin(), words.end());
    return;
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const Word word = words[i];
    std::size_t j = i;
    for (; j > 0 && words[j - 1] > word; --j) words[j] = words[j - 1];
    words[j] = word;
  }
}

/// Runs the refinement; name(round, signature) gives the colour.
template <typename Name>
std::vector<std::vector<int>> refine(const Graph& graph, const WlColouring::Options& options,
                                     StopPoll stop, Name name) {
  const int node_count = graph.node_count();
  std::vector<std::vector<int>> colours(at(options.rounds) + 1, std::vector<int>(at(node_count)));
  for (int v = 0; v < node_count; ++v) {
    const Word label = graph.has_node_labels() ? as_word(graph.node_labels()[at(v)]) : 0;
    colours[0][at(v)] = name(0, Signature(&label, graph.has_node_labels() ? 1 : 0));
  }
  if (options.rounds == 0) return colours;

  const Adjacency adjacency(graph);
  const bool with_edge_labels = options.use_edge_labels && graph.has_edge_labels();
  std::vector<Word> signature;
  for (int round = 1; round <= options.rounds; ++round) {
    const std::vector<int>& before = colours[at(round) - 1];
    std::vector<int>& after = colours[at(round)];
    for (int v = 0; v < node_count; ++v) {
      const std::span<const int> neighbours = adjacency.of(v);
      stop(neighbours.size() + 1);
      signature.resize(neighbours.size() + 1);
      signature[0] = as_word(before[at(v)]);
      bool known = before[at(v)] != WlColouring::kUnknown;
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const int colour = before[at(neighbours[i])];
        known = known && colour != WlColouring::kUnknown;
        signature[i + 1] = as_word(colour);
      }
      if (!known) {
        after[at(v)] = WlColouring::kUnknown;
        continue;
      }
      if (with_edge_labels) {
        const std::span<const int> ids = adjacency.edges_of(v);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          signature[i + 1] =
              labelled_neighbour(graph.edge_labels()[at(ids[i])], before[at(neighbours[i])]);
        }
      }
      sort_words(std::span(signature).subspan(1));
      after[at(v)] = name(round, Signature(signature));
    }
  }
  return colours;
}

}  // namespace

struct WlColouring::Dictionary {
  std::vector<SignatureTable> rounds;
};

WlColouring::WlColouring(Options options)
    : options_(options), dictionary_(std::make_unique<Dictionary>()) {
  if (options.rounds < 0) {
    throw UsageError(
        fmt::format("{} rounds of colour refinement, expected 0 or more", options.rounds));
  }
  dictionary_->rounds.resize(at(options.rounds) + 1);
}

WlColouring::~WlColouring() = default;
WlColouring::WlColouring(WlColouring&&) noexcept = default;
WlColouring& WlColouring::operator=(WlColouring&&) noexcept = default;

std::vector<std::vector<int>> WlColouring::learn(const Graph& graph, StopPoll stop) {
  return refine(graph, options_, stop, [this](int round, Signature signature) {
    return dictionary_->rounds[at(round)].find_or_add(signature);
  });
}

std::vector<std::vector<int>> WlColouring::look_up(const Graph& graph, StopPoll stop) const {
  return refine(graph, options_, stop, [this](int round, Signature signature) {
    return dictionary_->rounds[at(round)].find(signature);
  });
}

int WlColouring::colour_count(int round) const {
  if (round < 0 || round > options_.rounds) {
    throw UsageError(fmt::format("round {} of a colouring with {}", round, options_.rounds));
  }
  return dictionary_->rounds[at(round)].count();
}

WlColouring::Table WlColouring::table(int round) const {
  const SignatureTable& names = dictionary_->rounds.at(at(round));
  return {names.words(), {names.starts().begin(), names.starts().end()}};
}

WlColouring WlColouring::from_tables(Options options, std::span<const Table> tables) {
  WlColouring colouring(options);
  if (tables.size() != colouring.dictionary_->rounds.size()) {
    throw UsageError(fmt::format("{} colour tables for {} rounds", tables.size(), options.rounds));
  }
  for (std::size_t round = 0; round < tables.size(); ++round) {
    const auto& [words, starts] = tables[round];
    const bool ordered = !starts.empty() && starts.front() == 0 && starts.back() == words.size() &&
                         std::is_sorted(starts.begin(), starts.end());
    if (!ordered) throw UsageError("a colour table that does not fit together");
    for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
      const auto signature = Signature(words).subspan(starts[c], starts[c + 1] - starts[c]);
      if (colouring.dictionary_->rounds[round].find_or_add(signature) != static_cast<int>(c)) {
        throw UsageError("a colour table that names one colour twice");
      }
    }
  }
  return colouring;
}

}  // namespace bermuda
