#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// What to show of which graphs.
struct ViewRequest {
  Samples samples;
  Samples whole;  ///< the data they are of: which labels there are, and how many node indices
  int weights = 4;
  int draws = 1024;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  ///< number of the first sample, which its numberings follow from
};

/// What a method could see of graphs, before it has learnt anything: two graphs with equal views
/// get the same answer, whatever it learns. Kernels show their features; networks what they
/// answer at random weights.
struct Views {
  struct Entry {
    int place = 0;
    double value = 0;
    bool operator==(const Entry&) const = default;
  };
  std::string how;  ///< in words, e.g. "features, exact"

  /// One row per graph, entries ascending by place, for methods whose answer is a function of the
  /// graph. Numbers of a block belong together: a difference counts when it is larger than
  /// tolerance times the largest of both graphs' blocks.
  std::vector<std::vector<Entry>> rows;
  int block = 0;  ///< places per block; 0: all are one
  double tolerance = 0;

  /// For methods whose answer hangs on chance or on the numbering of the nodes: of each graph as
  /// many draws, each with so many columns, every draw with a numbering of its own.
  std::vector<std::vector<double>> draws;
  std::size_t columns = 0;

  bool are_drawn() const { return columns > 0; }
};

/// The largest difference of two rows, as a share of the numbers in its block.
double view_difference(std::span<const Views::Entry> one, std::span<const Views::Entry> other,
                       int block);

/// Numbers equal views equally, 0, 1, ... in the order of the graphs. Not of drawn views.
std::vector<std::size_t> view_groups(const Views& views);

/// The seed of the n-th network, or of the n-th sampling, of a request.
std::uint64_t view_seed(const ViewRequest& request, std::size_t number);

/// The graphs of a request, numbered anew for a draw.
class RenumberedSamples {
 public:
  RenumberedSamples(const ViewRequest& request, std::uint32_t draw, const Execution& execution);
  Samples all() const { return pointers_; }

 private:
  std::vector<Sample> samples_;
  std::vector<const Sample*> pointers_;
};

}  // namespace bermuda
