#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/graph/graphlets.hpp"
#include "bermuda/kernel/feature_map.hpp"
#include "graphlet_sampling.hpp"

namespace bermuda {
namespace {

// Half an hour of one core.
constexpr double kMostVisits = 1e11;

class GraphletFeatures : public FeatureMap {
 public:
  explicit GraphletFeatures(const GraphletFeatureOptions& options) : options_(options) {}

  bool normalised() const override { return !options_.raw_length; }
  bool is_sampled() const override { return options_.samples > 0; }
  std::string what() const override {
    if (!is_sampled()) return fmt::format("connected graphlets of 3 to {} nodes", options_.size);
    return fmt::format("graphlets of {} sampled sets of {} nodes", options_.samples, options_.size);
  }

  std::vector<FeatureRows> fit(Samples samples, const Execution& execution) override {
    return {transform(samples, 0, execution)};
  }

  FeatureRows transform(Samples samples, int, const Execution& execution) const override {
    constexpr std::size_t kChunk = 32;
    if (options_.samples == 0) check_cost(samples, execution);
    std::vector<std::vector<FeatureRows::Entry>> found(samples.size());
    const Stage stage(execution, "graphlets", samples.size());
    parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        execution.check_stop();
        found[i] = features_of(*samples[i], execution);
      }
      stage.advance(end - begin);
    });
    FeatureRows rows;
    rows.columns = first_column(kLargestGraphlet + 1);
    for (const auto& row : found) {
      double squares = 0;
      for (const auto& entry : row) squares += entry.value * entry.value;
      rows.entries.insert(rows.entries.end(), row.begin(), row.end());
      rows.end_row(std::sqrt(squares));
    }
    return rows;
  }

  // Nothing is learned: the features are the same for every data set.
  void save(ByteWriter&) const override {}
  void load(ByteReader&) override {}

 private:
  // Columns of the classes on `size` nodes start here.
  static int first_column(int size) {
    int column = 0;
    for (int k = 1; k < size; ++k) column += GraphletClasses::of_size(k).class_count();
    return column;
  }

  void append(const std::vector<std::uint64_t>& counts, int size,
              std::vector<FeatureRows::Entry>& row) const {
    const int first = first_column(size);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (counts[c] == 0) continue;
      const auto count = static_cast<double>(counts[c]);
      row.push_back({first + static_cast<int>(c), options_.raw_counts ? count : std::log1p(count)});
    }
  }

  /// Before hours are spent: what there is to visit can be told beforehand, within bounds.
  void check_cost(Samples samples, const Execution& execution) const {
    double visits = 0;
    for (const Sample* sample : samples) {
      execution.check_stop();
      const double nodes = sample->graph.node_count();
      double sets = 1;
      for (int i = 0; i < options_.size; ++i) sets *= std::max(nodes - i, 0.0) / (i + 1);
      const double in_graph = std::min(sets, count_subtrees(sample->graph, options_.size));
      visits += in_graph;
      if (visits <= kMostVisits) continue;
      throw UsageError(fmt::format(
          "up to {:.0e} subgraphs of {} nodes to visit up to graph {}, expected at most "
          "{:.0e} (a smaller --size; svm-graphlet samples them)",
          visits, options_.size, in_quotes(sample->id), kMostVisits));
    }
  }

  std::vector<FeatureRows::Entry> features_of(const Sample& sample, const StopPoll& stop) const {
    std::vector<FeatureRows::Entry> row;
    const Graph& graph = sample.graph;
    if (options_.samples == 0) {
      for (int k = 3; k <= options_.size; ++k) {
        append(count_connected_graphlets(graph, k, stop), k, row);
      }
      return row;
    }
    // The stream depends on the graph itself, not on its place in the data: the same graph gets
    // the same features in training and prediction.
    std::uint64_t item = static_cast<std::uint64_t>(graph.node_count());
    for (const Edge& edge : graph.edges()) {
      item =
          (item ^ (static_cast<std::uint64_t>(edge.u) << 32 | static_cast<std::uint64_t>(edge.v))) *
          0x9E3779B97F4A7C15u;
      item ^= item >> 29;
    }
    const CountsBySize counts = sample_graphlets(
        graph, {options_.mixed_sizes ? 3 : options_.size, options_.size}, options_.samples,
        options_.connected, RandomStream(options_.seed, Purpose::kProbe, item), stop);
    for (int size = 1; size <= kLargestGraphlet; ++size) {
      append(counts[static_cast<std::size_t>(size)], size, row);
    }
    return row;
  }

  GraphletFeatureOptions options_;
};

}  // namespace

std::unique_ptr<FeatureMap> make_graphlet_features(const GraphletFeatureOptions& options) {
  return std::make_unique<GraphletFeatures>(options);
}

}  // namespace bermuda
