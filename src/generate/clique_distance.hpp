#pragma once

#include <optional>
#include <string>

#include "bermuda/core/random.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

/// Paper, section 2.3: a Barabási-Albert graph with two k-cliques hung on it; class 1 when a
/// shortest path between the cliques has at least `threshold` edges. With m <= k - 2 the base has
/// no k-clique of its own. O(n m + k^2) a graph.
class CliqueDistanceTask : public Task {
 public:
  std::string_view name() const override { return "clique-distance"; }
  ParameterSet parameters() override;
  void validate() const override;
  std::vector<std::string> class_meanings() const override;
  Sample make(std::uint64_t seed, std::uint64_t index) const override;

 private:
  std::optional<Sample> attempt(RandomStream random, int wanted) const;

  int min_nodes_ = 5;
  int max_nodes_ = 20;
  int clique_size_ = 4;
  int ba_m_ = 0;
  int threshold_ = 4;
  std::string attach_ = "anywhere";  // as the released files; the paper says "distinct"
  std::string node_order_ = "released";
};

}  // namespace bermuda
