#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bermuda/nn/colours.hpp"
#include "bermuda/nn/kernels.hpp"
#include "bermuda/nn/packed_graphs.hpp"

namespace bermuda::nn {

/// Numbers that never change once they are made. Copies share them: a batch and the operators that
/// need them on the way back own them together.
template <typename T>
class SharedArray {
 public:
  SharedArray() = default;
  explicit SharedArray(std::vector<T> values)
      : values_(std::make_shared<const std::vector<T>>(std::move(values))) {}

  const std::vector<T>& all() const {
    static const std::vector<T> none;
    return values_ ? *values_ : none;
  }
  const T* data() const { return all().data(); }
  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const T& operator[](std::size_t place) const { return all()[place]; }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }

 private:
  std::shared_ptr<const std::vector<T>> values_;
};

/// Which rows of one matrix each row of another takes, and the way back, where there is one.
struct Relation {
  std::vector<int> offsets{0};  ///< targets + 1
  std::vector<int> sources;
  std::vector<float> weights;     ///< one per entry; empty: all 1
  bool average = false;           ///< the weights of each target add up to 1
  std::vector<int> back_offsets;  ///< sources + 1
  std::vector<int> back_targets;
  std::vector<int> back_entries;
  std::vector<float> back_weights;

  int targets() const { return static_cast<int>(offsets.size()) - 1; }
  int source_count() const { return static_cast<int>(back_offsets.size()) - 1; }
  int entries() const { return static_cast<int>(sources.size()); }
  RowLists lists() const { return {offsets.data(), sources.data()}; }
  RowLists back_lists() const { return {back_offsets.data(), back_targets.data()}; }
  /// Fills the back_ parts: the transposed relation, by a counting sort, O(entries).
  void complete(int source_count);
};

/// The rows of one depth of a batch: one row per node, or one per colour. Copies share what they
/// refer to.
struct Level {
  int rows = 0;
  SharedArray<float> multiplicity;             ///< nodes that a row stands for; empty: one each
  std::shared_ptr<const Relation> own;         ///< its own row one level up; absent: the same row
  std::shared_ptr<const Relation> neighbours;  ///< rows one level up that it hears
  std::shared_ptr<const Relation> pool;        ///< graphs to rows, where the recipe asks for it

  const int* parent() const { return own ? own->sources.data() : nullptr; }
  RowLists own_lists() const { return own ? own->lists() : RowLists{}; }
  RowLists children() const { return own ? own->back_lists() : RowLists{}; }
  const float* multiplicities() const {
    return multiplicity.empty() ? nullptr : multiplicity.data();
  }
};

/// What a network wants of its batches.
struct BatchRecipe {
  int layers = 0;
  Aggregation aggregation = Aggregation::kMean;
  bool mean_pool = true;          ///< pools average, else add up
  bool pool_every_level = false;  ///< else the last level only
  bool each_its_own = false;      ///< equal nodes may differ (dropout): no sharing
  bool whole_graphs = false;      ///< wants the parts of a batch that see graphs as wholes
};

/// Some graphs, ready for a network: levels[0] carries the features, levels[l] what layer l makes.
struct Batch {
  int graphs = 0;
  int nodes = 0;
  SharedArray<float> features;  ///< levels[0].rows x FeatureSpec::dense_columns()
  std::vector<int> indices;     ///< node index of each row of levels[0]; -1: beyond the table
  std::vector<Level> levels;
  std::vector<int> classes;

  // Of a recipe with whole_graphs, where every node has a row of its own at every level.
  Level pooled;                       ///< one row per graph
  SharedArray<int> graph_offsets;     ///< rows of graph g: graph_offsets[g] .. [g + 1]
  SharedArray<int> node_labels;       ///< of each row; empty: none
  SharedArray<int> edge_labels;       ///< of each entry of the neighbours; empty: none
  std::vector<std::uint64_t> keys;    ///< PackedGraphs::keys of each graph
  std::vector<std::uint32_t> copies;  ///< how many times the graph was in the batch before
};

/// Assembles batches of a packed data set. Without colours every node is a row of its own at every
/// level. With colours, a level has one row per colour that occurs in the batch, up to the level
/// where that stops to pay; the network's answers are the same up to rounding.
class BatchMaker {
 public:
  BatchMaker(const PackedGraphs& graphs, FeatureSpec spec, BatchRecipe recipe, bool compress);
  /// Without way_back nobody can learn from the batch: relations lack their back_ parts.
  Batch make(std::span<const int> graphs, bool way_back = true);
  bool compressed() const { return colours_.has_value(); }

 private:
  /// The rows that the batch's nodes share at one level.
  struct Naming {
    bool each_its_own = true;
    std::vector<int> row_of;   // of each node; both empty when each has its own
    std::vector<int> speaker;  // of each row, a node that has it
    std::vector<float> multiplicity;
  };
  Naming name_rows(int round);
  void forget_names(int round, const Naming& naming);
  void add_features(const Naming& naming, Batch& batch) const;
  using SharedRelation = std::shared_ptr<const Relation>;
  SharedRelation complete(Relation relation, int source_count) const;
  SharedRelation between_nodes() const;
  SharedRelation between_colours(int round, const Naming& above, const Naming& here);
  SharedRelation own_rows(const Naming& above, const Naming& here) const;
  SharedRelation pool_relation(std::span<const int> graphs, const Naming& naming) const;
  void add_wholes(std::span<const int> graphs, Batch& batch) const;
  int source_rows(const Naming& naming) const;
  float weight(int node, int other, int count) const;
  void weigh_colours();

  const PackedGraphs& graphs_;
  FeatureSpec spec_;
  BatchRecipe recipe_;
  std::optional<NodeColours> colours_;
  // Scratch of the batch at hand: its nodes as numbers of the whole data set, and what to add to
  // such a number, of a node of the same graph, to get its place in the batch.
  std::vector<int> nodes_;
  std::vector<int> shift_;
  std::vector<int> colours_of_rows_;
  bool way_back_ = true;
  // Of each round: what colours that occur in the batch are called there, -1 for the others; and
  // the weights of NodeColours::heard.
  std::vector<std::vector<int>> row_of_colour_;
  std::vector<std::vector<float>> colour_weights_;
};

}  // namespace bermuda::nn
