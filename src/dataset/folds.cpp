#include "bermuda/dataset/folds.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "bermuda/core/index.hpp"
#include "bermuda/core/random.hpp"

namespace bermuda {
namespace {

/// How full the folds are.
class FoldCounts {
 public:
  FoldCounts(std::span<const int> labels, int classes, int count)
      : total_(static_cast<double>(labels.size())),
        class_totals_(at(classes)),
        sizes_(at(count)),
        of_class_(at(count), std::vector<double>(at(classes))) {
    for (const int label : labels) ++class_totals_[at(label)];
  }

  using ClassCounts = std::vector<std::pair<int, int>>;  ///< (class, items of it)

  /// The fold where these items add least to the sum of squares, of sizes and of each class's
  /// counts, each by its total: the smaller that is, the more even the folds are.
  int best_for(const ClassCounts& items) const {
    int best = 0;
    double least = 0;
    for (int fold = 0; fold < static_cast<int>(sizes_.size()); ++fold) {
      double cost = 0;
      double size = 0;
      for (const auto& [label, number] : items) {
        cost += growth(of_class_[at(fold)][at(label)], number) / class_totals_[at(label)];
        size += number;
      }
      cost += growth(sizes_[at(fold)], size) / total_;
      if (fold > 0 && cost >= least) continue;
      best = fold;
      least = cost;
    }
    return best;
  }

  void add(const ClassCounts& items, int fold) {
    for (const auto& [label, number] : items) {
      of_class_[at(fold)][at(label)] += number;
      sizes_[at(fold)] += number;
    }
  }

 private:
  /// (before + more)^2 - before^2
  static double growth(double before, double more) { return more * (2 * before + more); }

  double total_;
  std::vector<double> class_totals_;
  std::vector<double> sizes_;                  // by fold
  std::vector<std::vector<double>> of_class_;  // by fold
};

FoldCounts::ClassCounts class_counts(std::span<const std::size_t> items,
                                     std::span<const int> labels) {
  FoldCounts::ClassCounts counts;
  for (const std::size_t item : items) {
    const auto known = std::ranges::find(counts, labels[item], &std::pair<int, int>::first);
    if (known == counts.end()) {
      counts.emplace_back(labels[item], 1);
    } else {
      ++known->second;
    }
  }
  return counts;
}

}  // namespace

Folds stratified_folds(std::span<const int> labels, int classes, int count, std::uint64_t seed) {
  Folds folds{count, std::vector<int>(labels.size()), {}};
  folds.order.reserve(labels.size());
  for (int label = 0; label < classes; ++label) {
    const std::size_t begin = folds.order.size();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == label) folds.order.push_back(i);
    }
    RandomStream random(seed, Purpose::kFolds, static_cast<std::uint64_t>(label));
    random.shuffle(std::span(folds.order).subspan(begin));
  }
  // Dealt out in one go over all classes, so that folds differ by one item at most.
  for (std::size_t i = 0; i < folds.order.size(); ++i) {
    folds.fold_of[folds.order[i]] = static_cast<int>(i % static_cast<std::size_t>(count));
  }
  return folds;
}

Folds grouped_folds(std::span<const int> labels, std::span<const std::size_t> groups, int classes,
                    int count, std::uint64_t seed) {
  Folds folds = stratified_folds(labels, classes, count, seed);
  // Groups and their members in that random order, class by class.
  const std::size_t most = groups.empty() ? 0 : *std::ranges::max_element(groups) + 1;
  std::vector<std::vector<std::size_t>> members(most);
  std::vector<std::size_t> in_order;
  for (const std::size_t item : folds.order) {
    if (members[groups[item]].empty()) in_order.push_back(groups[item]);
    members[groups[item]].push_back(item);
  }
  std::ranges::stable_sort(in_order, std::greater(),
                           [&](std::size_t group) { return members[group].size(); });
  FoldCounts full(labels, classes, count);
  for (const std::size_t group : in_order) {
    const FoldCounts::ClassCounts counts = class_counts(members[group], labels);
    const int fold = full.best_for(counts);
    full.add(counts, fold);
    for (const std::size_t item : members[group]) folds.fold_of[item] = fold;
  }
  return folds;
}

}  // namespace bermuda
