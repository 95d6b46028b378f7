#include "bermuda/dataset/figures.hpp"

#include <algorithm>
#include <numeric>

namespace bermuda {
namespace {

double mean(std::uint64_t sum, std::size_t count) {
  return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(count, 1));
}

template <typename Key>
void add_counts(std::map<Key, std::size_t>& counts, const std::map<Key, std::size_t>& more) {
  for (const auto& [key, count] : more) counts[key] += count;
}

}  // namespace

std::size_t SplitFigures::without_class() const {
  return graphs - std::accumulate(classes.begin(), classes.end(), std::size_t{0});
}
double SplitFigures::mean_nodes() const { return mean(nodes, graphs); }
double SplitFigures::mean_edges() const { return mean(edges, graphs); }

void SplitFigures::add(const Sample& sample) {
  const Graph& graph = sample.graph;
  min_nodes = graphs == 0 ? graph.node_count() : std::min(min_nodes, graph.node_count());
  max_nodes = std::max(max_nodes, graph.node_count());
  ++graphs;
  if (sample.label != Sample::kNoClass) ++classes.at(static_cast<std::size_t>(sample.label));
  nodes += static_cast<std::uint64_t>(graph.node_count());
  edges += static_cast<std::uint64_t>(graph.edge_count());
  node_labels.insert(graph.node_labels().begin(), graph.node_labels().end());
  edge_labels.insert(graph.edge_labels().begin(), graph.edge_labels().end());
  if (!sample.witness.empty()) ++witnesses;
  if (!sample.origin.empty()) ++origins[sample.origin];
  if (sample.hits != Sample::kNoHits) ++hits[sample.hits];
}

void SplitFigures::merge(const SplitFigures& other) {
  if (other.graphs == 0) return;
  min_nodes = graphs == 0 ? other.min_nodes : std::min(min_nodes, other.min_nodes);
  max_nodes = std::max(max_nodes, other.max_nodes);
  graphs += other.graphs;
  classes.resize(std::max(classes.size(), other.classes.size()));
  for (std::size_t c = 0; c < other.classes.size(); ++c) classes[c] += other.classes[c];
  nodes += other.nodes;
  edges += other.edges;
  node_labels.insert(other.node_labels.begin(), other.node_labels.end());
  edge_labels.insert(other.edge_labels.begin(), other.edge_labels.end());
  witnesses += other.witnesses;
  add_counts(origins, other.origins);
  add_counts(hits, other.hits);
}

nlohmann::json SplitFigures::to_json() const {
  return {name,      graphs,      classes,     nodes,     edges,   min_nodes,
          max_nodes, node_labels, edge_labels, witnesses, origins, hits};
}

SplitFigures SplitFigures::from_json(const nlohmann::json& json) {
  SplitFigures figures;
  std::size_t next = 0;
  const auto read = [&](auto& member) { json.at(next++).get_to(member); };
  read(figures.name);
  read(figures.graphs);
  read(figures.classes);
  read(figures.nodes);
  read(figures.edges);
  read(figures.min_nodes);
  read(figures.max_nodes);
  read(figures.node_labels);
  read(figures.edge_labels);
  read(figures.witnesses);
  read(figures.origins);
  read(figures.hits);
  return figures;
}

SplitFigures figures_of(const Split& split, std::size_t class_count) {
  SplitFigures figures;
  figures.name = split.name;
  figures.classes.assign(class_count, 0);
  for (const Sample& sample : split.samples) figures.add(sample);
  return figures;
}

std::size_t DataSetFigures::graphs() const {
  std::size_t sum = 0;
  for (const SplitFigures& split : splits) sum += split.graphs;
  return sum;
}

DataSetFigures figures_of(const DataSet& data) {
  DataSetFigures figures{data.name, data.class_names, {}, data.provenance};
  for (const Split& split : data.splits) {
    figures.splits.push_back(figures_of(split, data.class_names.size()));
  }
  return figures;
}

}  // namespace bermuda
