#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bermuda/kernel/feature_rows.hpp"
#include "bermuda/method/bytes.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// Turns graphs into explicit feature rows. `fit` learns what the features are (colours, labels);
/// `transform` gives any graphs the same features, restricted to what was learned.
///
/// Levels: a map can hold several feature sets that contain each other, such as WL with 1, 2, ... h
/// rounds. fit() computes all of them in one pass.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;
  virtual int levels() const { return 1; }
  /// What a level is called in reports: "h", or empty when there is one level only.
  virtual std::string level_name() const { return {}; }
  virtual int level_value(int level) const { return level; }  ///< e.g. the h of a level
  /// Whether rows are to be divided by their length (cosine normalisation), which hides the size
  /// of a graph.
  virtual bool normalised() const { return true; }
  /// Whether features hang on chance, and with it on the numbering of the nodes.
  virtual bool is_sampled() const { return false; }
  virtual std::string what() const = 0;  ///< the features count, in words
  /// Feature rows of every level for the graphs that are learned from.
  virtual std::vector<FeatureRows> fit(Samples samples, const Execution& execution) = 0;
  /// Forgets all levels but this one, which becomes level 0; call fit() anew after it.
  virtual void keep_level(int) {}
  virtual FeatureRows transform(Samples samples, int level, const Execution& execution) const = 0;
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
};

inline constexpr int kMostRounds = 20;

struct WlFeatureOptions {
  int min_rounds = 1;
  int max_rounds = 5;
  bool edge_labels = false;
  bool raw_length = false;  ///< rows are not divided by their length
};

/// WL subtree kernel (Shervashidze et al. 2011): how often each colour occurs in rounds 0..h. Level
/// l stands for h = min_rounds + l.
std::unique_ptr<FeatureMap> make_wl_features(const WlFeatureOptions& options);

struct GraphletFeatureOptions {
  int size = 5;              ///< k: graphlets of 3..k nodes (exact) or of k nodes (sampled)
  int samples = 0;           ///< node sets drawn per graph; 0 counts all connected ones
  bool connected = false;    ///< sampled: draw connected node sets instead of any
  bool mixed_sizes = false;  ///< sampled: draw each set's size from 3..k first
  bool raw_counts = false;   ///< counts themselves, not their logarithms
  bool raw_length = false;   ///< rows are not divided by their length
  std::uint64_t seed = 1;
};

/// Graphlet kernel (Shervashidze et al. 2009) on logarithms of counts, log(1 + count), unless these
/// are asked for as they are: one triangle among thousands of paths must still show.
std::unique_ptr<FeatureMap> make_graphlet_features(const GraphletFeatureOptions& options);

/// log(1 + count) of each node label, each edge label, nodes and edges: all that can be seen
/// without structure. Not normalised: size is part of it.
std::unique_ptr<FeatureMap> make_label_features();

}  // namespace bermuda
