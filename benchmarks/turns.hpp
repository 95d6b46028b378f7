#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bermuda::benchmarks {

enum class Part { kTraining, kInference };

/// What some contestants take, measured in turns: a machine whose speed changes from second to
/// second changes it for all of them, so a ratio is that of one round, and what is told of it is
/// the middle one of the rounds with the lowest and the highest.
class Turns {
 public:
  /// Seconds of CPU time that an epoch takes.
  using Pass = std::function<double(Part)>;

  struct Ratio {
    double middle = 0;
    double lowest = 0;
    double highest = 0;
    std::string text() const {
      return fmt::format("{:.2f} ({:.2f}-{:.2f})", middle, lowest, highest);
    }
  };

  /// Returns its number.
  int add(Pass pass) {
    contestants_.push_back({std::move(pass), {}});
    return static_cast<int>(contestants_.size()) - 1;
  }

  /// Inference is short: the better of two passes counts.
  void run(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      for (Contestant& one : contestants_) one.seconds[0].push_back(one.pass(Part::kTraining));
      for (Contestant& one : contestants_) {
        const double first = one.pass(Part::kInference);
        one.seconds[1].push_back(std::min(first, one.pass(Part::kInference)));
      }
    }
  }

  double seconds(int who, Part part) const { return middle(times(who, part)); }

  /// How many times as long `slower` takes, the faster of them where there are several.
  Ratio ratio(const std::vector<int>& slower, int faster, Part part) const {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < times(faster, part).size(); ++round) {
      double best = times(slower.front(), part)[round];
      for (const int who : slower) best = std::min(best, times(who, part)[round]);
      ratios.push_back(best / times(faster, part)[round]);
    }
    const auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
    return {middle(ratios), *lowest, *highest};
  }

 private:
  struct Contestant {
    Pass pass;
    std::vector<double> seconds[2];
  };

  const std::vector<double>& times(int who, Part part) const {
    return contestants_[static_cast<std::size_t>(who)].seconds[static_cast<std::size_t>(part)];
  }
  static double middle(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
  }

  std::vector<Contestant> contestants_;
};

}  // namespace bermuda::benchmarks
