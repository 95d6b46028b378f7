#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/utf8.hpp"
#include "fields.hpp"

namespace bermuda {
namespace {

bool is_part_of(const Witness& witness, int node_count) {
  const auto is_node = [&](int node) { return node >= 0 && node < node_count; };
  return std::all_of(witness.nodes.begin(), witness.nodes.end(), is_node) &&
         is_ascending(witness.nodes) && is_ascending(witness.edges) &&
         std::all_of(witness.edges.begin(), witness.edges.end(), [&](Edge edge) {
           return edge.u < edge.v && is_node(edge.u) && is_node(edge.v);
         });
}

void check_sample(const Sample& sample, std::size_t class_count) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("graph {}: {}", in_quotes(sample.id), what));
  };
  if (!is_field_text(sample.id))
    fail(
        "ids must not be empty, hold control characters or what is not UTF-8, or have outer "
        "blanks");
  if (sample.label < Sample::kNoClass || sample.label >= static_cast<int>(class_count)) {
    fail(fmt::format("class {} of {}", sample.label, class_count));
  }
  if (sample.hits < Sample::kNoHits) fail(fmt::format("{} hits", sample.hits));
  if (!sample.origin.empty() && (!is_field_text(sample.origin) || sample.origin == kAbsent)) {
    fail(fmt::format("origin {} cannot be written", in_quotes(sample.origin)));
  }
  if (sample.graph.node_count() > kMostNodes) {
    fail(fmt::format("{} nodes, more than {}", sample.graph.node_count(), kMostNodes));
  }
  for (const double value : sample.graph.attributes()) {
    if (!std::isfinite(value)) fail(fmt::format("node attribute {}", value));
  }
  if (!is_part_of(sample.witness, sample.graph.node_count())) {
    fail(fmt::format("the witness is not in ascending order or no part of {} nodes",
                     sample.graph.node_count()));
  }
}

}  // namespace

void check_writable(const Split& split, std::size_t class_count) {
  if (!is_plain_name(split.name)) {
    throw UsageError(
        fmt::format("split {}: names of splits are made of letters, digits, '.', '_' and '-'",
                    in_quotes(split.name)));
  }
  for (const Sample& sample : split.samples) check_sample(sample, class_count);
}

void check_writable(const DataSet& data) {
  if (const std::size_t place = first_unfit_for_names(data.name); place != std::string::npos) {
    throw UsageError(
        fmt::format("the data set's name is not UTF-8 text without control characters: {}",
                    byte_in_words(data.name, place)));
  }
  for (std::size_t i = 0; i < data.splits.size(); ++i) {
    const Split& split = data.splits[i];
    if (data.find(split.name) != &split) {
      throw UsageError(fmt::format("two splits are named {}", in_quotes(split.name)));
    }
    check_writable(split, data.class_names.size());
  }
  std::set<std::string_view> names;
  for (const std::string& name : data.class_names) {
    if (!is_field_text(name)) {
      throw UsageError(fmt::format(
          "class name {} is empty, no UTF-8, holds control characters, or has blanks at its ends",
          in_quotes(name)));
    }
    if (!names.insert(name).second) {
      throw UsageError(fmt::format("two classes are named {}", in_quotes(name)));
    }
  }
}

}  // namespace bermuda
