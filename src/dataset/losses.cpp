#include "losses.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "fields.hpp"

namespace bermuda {

LossList::LossList(const DataSet& data) : data_(data), samples_(data.all()) {
  if (!data.provenance.empty()) add("how the data set was made (task, parameters, seed)");
}

void LossList::count(std::string_view what, const std::function<bool(const Sample&)>& condition) {
  std::size_t graphs = 0;
  for (const Sample* sample : samples_) graphs += condition(*sample) ? 1U : 0U;
  if (graphs > 0) add(fmt::format("{} of {} graph{}", what, graphs, graphs == 1 ? "" : "s"));
}

void LossList::add(std::string loss) { losses_.push_back(std::move(loss)); }

void LossList::count_edge_labels() {
  count("edge labels", [](const Sample& s) { return s.graph.has_edge_labels(); });
}

void LossList::count_witnesses_hits_and_origins() {
  count("witnesses", [](const Sample& s) { return !s.witness.empty(); });
  count("hit counts", [](const Sample& s) { return s.hits != Sample::kNoHits; });
  count("origins", [](const Sample& s) { return !s.origin.empty(); });
}

void LossList::count_ids_and_splits() {
  count("ids", [number = 0](const Sample& s) mutable { return s.id != std::to_string(++number); });
  std::string splits;
  for (const Split& split : data_.splits) {
    if (!split.samples.empty()) splits += (splits.empty() ? "" : ", ") + split.name;
  }
  if (splits != kUnsplit && !splits.empty()) add(fmt::format("the splits ({})", splits));
}

std::vector<std::string> LossList::finish(bool numbers_only) {
  ClassNames met;
  DataSet shadow;
  for (const Sample* sample : samples_) {
    if (sample->label == Sample::kNoClass) continue;
    met.add(data_.class_names.at(static_cast<std::size_t>(sample->label)));
  }
  met.settle(shadow);
  if (shadow.class_names != data_.class_names) {
    add("the order of the classes, and classes without a graph");
  }
  for (const std::string& name : data_.class_names) {
    if (numbers_only && !is_class_number(name)) {
      add(fmt::format("class name {} (not an integer: refused)", in_quotes(name)));
    }
  }
  for (const Split& split : data_.splits) {
    if (split.samples.empty()) {
      add(fmt::format("split {}, which is empty", in_quotes(split.name)));
    }
  }
  return std::move(losses_);
}

CommonColumns common_columns(const std::vector<const Sample*>& samples) {
  bool any_node_labels = false;
  bool any_edge_labels = false;
  bool all_nodes_labelled = true;
  bool all_edges_labelled = true;
  bool one_width = true;
  std::optional<int> width;
  for (const Sample* sample : samples) {
    const Graph& graph = sample->graph;
    any_node_labels = any_node_labels || graph.has_node_labels();
    any_edge_labels = any_edge_labels || graph.has_edge_labels();
    all_nodes_labelled = all_nodes_labelled && graph.has_node_labels();
    all_edges_labelled = all_edges_labelled && (graph.has_edge_labels() || graph.edge_count() == 0);
    if (graph.node_count() == 0) continue;
    if (!width) width = graph.attribute_width();
    one_width = one_width && graph.attribute_width() == *width;
  }
  return {any_node_labels && all_nodes_labelled, any_edge_labels && all_edges_labelled,
          one_width ? width.value_or(0) : 0};
}

}  // namespace bermuda
