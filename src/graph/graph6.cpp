#include "bermuda/graph/graph6.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
constexpr int kSmallNodes = 64;  // a set of them fits into a word

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

void append_dense(std::string& out, const Graph& graph) {
  const auto nodes = static_cast<std::uint64_t>(graph.node_count());
  append_size(out, nodes);
  const std::size_t start = out.size();
  out.append(characters_for(pair_count(nodes)), kBias);
  for (const Edge edge : graph.edges()) {
    const std::uint64_t bit =
        pair_count(static_cast<std::uint64_t>(edge.v)) + static_cast<std::uint64_t>(edge.u);
    char& character = out[start + bit / kBitsPerCharacter];
    character = static_cast<char>(character + (32 >> (bit % kBitsPerCharacter)));
  }
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

/// Writes sparse6 for edges that come sorted by their larger end, then by their smaller.
class SparseWriter {
 public:
  SparseWriter(std::string& out, int nodes)
      : nodes_(nodes), width_(index_bits(nodes)), bits_(started(out, nodes)) {}

  void add(int u, int v) {
    if (v > current_ + 1) {
      bits_.put(1, 1);
      bits_.put(static_cast<std::uint64_t>(v), width_);
      bits_.put(0, 1);
    } else {
      bits_.put(v == current_ ? 0 : 1, 1);
    }
    current_ = v;
    bits_.put(static_cast<std::uint64_t>(u), width_);
  }

  void finish() {
    // Padding with ones must not read as a loop at the last node.
    if (bits_.room() > width_ && current_ == nodes_ - 2 && nodes_ == 1 << width_) bits_.put(0, 1);
    const int room = bits_.room();
    bits_.put((1U << room) - 1, room);
  }

 private:
  static std::string& started(std::string& out, int nodes) {
    out += ':';
    append_size(out, static_cast<std::uint64_t>(nodes));
    return out;
  }

  int nodes_;
  int width_;
  BitWriter bits_;
  int current_ = 0;
};

void append_sparse(std::string& out, const Graph& graph) {
  SparseWriter writer(out, graph.node_count());
  for (const Edge edge : sorted_by(graph.edges(), &Edge::v, graph.node_count())) {
    writer.add(edge.u, edge.v);
  }
  writer.finish();
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

/// Whether sparse6 is shorter than graph6; is_larger_end(v) says whether v is one of any edge.
template <typename IsLargerEnd>
bool sparse_is_shorter(const Graph& graph, IsLargerEnd is_larger_end) {
  const auto nodes = static_cast<std::uint64_t>(graph.node_count());
  const std::size_t dense = characters_for(pair_count(nodes));
  const auto record = static_cast<std::uint64_t>(index_bits(graph.node_count()) + 1);
  std::uint64_t records = graph.edges().size();
  if (1 + characters_for(records * record) >= dense) return false;
  // A larger end that does not follow the one before costs a record of its own.
  for (std::size_t v = 2; v < nodes; ++v) {
    if (is_larger_end(v) && !is_larger_end(v - 1)) ++records;
  }
  return 1 + characters_for(records * record) < dense;
}

/// A word holds the smaller ends of all edges with one larger end, so nothing need be sorted.
void append_small(std::string& out, const Graph& graph) {
  const auto nodes = static_cast<std::size_t>(graph.node_count());
  std::array<std::uint64_t, kSmallNodes> smaller_ends;
  std::fill_n(smaller_ends.begin(), nodes, 0);
  for (const Edge edge : graph.edges()) {
    smaller_ends[static_cast<std::size_t>(edge.v)] |= std::uint64_t{1} << edge.u;
  }
  if (!sparse_is_shorter(graph, [&](std::size_t v) { return smaller_ends[v] != 0; })) {
    return append_dense(out, graph);
  }
  SparseWriter writer(out, graph.node_count());
  for (std::size_t v = 1; v < nodes; ++v) {
    for (std::uint64_t ends = smaller_ends[v]; ends != 0; ends &= ends - 1) {
      writer.add(std::countr_zero(ends), static_cast<int>(v));
    }
  }
  writer.finish();
}

void append_large(std::string& out, const Graph& graph) {
  std::vector<bool> is_larger_end(static_cast<std::size_t>(graph.node_count()), false);
  for (const Edge edge : graph.edges()) is_larger_end[static_cast<std::size_t>(edge.v)] = true;
  if (sparse_is_shorter(graph, [&](std::size_t v) { return is_larger_end[v]; })) {
    append_sparse(out, graph);
  } else {
    append_dense(out, graph);
  }
}

}  // namespace

void append_graph6(std::string& out, const Graph& graph) {
  if (graph.node_count() <= kSmallNodes) {
    append_small(out, graph);
  } else {
    append_large(out, graph);
  }
}

void append_dense_graph6(std::string& out, const Graph& graph) { append_dense(out, graph); }

std::string encode_graph6(const Graph& graph) {
  std::string out;
  append_graph6(out, graph);
  return out;
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
