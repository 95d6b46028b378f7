#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bermuda/statistics/intervals.hpp"

namespace bermuda {

/// A figure of a test: the share of right answers, the mean F1 over the classes that occur, or the
/// F1 of the last class.
enum class Score { kAccuracy, kMacroF1, kPositiveF1 };

/// Bootstrap samples of the graphs of a test: each draw takes as many graphs as there are, with
/// replacement. Drawn once, and the same for all who are asked about these graphs, so that two
/// methods meet the same samples. Graphs that belong together, as isomorphic ones, which a method
/// has all right or all wrong, are drawn together (a cluster bootstrap): as many groups as there
/// are.
class GraphDraws {
 public:
  /// How many draws are made of so many graphs: ten thousand, or fewer where they would take more
  /// than some 64 MB.
  static std::size_t usual_draws(std::size_t graphs);

  /// Draws of different `block`s have nothing to do with each other. `group_of` numbers the groups
  /// of graphs from 0; empty: each graph is one. O(graphs x draws).
  GraphDraws(std::vector<int> truth, int classes, std::size_t draws, std::uint32_t block = 0,
             std::vector<std::size_t> group_of = {});

  /// The figure in each draw of a run that said this of the graphs. O(wrong answers x draws).
  std::vector<double> scores(std::span<const int> said, Score score) const;

 private:
  using Counts = std::vector<std::uint32_t>;  // by draw
  void add_times(std::size_t graph, Counts& counts) const;
  std::vector<double> accuracies(std::span<const int> said) const;
  /// 2 hits / (actual + claimed), or 0, in each draw.
  std::vector<double> f1_of(int label, std::span<const int> said) const;

  std::vector<int> truth_;
  int classes_;
  std::size_t draws_;
  std::vector<std::size_t> group_of_;   // each graph's
  std::vector<std::uint8_t> times_;     // [group][draw]; 256 times has a chance below 1 / 256!
  Counts drawn_;                        // graphs in each draw
  std::vector<Counts> drawn_of_class_;  // graphs of each class that occurs, in each draw
};

/// Scores of runs, each in the same number of draws.
using DrawnScores = std::vector<std::span<const double>>;

/// 95 % interval of the mean score over runs that resamples runs and graphs alike (the pigeonhole
/// bootstrap of Owen 2007): in each draw of the graphs as many runs as there are are drawn, too. By
/// how much these differ from all runs is enlarged by sqrt(k / (k - 1)) t / z for k runs, t and z
/// being the 97.5 % points of Student's t of k - 1 degrees of freedom and of the normal
/// distribution, so that where runs differ and graphs do not, it is Student's interval nearly. Of
/// one run only graphs are drawn. NaN for no runs.
Interval bootstrap_interval(const DrawnScores& runs);

/// Whether two methods are equally good, two-sided, by the same bootstrap of the difference between
/// runs that belong together: 2 min(share of draws at or below 0, share at or above), where the
/// figures themselves count as one more draw on either side, so that it is never 0. NaN for no
/// runs. Throws Error unless there are as many of both.
double bootstrap_test(const DrawnScores& first, const DrawnScores& second);

}  // namespace bermuda
