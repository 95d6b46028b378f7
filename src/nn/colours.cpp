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

}  // namespace

NodeColours::NodeColours(const PackedGraphs& graphs, const FeatureSpec& spec,
                         Aggregation aggregation, int rounds)
    : of_round(at(rounds) + 1, std::vector<int>(at(graphs.node_count()))) {
  const bool shares = aggregation == Aggregation::kMean || aggregation == Aggregation::kAttention;
  const bool degree = spec.degree || aggregation == Aggregation::kSymmetric;
  std::vector<Word> signature;
  std::vector<int> heard;
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
        heard.clear();
        for (const int other : graphs.neighbours_of(node)) heard.push_back(before[at(other)]);
        append_neighbours(heard, shares, signature);
      }
      of_round[at(round)][at(node)] = names.find_or_add(signature);
    }
    count.push_back(names.count());
  }
}

}  // namespace bermuda::nn
