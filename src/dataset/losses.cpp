#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bermuda/core/text.hpp"
#include "bermuda/dataset/io.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

/// Counts graphs by a condition and words the loss.
class LossList {
 public:
  explicit LossList(const DataSet& data) : samples_(data.all()) {}

  template <typename Condition>
  void count(std::string_view what, Condition condition) {
    std::size_t graphs = 0;
    for (const Sample* sample : samples_) graphs += condition(*sample) ? 1U : 0U;
    if (graphs > 0) {
      losses_.push_back(fmt::format("{} of {} graph{}", what, graphs, graphs == 1 ? "" : "s"));
    }
  }
  void add(std::string loss) { losses_.push_back(std::move(loss)); }
  const std::vector<const Sample*>& samples() const { return samples_; }
  std::vector<std::string> take() { return std::move(losses_); }

 private:
  std::vector<const Sample*> samples_;
  std::vector<std::string> losses_;
};

bool has_trailing_isolated_nodes(const Sample& sample) {
  const Graph& graph = sample.graph;
  int largest = -1;
  for (const Edge edge : graph.edges()) largest = std::max(largest, edge.v);
  return largest >= 0 && largest + 1 < graph.node_count();
}

void add_spcl(LossList& losses) {
  losses.count("node labels", [](const Sample& s) { return s.graph.has_node_labels(); });
  losses.count("edge labels", [](const Sample& s) { return s.graph.has_edge_labels(); });
  losses.count("node attributes", [](const Sample& s) { return s.graph.attribute_width() > 0; });
  losses.count("witnesses", [](const Sample& s) { return !s.witness.empty(); });
  losses.count("hit counts", [](const Sample& s) { return s.hits != Sample::kNoHits; });
  losses.count("origins", [](const Sample& s) { return !s.origin.empty(); });
  losses.count("isolated nodes at the end", has_trailing_isolated_nodes);
  losses.count("all (no edges: refused)",
               [](const Sample& s) { return s.graph.edge_count() == 0; });
}

void add_tu(LossList& losses) {
  const TuColumns columns = tu_columns(losses.samples());
  if (!columns.node_labels) {
    losses.count("node labels (not all graphs have them)",
                 [](const Sample& s) { return s.graph.has_node_labels(); });
  }
  if (!columns.edge_labels) {
    losses.count("edge labels (not all graphs have them)",
                 [](const Sample& s) { return s.graph.has_edge_labels(); });
  }
  if (columns.attribute_width == 0) {
    losses.count("node attributes (not all graphs have them, equally many)",
                 [](const Sample& s) { return s.graph.attribute_width() > 0; });
  }
  losses.count("all (no nodes: refused)",
               [](const Sample& s) { return s.graph.node_count() == 0; });
  const bool has_edges = std::any_of(losses.samples().begin(), losses.samples().end(),
                                     [](const Sample* s) { return s->graph.edge_count() > 0; });
  if (!has_edges) losses.add("everything (no graph has an edge: refused)");
}

void add_classes(LossList& losses, const DataSet& data, bool numbers_only) {
  ClassNames met;
  DataSet shadow;
  for (const Sample* sample : losses.samples()) {
    met.add(data.class_names.at(static_cast<std::size_t>(sample->label)));
  }
  met.settle(shadow);
  if (shadow.class_names != data.class_names) {
    losses.add("the order of the classes, and classes without a graph");
  }
  if (!numbers_only) return;
  for (const std::string& name : data.class_names) {
    if (!is_class_number(name)) {
      losses.add(fmt::format("class name {} (not an integer: refused)", in_quotes(name)));
    }
  }
}

}  // namespace

std::vector<std::string> losses(const DataSet& data, Format format) {
  if (format == Format::kNative) return {};
  LossList list(data);
  if (!data.provenance.empty()) list.add("how the data set was made (task, parameters, seed)");
  if (format == Format::kSpCl) add_spcl(list);
  if (format == Format::kTu) add_tu(list);
  add_classes(list, data, format != Format::kJsonLines);
  for (const Split& split : data.splits) {
    if (split.samples.empty()) {
      list.add(fmt::format("split {}, which is empty", in_quotes(split.name)));
    }
  }
  return list.take();
}

}  // namespace bermuda
