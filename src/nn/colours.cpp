#include "bermuda/nn/colours.hpp"

#include <algorithm>
#include <numeric>

#include "bermuda/core/index.hpp"
#include "bermuda/graph/signature_table.hpp"

namespace bermuda::nn {
namespace {

using Word = SignatureTable::Word;

Word as_word(int value) { return static_cast<std::uint32_t>(value); }

/// Sorted neighbours' colours as (colour, count) words; counts divided by their common divisor
/// where only shares are heard.
void append_neighbours(std::vector<int>& heard, bool shares, std::vector<Word>& signature) {
  std::ranges::sort(heard);
  const std::size_t first = signature.size();
  int divisor = 0;
  for (std::size_t i = 0; i < heard.size();) {
    std::size_t end = i;
    while (end < heard.size() && heard[end] == heard[i]) ++end;
    const int count = static_cast<int>(end - i);
    divisor = std::gcd(divisor, count);
    signature.push_back(as_word(heard[i]) << 32 | as_word(count));
    i = end;
  }
  if (!shares || divisor <= 1) return;
  for (std::size_t i = first; i < signature.size(); ++i) {
    const Word colour = signature[i] >> 32;
    const Word count = signature[i] & 0xFFFFFFFFu;
    signature[i] = colour << 32 | count / static_cast<Word>(divisor);
  }
}

/// What a node that is the first of its colour hears; `around` is sorted.
void add_heard(int node, const std::vector<int>& around, NodeColours::Heard& heard) {
  heard.speakers.push_back(node);
  for (std::size_t i = 0; i < around.size();) {
    std::size_t end = i;
    while (end < around.size() && around[end] == around[i]) ++end;
    heard.colours.push_back(around[i]);
    heard.counts.push_back(static_cast<int>(end - i));
    i = end;
  }
  heard.offsets.push_back(static_cast<int>(heard.colours.size()));
}

}  // namespace

NodeColours::NodeColours(const PackedGraphs& graphs, const FeatureSpec& spec,
                         Aggregation aggregation, int rounds)
    : of_round(at(rounds) + 1, std::vector<int>(at(graphs.node_count()))), heard(at(rounds) + 1) {
  const bool shares = aggregation == Aggregation::kMean || aggregation == Aggregation::kAttention;
  const bool degree = spec.degree || aggregation == Aggregation::kSymmetric;
  std::vector<Word> signature;
  std::vector<int> around;
  for (int round = 0; round <= rounds; ++round) {
    SignatureTable names;
    for (int node = 0; node < graphs.node_count(); ++node) {
      signature.clear();
      if (round == 0) {
        signature.push_back(graphs.node_labels.empty() ? 0 : as_word(graphs.node_labels[at(node)]));
        signature.push_back(degree ? as_word(graphs.degree(node)) : 0);
      } else {
        const std::vector<int>& before = of_round[at(round) - 1];
        signature.push_back(as_word(before[at(node)]));
        around.clear();
        for (const int other : graphs.neighbours_of(node)) around.push_back(before[at(other)]);
        append_neighbours(around, shares, signature);
      }
      const int colour = names.find_or_add(signature);
      of_round[at(round)][at(node)] = colour;
      if (colour == static_cast<int>(heard[at(round)].speakers.size())) {
        add_heard(node, round == 0 ? std::vector<int>() : around, heard[at(round)]);
      }
    }
    count.push_back(names.count());
  }
}

}  // namespace bermuda::nn
