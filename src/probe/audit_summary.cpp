#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "bermuda/probe/audit.hpp"

namespace bermuda {
namespace {

constexpr double kSolved = 0.98;
constexpr double kManyDuplicates = 0.05;

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// "sizes, degrees and degree pairs"
std::string listed(const std::vector<std::string>& items) {
  if (items.size() < 2) return fmt::format("{}", fmt::join(items, ""));
  const auto last = items.end() - 1;
  return fmt::format("{} and {}", fmt::join(items.begin(), last, ", "), *last);
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// "1 round", "2 rounds"
std::string counted(long count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string points_text(double difference, const Interval& interval) {
  return fmt::format("{:+.1f} points, {:+.1f} to {:+.1f}", 100 * difference, 100 * interval.low,
                     100 * interval.high);
}

std::string with_figure(const ProbeResult& probe) {
  return fmt::format("{} ({})", probe.name, percent_text(probe.accuracy));
}

const ProbeResult* more_accurate(const ProbeResult* a, const ProbeResult* b) {
  return a == nullptr || b->accuracy > a->accuracy ? b : a;
}

/// The probes that do not see node order, by what matters for the verdict.
struct Ranking {
  const ProbeResult* weakest_winner = nullptr;  // first that beats the majority class
  const ProbeResult* best = nullptr;
  const ProbeResult* enough = nullptr;          // first that solves it, or is as good as the best
  const ProbeResult* below_enough = nullptr;    // best of those before it
  const ProbeResult* best_count = nullptr;      // best that sees nodes or edges one by one
  const ProbeResult* best_structure = nullptr;  // best that sees more
  std::vector<std::string> counts;              // subjects of those that see no structure
  std::vector<std::string> subjects;            // of all

  explicit Ranking(const AuditReport& report) : best(report.best()) {
    const ProbeResult* as_good = report.weakest_as_good();
    const ProbeResult* so_far = nullptr;
    for (const ProbeResult& probe : report.probes) {
      if (probe.kind == ProbeKind::kNodeOrder) continue;
      if (weakest_winner == nullptr && probe.beats_majority) weakest_winner = &probe;
      if (enough == nullptr && (&probe == as_good || probe.accuracy >= kSolved)) {
        enough = &probe;
        below_enough = so_far;
      }
      so_far = more_accurate(so_far, &probe);
      const bool structure = probe.kind == ProbeKind::kStructure;
      const ProbeResult*& kind = structure ? best_structure : best_count;
      kind = more_accurate(kind, &probe);
      if (!structure) counts.push_back(probe.subject);
      if (subjects.empty() || subjects.back() != probe.subject) subjects.push_back(probe.subject);
    }
  }

  bool solved() const {
    return best != nullptr && best->beats_majority && best->accuracy >= kSolved;
  }

  /// What there is to say where the weakest probe that is enough is not the most accurate one.
  std::string best_words() const {
    if (best == enough || best->accuracy <= enough->accuracy) return "";
    return fmt::format("no probe is found to be better (the best is {}, {}: {})", best->name,
                       percent_text(best->accuracy),
                       points_text(enough->behind_best->value, enough->behind_best->interval));
  }
};

std::string solved_verdict(const Ranking& ranking, double majority) {
  const ProbeResult& enough = *ranking.enough;
  // A probe that solves it alone needs no comparison.
  const std::string best = enough.accuracy < kSolved ? " and " + ranking.best_words() : "";
  if (enough.kind == ProbeKind::kCounts) {
    return fmt::format(
        "This data set is not about topology: the probe {} alone solves it ({}; majority class "
        "{}){}, so a model needs {} and nothing else, and there is nothing left to beat.",
        enough.name, percent_text(enough.accuracy), percent_text(majority), best, enough.sees);
  }
  return fmt::format(
      "The probe {} solves it ({}; majority class {}){}, while every probe below it stays at {} or "
      "less: a model must see {}, and one that does has nothing left to beat.",
      enough.name, percent_text(enough.accuracy), percent_text(majority), best,
      percent_text(ranking.below_enough->accuracy), enough.sees);
}

/// Counts get a part, or nothing; structure gets more.
std::string structure_verdict(const Ranking& ranking, double majority) {
  const ProbeResult& count = *ranking.best_count;
  const ProbeResult& best = *ranking.best;
  std::string text;
  if (!count.beats_majority) {
    text = fmt::format(
        "{} do not help (at most {}; majority class {}). The weakest probe that "
        "does is {}, the best is {}",
        capitalised(listed(ranking.counts)), percent_text(count.accuracy), percent_text(majority),
        with_figure(*ranking.weakest_winner), with_figure(best));
  } else {
    const bool one = ranking.weakest_winner == &count;
    text = fmt::format(
        "Part of it needs no topology: {} beats the majority class ({}) with {}{}. Structure "
        "beyond "
        "that has {}: {} reaches {} ({})",
        ranking.weakest_winner->name, percent_text(majority),
        percent_text(ranking.weakest_winner->accuracy),
        one ? "" : fmt::format(", and {} get {}", count.sees, percent_text(count.accuracy)),
        words_of(effect_of(*count.behind_best)), best.name, percent_text(best.accuracy),
        points_text(count.behind_best->value, count.behind_best->interval));
  }
  if (ranking.enough != &best && ranking.enough != ranking.weakest_winner) {
    text += fmt::format(", and {} is as good for all that this sample shows",
                        with_figure(*ranking.enough));
  }
  return text + fmt::format(". To beat the probes a model must get above {}, and see {}.",
                            percent_text(best.interval.high), best.beyond);
}

std::string unsolved_verdict(const Ranking& ranking, double majority) {
  if (ranking.weakest_winner == nullptr) {
    return fmt::format(
        "No probe that ignores node order beats the majority class ({}): a model that does must "
        "see more than {} offer to a linear model - or the classes have nothing to do with the "
        "graphs.",
        percent_text(majority), listed(ranking.subjects));
  }
  const ProbeResult& enough = *ranking.enough;
  if (enough.kind == ProbeKind::kStructure) return structure_verdict(ranking, majority);
  const std::string best = ranking.best_words();
  return fmt::format(
      "What the probes find needs no topology: {} get {} (majority class {}), and {}. A model that "
      "stays below {} has not shown that it sees topology; to beat the probes it must see "
      "something that none of them does.",
      enough.sees, percent_text(enough.accuracy), percent_text(majority),
      best.empty() ? "no probe gets more" : best, percent_text(ranking.best->interval.high));
}

std::optional<std::string> filtered_sentence(const AuditReport& report) {
  const ProbeResult* lowest = nullptr;
  for (const ProbeResult& probe : report.probes) {
    if (!probe.below_majority) continue;
    if (lowest == nullptr || probe.accuracy < lowest->accuracy) lowest = &probe;
  }
  if (lowest == nullptr) return {};
  return fmt::format(
      "The probe {} does worse than the majority class ({}), as happens where graphs that such a "
      "model answers rightly were filtered out.",
      lowest->name, percent_text(lowest->accuracy));
}

std::optional<std::string> wl_sentence(const AuditReport& report) {
  if (report.wl.empty()) return {};
  const WlVerdict& last = report.wl.back();
  if (last.conflicting > 0 && last.histograms == report.isomorphism_classes) {
    return fmt::format(
        "After {} WL colours tell all non-isomorphic graphs of this sample apart, so message "
        "passing can see here whatever another model can.",
        counted(last.round, "round"));
  }
  if (last.conflicting > 0) {
    return fmt::format(
        "WL colours cannot decide it: after {}{} {} graphs share their colour histogram with a "
        "graph of another class, so message passing {}without node ids cannot exceed {} here.",
        counted(last.round, "round"), report.wl_stable ? " (no later round splits anything)" : "",
        last.conflicting,
        report.wl_stable ? "" : fmt::format("of {} ", counted(last.round, "layer")),
        percent_text(last.best_accuracy));
  }
  const WlVerdict& first =
      *std::find_if(report.wl.begin(), report.wl.end(),
                    [](const WlVerdict& verdict) { return verdict.conflicting == 0; });
  if (first.histograms == report.isomorphism_classes) {
    return fmt::format(
        "After {} WL colours tell all non-isomorphic graphs of this sample apart, so it cannot "
        "show whether they, and with them message passing, suffice in general.",
        counted(first.round, "round"));
  }
  return fmt::format(
      "On this sample the class is a function of the WL colours after {}; the evidence for more "
      "than that is thin where few graphs share colours (here {} of {} non-isomorphic ones).",
      counted(first.round, "round"), report.isomorphism_classes - first.histograms,
      report.isomorphism_classes);
}

std::string order_sentence(const AuditReport& report) {
  const NodeOrderFinding& found = report.node_index;
  const std::string figures = fmt::format(
      "{} in the order of the file, {} with shuffled nodes: {}", percent_text(found.accuracy),
      percent_text(found.shuffled_accuracy), points_text(found.difference, found.interval));
  const std::string_view advice =
      found.effect >= Effect::kHint ? "; shuffle the nodes before a model sees node ids" : "";
  if (found.effect == Effect::kNone) {
    return fmt::format("Node order: {} ({}).", words_of(found.effect), figures);
  }
  return fmt::format("Node order has {}: the node-index probe gets {}{}.", words_of(found.effect),
                     figures, advice);
}

std::optional<std::string> duplicates_sentence(const AuditReport& report) {
  const auto share = [&](std::size_t part) {
    return percent_text(static_cast<double>(part) / static_cast<double>(report.graphs));
  };
  std::string text;
  if (report.duplicates_across > 0) {
    text = fmt::format(
        "{} graphs ({}) have an isomorphic twin in an earlier split, so memory alone lifts a "
        "score on later splits.",
        report.duplicates_across, share(report.duplicates_across));
  } else if (static_cast<double>(report.duplicates_within) >=
             kManyDuplicates * static_cast<double>(report.graphs)) {
    text = fmt::format("{} graphs ({}) repeat another one up to isomorphism, so {}.",
                       report.duplicates_within, share(report.duplicates_within),
                       report.twins_across_folds.value_or(0) > 0
                           ? "memory lifts every score of folds that share them"
                           : "there are fewer different graphs than it seems");
  }
  if (report.conflicting_labels > 0) {
    text += fmt::format(
        "{}{} graphs have an isomorphic twin of another class: no model that treats isomorphic "
        "graphs alike can exceed {}.",
        text.empty() ? "" : " ", report.conflicting_labels,
        percent_text(report.isomorphism_ceiling));
  }
  if (text.empty()) return {};
  return text;
}

}  // namespace

std::string summarise(const AuditReport& report) {
  const Ranking ranking(report);
  std::string text = ranking.solved() ? solved_verdict(ranking, report.majority)
                                      : unsolved_verdict(ranking, report.majority);
  if (const auto sentence = filtered_sentence(report)) text += ' ' + *sentence;
  if (const auto sentence = wl_sentence(report)) text += ' ' + *sentence;
  text += ' ' + order_sentence(report);
  if (const auto sentence = duplicates_sentence(report)) text += ' ' + *sentence;
  return text;
}

}  // namespace bermuda
