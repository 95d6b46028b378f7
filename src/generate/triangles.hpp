#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {

class BitGraph;

/// Paper, section 2.2: graphs with exactly one triangle (class 1) or none (class 0), made from
/// graphs with many by removing edges that sit in triangles. O(n^2 + removals * edges) a graph.
class TrianglesTask : public Task {
 public:
  std::string_view name() const override { return "triangles"; }
  ParameterSet parameters() override;
  void validate() const override;
  std::vector<std::string> class_meanings() const override {
    return {"no triangle", "exactly one triangle"};
  }
  Sample make(std::uint64_t seed, std::uint64_t index) const override;

 private:
  std::optional<Sample> attempt(RandomStream random, const std::string& family, int wanted) const;

  int min_nodes_ = 6;
  int max_nodes_ = 20;
  // The released files name half their graphs K (knn) and half T (radius), but all of them are of
  // this family: docs/data.md has the evidence.
  std::vector<std::string> families_ = {"random"};
  int min_k_ = 3;
  int max_k_ = 6;
  std::vector<double> radii_ = {0.15, 0.20, 0.25, 0.30};
  int min_partners_ = 1;
  int max_partners_ = 3;
};

}  // namespace bermuda
