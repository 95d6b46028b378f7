#include "bermuda/nn/batch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bermuda/core/index.hpp"

namespace bermuda::nn {
namespace {

/// Above this share of distinct rows a level is not compressed: what is saved is less than the
/// indirection costs.
constexpr double kWorthwhile = 0.97;

/// Calls body(value, count) for the runs of equal values, which are sorted.
template <class Body>
void for_runs(const std::vector<int>& values, const Body& body) {
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    while (end < values.size() && values[end] == values[i]) ++end;
    body(values[i], static_cast<int>(end - i));
    i = end;
  }
}

}  // namespace

void Relation::complete(int source_count) {
  back_offsets.assign(at(source_count) + 1, 0);
  for (const int source : sources) ++back_offsets[at(source) + 1];
  std::partial_sum(back_offsets.begin(), back_offsets.end(), back_offsets.begin());
  back_targets.resize(sources.size());
  back_entries.resize(sources.size());
  back_weights.resize(weights.size());
  std::vector<int> next(back_offsets.begin(), back_offsets.end() - 1);
  for (int target = 0; target < targets(); ++target) {
    for (int entry = offsets[at(target)]; entry < offsets[at(target) + 1]; ++entry) {
      const std::size_t place = at(next[at(sources[at(entry)])]++);
      back_targets[place] = target;
      back_entries[place] = entry;
      if (!weights.empty()) back_weights[place] = weights[at(entry)];
    }
  }
}

BatchMaker::BatchMaker(const PackedGraphs& graphs, FeatureSpec spec, BatchRecipe recipe,
                       bool compress)
    : graphs_(graphs), spec_(std::move(spec)), recipe_(recipe) {
  // A node index tells all nodes of a graph apart: there is nothing to share.
  if (compress && spec_.indices == 0 && !recipe.each_its_own && !recipe.whole_graphs) {
    colours_.emplace(graphs, spec_, recipe.aggregation, recipe.layers);
    for (const int count : colours_->count) row_of_colour_.emplace_back(at(count), -1);
    weigh_colours();
  }
}

void BatchMaker::weigh_colours() {
  colour_weights_.resize(colours_->heard.size());
  for (std::size_t round = 1; round < colours_->heard.size(); ++round) {
    const NodeColours::Heard& heard = colours_->heard[round];
    const std::vector<int>& above = colours_->heard[round - 1].speakers;
    for (std::size_t colour = 0; colour < heard.speakers.size(); ++colour) {
      for (int e = heard.offsets[colour]; e < heard.offsets[colour + 1]; ++e) {
        colour_weights_[round].push_back(
            weight(heard.speakers[colour], above[at(heard.colours[at(e)])], heard.counts[at(e)]));
      }
    }
  }
}

BatchMaker::Naming BatchMaker::name_rows(int round) {
  Naming naming;
  const std::vector<int>& colours = colours_->of_round[at(round)];
  std::vector<int>& row_of_colour = row_of_colour_[at(round)];
  naming.row_of.reserve(nodes_.size());
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    int& row = row_of_colour[at(colours[at(nodes_[place])])];
    if (row < 0) {
      row = static_cast<int>(naming.speaker.size());
      naming.speaker.push_back(static_cast<int>(place));
      naming.multiplicity.push_back(0);
    }
    naming.row_of.push_back(row);
    naming.multiplicity[at(row)] += 1;
  }
  const double share = static_cast<double>(naming.speaker.size());
  naming.each_its_own = share > kWorthwhile * static_cast<double>(nodes_.size());
  if (!naming.each_its_own) return naming;
  forget_names(round, naming);
  return {};
}

void BatchMaker::forget_names(int round, const Naming& naming) {
  const std::vector<int>& colours = colours_->of_round[at(round)];
  for (const int place : naming.speaker) {
    row_of_colour_[at(round)][at(colours[at(nodes_[at(place)])])] = -1;
  }
}

int BatchMaker::source_rows(const Naming& naming) const {
  return static_cast<int>(naming.each_its_own ? nodes_.size() : naming.speaker.size());
}

float BatchMaker::weight(int node, int other, int count) const {
  const auto times = static_cast<float>(count);
  const auto degree = static_cast<float>(graphs_.degree(node));
  if (recipe_.aggregation == Aggregation::kSum) return times;
  if (recipe_.aggregation == Aggregation::kSymmetric) {
    return times / std::sqrt((degree + 1) * (static_cast<float>(graphs_.degree(other)) + 1));
  }
  return times / degree;
}

BatchMaker::SharedRelation BatchMaker::complete(Relation relation, int source_count) const {
  if (way_back_) relation.complete(source_count);
  return std::make_shared<const Relation>(std::move(relation));
}

BatchMaker::SharedRelation BatchMaker::between_nodes() const {
  Relation relation;
  const bool weighted =
      recipe_.aggregation == Aggregation::kMean || recipe_.aggregation == Aggregation::kSymmetric;
  relation.offsets.reserve(nodes_.size() + 1);
  relation.sources.reserve(4 * nodes_.size());
  if (weighted) relation.weights.reserve(4 * nodes_.size());
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    const int node = nodes_[place];
    for (const int other : graphs_.neighbours_of(node)) {
      relation.sources.push_back(other + shift_[place]);
      if (weighted) relation.weights.push_back(weight(node, other, 1));
    }
    if (recipe_.aggregation == Aggregation::kSymmetric) {
      relation.sources.push_back(static_cast<int>(place));
      relation.weights.push_back(weight(node, node, 1));
    }
    relation.offsets.push_back(static_cast<int>(relation.sources.size()));
  }
  relation.average = recipe_.aggregation == Aggregation::kMean;
  return complete(std::move(relation), static_cast<int>(nodes_.size()));
}

BatchMaker::SharedRelation BatchMaker::between_colours(int round, const Naming& above,
                                                       const Naming& here) {
  Relation relation;
  const NodeColours::Heard& heard = colours_->heard[at(round)];
  const std::vector<int>& colours = colours_->of_round[at(round)];
  const std::vector<int>& row_above = row_of_colour_[at(round) - 1];
  const std::vector<float>& weights = colour_weights_[at(round)];
  const int rows = source_rows(here);
  const bool symmetric = recipe_.aggregation == Aggregation::kSymmetric;
  const auto place_of = [&](int row) {
    return at(here.each_its_own ? row : here.speaker[at(row)]);
  };
  // The network has pushed these tables out of the caches. One table after the other is read, so
  // that many reads are under way at a time; the last loop would wait for each.
  colours_of_rows_.resize(at(rows));
  for (int row = 0; row < rows; ++row) {
    colours_of_rows_[at(row)] = colours[at(nodes_[place_of(row)])];
  }
  relation.offsets.resize(at(rows) + 1);
  for (int row = 0; row < rows; ++row) {
    const std::size_t colour = at(colours_of_rows_[at(row)]);
    const int begin = heard.offsets[colour];
    const int count = heard.offsets[colour + 1] - begin + (symmetric ? 1 : 0);
    relation.offsets[at(row) + 1] = relation.offsets[at(row)] + count;
    __builtin_prefetch(heard.colours.data() + begin);
    __builtin_prefetch(weights.data() + begin);
  }
  relation.sources.resize(at(relation.offsets.back()));
  relation.weights.resize(relation.sources.size());
  for (int row = 0; row < rows; ++row) {
    const std::size_t colour = at(colours_of_rows_[at(row)]);
    std::size_t place = at(relation.offsets[at(row)]);
    for (int e = heard.offsets[colour]; e < heard.offsets[colour + 1]; ++e, ++place) {
      relation.sources[place] = heard.colours[at(e)];
      relation.weights[place] = weights[at(e)];
    }
    if (symmetric) {
      const int node = nodes_[place_of(row)];
      relation.sources[place] = colours_->of_round[at(round) - 1][at(node)];
      relation.weights[place] = weight(node, node, 1);
    }
  }
  for (int& source : relation.sources) source = row_above[at(source)];
  relation.average = recipe_.aggregation == Aggregation::kMean;
  return complete(std::move(relation), source_rows(above));
}

BatchMaker::SharedRelation BatchMaker::own_rows(const Naming& above, const Naming& here) const {
  Relation own;
  const int rows = source_rows(here);
  own.sources.resize(at(rows));
  own.offsets.resize(at(rows) + 1);
  for (int row = 0; row < rows; ++row) {
    own.sources[at(row)] = above.row_of[at(here.each_its_own ? row : here.speaker[at(row)])];
    own.offsets[at(row) + 1] = row + 1;
  }
  return complete(std::move(own), source_rows(above));
}

BatchMaker::SharedRelation BatchMaker::pool_relation(std::span<const int> graphs,
                                                     const Naming& naming) const {
  Relation relation;
  int place = 0;
  std::vector<int> rows;
  relation.offsets.reserve(graphs.size() + 1);
  relation.sources.reserve(nodes_.size());
  relation.weights.reserve(nodes_.size());
  for (const int graph : graphs) {
    const int size = graphs_.node_offsets[at(graph) + 1] - graphs_.node_offsets[at(graph)];
    rows.clear();
    for (int i = 0; i < size; ++i, ++place) {
      rows.push_back(naming.each_its_own ? place : naming.row_of[at(place)]);
    }
    if (!naming.each_its_own) std::ranges::sort(rows);
    for_runs(rows, [&](int row, int count) {
      relation.sources.push_back(row);
      const auto times = static_cast<float>(count);
      relation.weights.push_back(recipe_.mean_pool ? times / static_cast<float>(size) : times);
    });
    relation.offsets.push_back(static_cast<int>(relation.sources.size()));
  }
  relation.average = recipe_.mean_pool;
  return complete(std::move(relation), source_rows(naming));
}

void BatchMaker::add_features(const Naming& naming, Batch& batch) const {
  const auto columns = at(spec_.dense_columns());
  const int rows = source_rows(naming);
  std::vector<float> all(at(rows) * columns, 0);
  for (int row = 0; row < rows; ++row) {
    const std::size_t place = at(naming.each_its_own ? row : naming.speaker[at(row)]);
    const int node = nodes_[place];
    float* features = all.data() + at(row) * columns;
    if (graphs_.node_labels.empty()) {
      features[0] = 1;
    } else if (graphs_.node_labels[at(node)] >= 0) {
      features[at(graphs_.node_labels[at(node)])] = 1;
    }
    if (spec_.degree) features[columns - 1] = static_cast<float>(graphs_.degree(node));
  }
  batch.features = SharedArray<float>(std::move(all));
}

Batch BatchMaker::make(std::span<const int> graphs, bool way_back) {
  way_back_ = way_back;
  Batch batch;
  batch.graphs = static_cast<int>(graphs.size());
  nodes_.clear();
  shift_.clear();
  for (const int graph : graphs) {
    const int first = graphs_.node_offsets[at(graph)];
    const int shift = static_cast<int>(nodes_.size()) - first;
    for (int node = first; node < graphs_.node_offsets[at(graph) + 1]; ++node) {
      nodes_.push_back(node);
      shift_.push_back(shift);
      if (spec_.indices > 0)
        batch.indices.push_back(node - first < spec_.indices ? node - first : -1);
    }
    batch.classes.push_back(graphs_.classes[at(graph)]);
  }
  batch.nodes = static_cast<int>(nodes_.size());

  SharedRelation unshared;  // the same at all levels without sharing, as is their pool
  SharedRelation unshared_pool;
  Naming above;
  for (int l = 0; l <= recipe_.layers; ++l) {
    // Refinement never joins what it has split: once each node has its own row, that stays.
    const bool shared = colours_.has_value() && (l == 0 || !above.each_its_own);
    Naming here = shared ? name_rows(l) : Naming{};
    Level level;
    level.rows = source_rows(here);
    if (!here.multiplicity.empty()) level.multiplicity = SharedArray(std::move(here.multiplicity));
    if (l == 0) {
      add_features(here, batch);
    } else if (above.each_its_own) {
      if (!unshared) unshared = between_nodes();
      level.neighbours = unshared;
    } else {
      level.neighbours = between_colours(l, above, here);
      level.own = own_rows(above, here);
    }
    if (l == recipe_.layers || recipe_.pool_every_level) {
      level.pool = unshared_pool ? unshared_pool : pool_relation(graphs, here);
      if (here.each_its_own) unshared_pool = level.pool;
    }
    batch.levels.push_back(std::move(level));
    if (!above.each_its_own) forget_names(l - 1, above);
    above = std::move(here);
  }
  if (!above.each_its_own) forget_names(recipe_.layers, above);
  if (recipe_.whole_graphs) add_wholes(graphs, batch);
  return batch;
}

void BatchMaker::add_wholes(std::span<const int> graphs, Batch& batch) const {
  batch.pooled.rows = batch.graphs;
  std::vector<int> offsets{0};
  std::vector<int> node_labels;
  std::vector<int> edge_labels;
  offsets.reserve(graphs.size() + 1);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const std::size_t graph = at(graphs[i]);
    const int begin = graphs_.node_offsets[graph];
    const int end = graphs_.node_offsets[graph + 1];
    offsets.push_back(offsets.back() + end - begin);
    batch.keys.push_back(graphs_.keys[graph]);
    batch.copies.push_back(i > 0 && graphs[i - 1] == graphs[i] ? batch.copies.back() + 1 : 0);
    if (!graphs_.node_labels.empty()) {
      const auto labels = graphs_.node_labels.begin();
      node_labels.insert(node_labels.end(), labels + begin, labels + end);
    }
    if (!graphs_.edge_labels.empty()) {
      const auto labels = graphs_.edge_labels.begin();
      edge_labels.insert(edge_labels.end(), labels + graphs_.neighbour_offsets[at(begin)],
                         labels + graphs_.neighbour_offsets[at(end)]);
    }
  }
  batch.graph_offsets = SharedArray(std::move(offsets));
  batch.node_labels = SharedArray(std::move(node_labels));
  batch.edge_labels = SharedArray(std::move(edge_labels));
}

}  // namespace bermuda::nn
