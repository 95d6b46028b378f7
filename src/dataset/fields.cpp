#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "bermuda/core/text.hpp"
#include "bermuda/core/utf8.hpp"

namespace bermuda {
namespace {

std::size_t comma_count(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
}

Edge parse_witness_edge(std::string_view text, int node_count) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) throw Fault{in_quotes(text), "a witness edge such as 3-5"};
  const Edge edge{parse_integer(text.substr(0, dash), 0, node_count - 1, "a node of the witness"),
                  parse_integer(text.substr(dash + 1), 0, node_count - 1, "a node of the witness")};
  if (edge.u >= edge.v) throw Fault{in_quotes(text), "a witness edge with its smaller node first"};
  return edge;
}

template <typename Visit>
void for_each_field(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
    if (text.empty()) visit(text);
  }
}

constexpr std::size_t kMostDigits = 20;  // and a sign

// Behind what it wrote. Most numbers are nodes of small graphs.
char* put_integer(char* place, long value) {
  if (value >= 0 && value < 100) {
    if (value >= 10) *place++ = static_cast<char>('0' + value / 10);
    *place++ = static_cast<char>('0' + value % 10);
    return place;
  }
  return std::to_chars(place, place + kMostDigits, value).ptr;
}

char* put_integers(char* place, const std::vector<int>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) *place++ = ',';
    place = put_integer(place, values[i]);
  }
  return place;
}

// Appends what write(place) puts at a place with room for `most` characters; it returns the end.
template <typename Write>
void append_written(std::string& out, std::size_t most, Write write) {
  const std::size_t before = out.size();
  out.resize(before + most);
  char* const place = out.data() + before;
  out.resize(before + static_cast<std::size_t>(write(place) - place));
}

}  // namespace

void NodeBudget::take(int nodes, std::string_view id) {
  options_.stop(static_cast<std::size_t>(nodes) / 16);
  if (nodes > options_.max_nodes) {
    throw Fault{fmt::format("graph {} of {} nodes", in_quotes(id), nodes),
                fmt::format("at most {} (--max-nodes allows more)", options_.max_nodes)};
  }
  taken_ += static_cast<std::size_t>(nodes);
  const std::size_t most = bytes_ + 10 * static_cast<std::size_t>(options_.max_nodes);
  if (taken_ > most) {
    throw Fault{fmt::format("{} nodes in all up to graph {}", taken_, in_quotes(id)),
                fmt::format("at most {} in {} bytes (--max-nodes allows more)", most, bytes_)};
  }
}

int no_class(const ReadOptions& options, std::string found) {
  if (options.may_lack_class) return Sample::kNoClass;
  throw Fault{std::move(found), "a class of every graph, which is needed here"};
}

std::vector<std::string_view> words_of(std::string_view line, std::string_view blanks) {
  std::vector<std::string_view> words;
  for (std::size_t start = line.find_first_not_of(blanks); start != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, start), line.size());
    words.push_back(line.substr(start, end - start));
    start = line.find_first_not_of(blanks, end);
  }
  return words;
}

int parse_integer(std::string_view text, int low, int high, std::string_view what) {
  const std::optional<int> value = parse_number<int>(text);
  if (!value || *value < low || *value > high) {
    const bool bounded = high < std::numeric_limits<int>::max();
    throw Fault{in_quotes(text), bounded ? fmt::format("{} ({} to {})", what, low, high)
                                         : fmt::format("{} ({} or more)", what, low)};
  }
  return *value;
}

int parse_integer(std::string_view text, std::string_view what) {
  const std::optional<int> value = parse_number<int>(text);
  if (!value) throw Fault{in_quotes(text), fmt::format("{} (an integer)", what)};
  return *value;
}

double parse_real(std::string_view text, std::string_view what) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || !std::isfinite(*value)) {
    throw Fault{in_quotes(text), fmt::format("{} (a finite number)", what)};
  }
  return *value;
}

std::vector<int> parse_integers(std::string_view text, std::string_view what) {
  std::vector<int> values;
  values.reserve(comma_count(text) + 1);
  for_each_field(text,
                 [&](std::string_view field) { values.push_back(parse_integer(field, what)); });
  return values;
}

Witness parse_witness(std::string_view text, int node_count) {
  Witness witness;
  if (text == kAbsent) return witness;
  const std::size_t middle = text.find(';');
  if (middle == std::string_view::npos || text.size() == 1) {
    throw Fault{in_quotes(text), "a witness: nodes, then ';', then edges"};
  }
  witness.nodes.reserve(comma_count(text.substr(0, middle)) + 1);
  witness.edges.reserve(comma_count(text.substr(middle)) + 1);
  for_each_field(text.substr(0, middle), [&](std::string_view field) {
    witness.nodes.push_back(parse_integer(field, 0, node_count - 1, "a node of the witness"));
  });
  for_each_field(text.substr(middle + 1), [&](std::string_view field) {
    witness.edges.push_back(parse_witness_edge(field, node_count));
  });
  if (!is_ascending(witness.nodes) || !is_ascending(witness.edges)) {
    throw Fault{in_quotes(text), "a witness in ascending order"};
  }
  return witness;
}

int parse_hits(std::string_view text) {
  if (text == kAbsent) return Sample::kNoHits;
  return parse_integer(text, 0, std::numeric_limits<int>::max(), "a hit count");
}

std::string parse_origin(std::string_view text) {
  if (text == kAbsent) return {};
  check_field_text(text, "an origin (- for none)");
  return std::string(text);
}

void append_integer(std::string& out, long value) {
  std::array<char, kMostDigits> digits;
  out.append(digits.data(), put_integer(digits.data(), value));
}

void append_real(std::string& out, double value) { out += fmt::format("{}", value); }

void append_integers(std::string& out, const std::vector<int>& values) {
  append_written(out, values.size() * (kMostDigits + 1),
                 [&](char* place) { return put_integers(place, values); });
}

void append_witness(std::string& out, const Witness& witness) {
  if (witness.empty()) {
    out += kAbsent;
    return;
  }
  const std::size_t numbers = witness.nodes.size() + 2 * witness.edges.size();
  append_written(out, numbers * (kMostDigits + 1) + 1, [&](char* place) {
    place = put_integers(place, witness.nodes);
    *place++ = ';';
    for (std::size_t i = 0; i < witness.edges.size(); ++i) {
      if (i > 0) *place++ = ',';
      place = put_integer(place, witness.edges[i].u);
      *place++ = '-';
      place = put_integer(place, witness.edges[i].v);
    }
    return place;
  });
}

void append_hits(std::string& out, int hits) {
  if (hits == Sample::kNoHits) {
    out += kAbsent;
  } else {
    append_integer(out, hits);
  }
}

void append_origin(std::string& out, const std::string& origin) {
  out += origin.empty() ? kAbsent : std::string_view(origin);
}

bool is_field_text(std::string_view text) {
  return !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         first_unfit_for_names(text) == std::string_view::npos;
}

void check_field_text(std::string_view text, std::string_view what) {
  const std::size_t place = first_unfit_for_names(text);
  if (place != std::string_view::npos) {
    throw Fault{byte_in_words(text, place),
                fmt::format("{} in UTF-8 without control characters", what)};
  }
  if (!is_field_text(text)) throw Fault{in_quotes(text), std::string(what)};
}

void check_name(std::string_view name, const std::string& file) {
  const std::size_t place = first_unfit_for_names(name);
  if (place == std::string_view::npos) return;
  throw InputError(file, 0, byte_in_words(name, place),
                   "a data set's name in UTF-8 without control characters");
}

bool is_plain_name(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 200 && !text.starts_with('.') &&
         std::all_of(text.begin(), text.end(), is_plain);
}

}  // namespace bermuda
