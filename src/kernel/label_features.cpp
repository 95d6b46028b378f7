#include <cmath>
#include <map>
#include <set>

#include "bermuda/kernel/feature_map.hpp"

namespace bermuda {
namespace {

enum class Kind : int { kNodes, kEdges, kNodeLabel, kEdgeLabel };

class LabelFeatures : public FeatureMap {
 public:
  bool normalised() const override { return false; }
  std::string what() const override { return "nodes, edges and labels"; }

  std::vector<FeatureRows> fit(Samples samples, const Execution& execution) override {
    column_of_.clear();
    for (const Sample* sample : samples) {
      execution.check_stop();
      for (const auto& [key, count] : counts_of(sample->graph)) {
        column_of_.try_emplace(key, static_cast<int>(column_of_.size()));
      }
    }
    return {transform(samples, 0, execution)};
  }

  FeatureRows transform(Samples samples, int, const Execution& execution) const override {
    FeatureRows rows;
    rows.columns = static_cast<int>(column_of_.size());
    for (const Sample* sample : samples) {
      execution.check_stop();
      double squares = 0;
      std::map<int, double> row;
      for (const auto& [key, count] : counts_of(sample->graph)) {
        const double value = std::log1p(static_cast<double>(count));
        squares += value * value;
        const auto column = column_of_.find(key);
        if (column != column_of_.end()) row[column->second] = value;
      }
      for (const auto& [column, value] : row) rows.entries.push_back({column, value});
      rows.end_row(std::sqrt(squares));
    }
    return rows;
  }

  void save(ByteWriter& out) const override {
    std::vector<int> flat;
    for (const auto& [key, column] : column_of_) {
      flat.insert(flat.end(), {key.first, key.second, column});
    }
    out.array(flat);
  }

  void load(ByteReader& in) override {
    const std::vector<int> flat = in.array<int>();
    if (flat.size() % 3 != 0) throw BytesError("a label table that does not fit together");
    const int columns = static_cast<int>(flat.size() / 3);
    column_of_.clear();
    std::set<int> taken;
    for (std::size_t i = 0; i < flat.size(); i += 3) {
      const bool fits = flat[i + 2] >= 0 && flat[i + 2] < columns &&
                        taken.insert(flat[i + 2]).second &&
                        column_of_.emplace(Key(flat[i], flat[i + 1]), flat[i + 2]).second;
      if (!fits) throw BytesError("impossible label column");
    }
  }

 private:
  using Key = std::pair<int, int>;  // Kind, label

  static std::map<Key, int> counts_of(const Graph& graph) {
    std::map<Key, int> counts;
    counts[{static_cast<int>(Kind::kNodes), 0}] = graph.node_count();
    counts[{static_cast<int>(Kind::kEdges), 0}] = graph.edge_count();
    for (const int label : graph.node_labels())
      ++counts[{static_cast<int>(Kind::kNodeLabel), label}];
    for (const int label : graph.edge_labels())
      ++counts[{static_cast<int>(Kind::kEdgeLabel), label}];
    return counts;
  }

  std::map<Key, int> column_of_;
};

}  // namespace

std::unique_ptr<FeatureMap> make_label_features() { return std::make_unique<LabelFeatures>(); }

}  // namespace bermuda
