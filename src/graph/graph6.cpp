#include "bermuda/graph/graph6.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace bermuda {
namespace {

// Both formats are McKay's (nauty, "formats.txt"): six bits per character, 63 added to each.
constexpr char kBias = 63;
constexpr char kLargest = 126;
constexpr int kBitsPerCharacter = 6;
constexpr std::uint64_t kShortNodes = 62;
constexpr std::uint64_t kMediumNodes = 258047;

std::uint64_t pair_count(std::uint64_t nodes) { return nodes * (nodes - (nodes > 0)) / 2; }

std::size_t characters_for(std::uint64_t bits) { return (bits + 5) / kBitsPerCharacter; }

std::size_t size_length(std::uint64_t nodes) {
  if (nodes <= kShortNodes) return 1;
  return nodes <= kMediumNodes ? 4 : 8;
}

/// Bits of a node number in sparse6.
int index_bits(int nodes) {
  return nodes <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(nodes - 1)));
}

void append_size(std::string& out, std::uint64_t nodes) {
  const std::size_t length = size_length(nodes);
  const int digits = length == 1 ? 1 : length == 4 ? 3 : 6;
  out.append(length - static_cast<std::size_t>(digits), kLargest);
  for (int i = digits - 1; i >= 0; --i) {
    out += static_cast<char>(((nodes >> (kBitsPerCharacter * i)) & 63) + kBias);
  }
}

std::string encode_dense(const Graph& graph) {
  const auto nodes = static_cast<std::uint64_t>(graph.node_count());
  std::string out;
  out.reserve(size_length(nodes) + characters_for(pair_count(nodes)));
  append_size(out, nodes);
  const std::size_t start = out.size();
  out.append(characters_for(pair_count(nodes)), kBias);
  for (const Edge edge : graph.edges()) {
    const std::uint64_t bit =
        pair_count(static_cast<std::uint64_t>(edge.v)) + static_cast<std::uint64_t>(edge.u);
    char& character = out[start + bit / kBitsPerCharacter];
    character = static_cast<char>(character + (32 >> (bit % kBitsPerCharacter)));
  }
  return out;
}

/// Stable, and linear in edges and nodes.
std::vector<Edge> sorted_by(const std::vector<Edge>& edges, int Edge::*end, int nodes) {
  std::vector<std::size_t> next(static_cast<std::size_t>(nodes) + 1, 0);
  for (const Edge& edge : edges) ++next[static_cast<std::size_t>(edge.*end) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Edge> sorted(edges.size());
  for (const Edge& edge : edges) sorted[next[static_cast<std::size_t>(edge.*end)]++] = edge;
  return sorted;
}

class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}
  void put(std::uint64_t value, int width) {
    pending_ = pending_ << width | value;
    filled_ += width;
    while (filled_ >= kBitsPerCharacter) {
      filled_ -= kBitsPerCharacter;
      out_ += static_cast<char>((pending_ >> filled_ & 63) + kBias);
    }
  }
  int room() const { return filled_ == 0 ? 0 : kBitsPerCharacter - filled_; }

 private:
  std::string& out_;
  std::uint64_t pending_ = 0;
  int filled_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::string_view text) : text_(text) {}
  std::size_t left() const {
    return (text_.size() - next_) * kBitsPerCharacter + static_cast<std::size_t>(filled_);
  }
  /// The caller asks for no more than is left.
  int take(int width) {
    while (filled_ < width) {
      pending_ = pending_ << kBitsPerCharacter | static_cast<std::uint64_t>(text_[next_++] - kBias);
      filled_ += kBitsPerCharacter;
    }
    filled_ -= width;
    return static_cast<int>(pending_ >> filled_ & ((std::uint64_t{1} << width) - 1));
  }

 private:
  std::string_view text_;
  std::size_t next_ = 0;
  std::uint64_t pending_ = 0;
  int filled_ = 0;
};

std::string encode_sparse(const Graph& graph) {
  const int nodes = graph.node_count();
  const int width = index_bits(nodes);
  const std::vector<Edge> edges = sorted_by(graph.edges(), &Edge::v, nodes);
  std::string out = ":";
  append_size(out, static_cast<std::uint64_t>(nodes));
  BitWriter bits(out);
  int current = 0;
  for (const Edge edge : edges) {
    if (edge.v > current + 1) {
      bits.put(1, 1);
      bits.put(static_cast<std::uint64_t>(edge.v), width);
      bits.put(0, 1);
    } else {
      bits.put(edge.v == current ? 0 : 1, 1);
    }
    current = edge.v;
    bits.put(static_cast<std::uint64_t>(edge.u), width);
  }
  // Padding with ones must not read as a loop at the last node.
  if (bits.room() > width && current == nodes - 2 && nodes == 1 << width) bits.put(0, 1);
  const int room = bits.room();
  bits.put((1U << room) - 1, room);
  return out;
}

[[noreturn]] void fail_short(std::string_view text) {
  throw Graph6Error(fmt::format("{} ends too early", in_quotes(text)));
}

int read_size(std::string_view text, std::size_t& at, int max_nodes) {
  int digits = 1;
  if (at < text.size() && text[at] == kLargest) {
    ++at;
    digits = 3;
    if (at < text.size() && text[at] == kLargest) {
      ++at;
      digits = 6;
    }
  }
  std::uint64_t nodes = 0;
  for (int i = 0; i < digits; ++i) {
    if (at == text.size()) fail_short(text);
    nodes = nodes << kBitsPerCharacter | static_cast<std::uint64_t>(text[at++] - kBias);
  }
  if (nodes > static_cast<std::uint64_t>(std::max(max_nodes, 0))) {
    throw Graph6Error(fmt::format("a graph of {} nodes, more than {}", nodes, max_nodes));
  }
  return static_cast<int>(nodes);
}

Graph decode_dense(std::string_view text, int max_nodes) {
  std::size_t at = 0;
  const int nodes = read_size(text, at, max_nodes);
  const std::uint64_t pairs = pair_count(static_cast<std::uint64_t>(nodes));
  const std::string_view data = text.substr(at);
  if (data.size() != characters_for(pairs)) {
    throw Graph6Error(fmt::format("{} has {} characters, {} nodes need {}", in_quotes(text),
                                  text.size(), nodes, at + characters_for(pairs)));
  }
  const auto padding = static_cast<int>(data.size() * kBitsPerCharacter - pairs);
  if (padding > 0 && ((data.back() - kBias) & ((1 << padding) - 1)) != 0) {
    throw Graph6Error(fmt::format("{} has padding that is not zero", in_quotes(text)));
  }
  // The text goes by columns of the matrix, a Graph by rows: with the bits spread out first, the
  // rows can be read without a branch and without sorting.
  std::vector<unsigned char> present(data.size() * kBitsPerCharacter);
  std::size_t edge_count = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto bits = static_cast<unsigned>(data[i] - kBias);
    edge_count += static_cast<std::size_t>(std::popcount(bits));
    for (std::size_t j = 0; j < kBitsPerCharacter; ++j) {
      present[i * kBitsPerCharacter + j] = bits >> (5 - j) & 1;
    }
  }
  std::vector<Edge> edges(edge_count + 1);
  std::size_t filled = 0;
  for (int u = 0; u < nodes; ++u) {
    std::size_t place = static_cast<std::size_t>(pair_count(static_cast<std::uint64_t>(u) + 1)) +
                        static_cast<std::size_t>(u);
    for (int v = u + 1; v < nodes; place += static_cast<std::size_t>(v++)) {
      edges[filled] = {u, v};
      filled += present[place];
    }
  }
  edges.pop_back();
  return Graph(nodes, std::move(edges));
}

Graph decode_sparse(std::string_view text, int max_nodes) {
  std::size_t at = 1;
  const int nodes = read_size(text, at, max_nodes);
  const int width = index_bits(nodes);
  const std::string_view data = text.substr(at);
  if (nodes <= 1 && !data.empty()) {
    throw Graph6Error(fmt::format("{} has edges with {} nodes", in_quotes(text), nodes));
  }
  BitReader bits(data);
  std::vector<Edge> edges;
  edges.reserve(data.size() * kBitsPerCharacter / static_cast<std::size_t>(width + 1));
  int current = 0;
  while (bits.left() > static_cast<std::size_t>(width)) {
    const bool is_last = bits.left() < kBitsPerCharacter;
    current += bits.take(1);
    const int index = bits.take(width);
    if (current >= nodes || index >= nodes) {
      // Only the padding of the last character may point behind the last node.
      if (!is_last) {
        throw Graph6Error(fmt::format("{} names a node beyond {} nodes", in_quotes(text), nodes));
      }
      break;
    }
    if (index > current) {
      current = index;
    } else {
      edges.push_back({index, current});
    }
  }
  if (edges.empty()) return Graph(nodes, {});
  return Graph(nodes, sorted_by(edges, &Edge::u, nodes));
}

/// Whether sparse6 is shorter than graph6, without writing either.
bool sparse_is_shorter(const Graph& graph) {
  const auto nodes = static_cast<std::uint64_t>(graph.node_count());
  const std::size_t dense = characters_for(pair_count(nodes));
  const auto record = static_cast<std::uint64_t>(index_bits(graph.node_count()) + 1);
  std::uint64_t records = graph.edges().size();
  if (1 + characters_for(records * record) >= dense) return false;
  std::vector<bool> is_larger_end(nodes, false);
  for (const Edge edge : graph.edges()) is_larger_end[static_cast<std::size_t>(edge.v)] = true;
  // A larger end that does not follow the one before costs a record of its own.
  for (std::size_t v = 2; v < nodes; ++v) {
    if (is_larger_end[v] && !is_larger_end[v - 1]) ++records;
  }
  return 1 + characters_for(records * record) < dense;
}

}  // namespace

std::string encode_graph6(const Graph& graph) {
  return sparse_is_shorter(graph) ? encode_sparse(graph) : encode_dense(graph);
}

Graph decode_graph6(std::string_view text, int max_nodes) {
  const bool sparse = text.starts_with(':');
  const std::string_view characters = sparse ? text.substr(1) : text;
  if (characters.empty()) throw Graph6Error("no graph6 text");
  for (const char c : characters) {
    if (c < kBias || c > kLargest) {
      throw Graph6Error(
          fmt::format("character {} in {}", in_quotes(std::string_view(&c, 1)), in_quotes(text)));
    }
  }
  try {
    return sparse ? decode_sparse(text, max_nodes) : decode_dense(text, max_nodes);
  } catch (const GraphError& error) {
    throw Graph6Error(fmt::format("{}: {}", in_quotes(text), error.what()));
  }
}

}  // namespace bermuda
