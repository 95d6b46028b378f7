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

const ProbeResult* more_accurate(const ProbeResult* a, const ProbeResult* b) {
  return a == nullptr || b->accuracy > a->accuracy ? b : a;
}

/// The probes that do not see node order, by what matters for the verdict.
struct Ranking {
  const ProbeResult* weakest_winner = nullptr;  // first that beats the majority class
  const ProbeResult* solver = nullptr;          // first that solves the task
  const ProbeResult* below_solver = nullptr;    // best of those before it
  const ProbeResult* best_count = nullptr;      // best that sees sizes, degrees or labels only
  const ProbeResult* best_structure = nullptr;  // best that sees more
  const ProbeResult* best = nullptr;
  std::vector<std::string> counts;    // subjects of those that see sizes, degrees or labels only
  std::vector<std::string> subjects;  // of all

  explicit Ranking(const AuditReport& report) {
    for (const ProbeResult& probe : report.probes) {
      if (probe.kind == ProbeKind::kNodeOrder) continue;
      if (weakest_winner == nullptr && probe.beats_majority) weakest_winner = &probe;
      if (solver == nullptr && probe.beats_majority && probe.accuracy >= kSolved) {
        solver = &probe;
        below_solver = best;
      }
      const bool structure = probe.kind == ProbeKind::kStructure;
      const ProbeResult*& kind = structure ? best_structure : best_count;
      kind = more_accurate(kind, &probe);
      if (!structure) counts.push_back(probe.subject);
      if (subjects.empty() || subjects.back() != probe.subject) subjects.push_back(probe.subject);
      best = more_accurate(best, &probe);
    }
  }
};

std::string solved_verdict(const Ranking& ranking, double majority) {
  const ProbeResult& solver = *ranking.solver;
  if (solver.kind == ProbeKind::kCounts) {
    return fmt::format(
        "This data set is not about topology: the probe {} alone solves it ({}; majority class "
        "{}), so a model needs {} and nothing else, and there is nothing left to beat.",
        solver.name, percent_text(solver.accuracy), percent_text(majority), solver.sees);
  }
  return fmt::format(
      "The probe {} solves it ({}; majority class {}), while every probe below it stays at {} or "
      "less: a model must see {}, and one that does has nothing left to beat.",
      solver.name, percent_text(solver.accuracy), percent_text(majority),
      percent_text(ranking.below_solver->accuracy), solver.sees);
}

std::string unsolved_verdict(const Ranking& ranking, double majority) {
  if (ranking.weakest_winner == nullptr) {
    return fmt::format(
        "No probe that ignores node order beats the majority class ({}): a model that does must "
        "see more than {} offer to a linear model - or the classes have nothing to do with the "
        "graphs.",
        percent_text(majority), listed(ranking.subjects));
  }
  const ProbeResult& count = *ranking.best_count;
  const ProbeResult* structure = ranking.best_structure;
  const bool structure_helps = structure != nullptr && structure->beats_majority &&
                               structure->interval.low > count.interval.high;
  if (!count.beats_majority && structure != nullptr) {
    return fmt::format(
        "{} do not help (at most {}; majority class {}). The weakest probe that does is {} ({}), "
        "the best is {} ({}): to beat the probes a model must get above {}, and see {}.",
        capitalised(listed(ranking.counts)), percent_text(count.accuracy), percent_text(majority),
        ranking.weakest_winner->name, percent_text(ranking.weakest_winner->accuracy),
        structure->name, percent_text(structure->accuracy), percent_text(structure->interval.high),
        structure->beyond);
  }
  if (structure_helps) {
    return fmt::format(
        "Part of it needs no topology: {} beats the majority class ({}) with {}, and {} get {}. "
        "Structure beyond that does help: {} reaches {}. To beat the probes a model must get "
        "above {}, and see {}.",
        ranking.weakest_winner->name, percent_text(majority),
        percent_text(ranking.weakest_winner->accuracy), count.sees, percent_text(count.accuracy),
        structure->name, percent_text(structure->accuracy), percent_text(structure->interval.high),
        structure->beyond);
  }
  std::string text = fmt::format(
      "What the probes find needs no topology: {} get {} (majority class {}), and no probe that "
      "sees more structure is clearly better",
      count.sees, percent_text(count.accuracy), percent_text(majority));
  if (structure != nullptr) {
    text +=
        fmt::format(" (the best is {}, {})", structure->name, percent_text(structure->accuracy));
  }
  return text + fmt::format(
                    ". A model that stays below {} has not shown that it sees topology; to beat "
                    "the probes it must see something that none of them does.",
                    percent_text(std::max(count.interval.high, ranking.best->interval.high)));
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
        "After {} round{} WL colours tell all non-isomorphic graphs of this sample apart, so "
        "message passing can see here whatever another model can.",
        last.round, last.round == 1 ? "" : "s");
  }
  if (last.conflicting > 0) {
    return fmt::format(
        "WL colours cannot decide it: after {} rounds{} {} graphs share their colour histogram "
        "with a graph of another class, so message passing {}without node ids cannot exceed {} "
        "here.",
        last.round, report.wl_stable ? " (no later round splits anything)" : "", last.conflicting,
        report.wl_stable ? "" : fmt::format("of {} layers ", last.round),
        percent_text(last.best_accuracy));
  }
  const WlVerdict& first =
      *std::find_if(report.wl.begin(), report.wl.end(),
                    [](const WlVerdict& verdict) { return verdict.conflicting == 0; });
  const char* plural = first.round == 1 ? "" : "s";
  if (first.histograms == report.isomorphism_classes) {
    return fmt::format(
        "After {} round{} WL colours tell all non-isomorphic graphs of this sample apart, so it "
        "cannot show whether they, and with them message passing, suffice in general.",
        first.round, plural);
  }
  return fmt::format(
      "On this sample the class is a function of the WL colours after {} round{}; the evidence "
      "for more than that is thin where few graphs share colours (here {} of {} non-isomorphic "
      "ones).",
      first.round, plural, report.isomorphism_classes - first.histograms,
      report.isomorphism_classes);
}

std::string order_sentence(const AuditReport& report, const Ranking& ranking) {
  const NodeOrderFinding& found = report.node_index;
  const std::string figures =
      fmt::format("{} in the order of the file, {} with shuffled nodes",
                  percent_text(found.accuracy), percent_text(found.shuffled_accuracy));
  if (!found.leaks) return fmt::format("No leak through node order is visible ({}).", figures);
  const bool beats_all = ranking.best == nullptr || found.accuracy >= ranking.best->accuracy;
  return fmt::format(
      "Node order {}: the node-index probe gets {} (difference {:.1f} points, {:.1f} to {:.1f}); "
      "shuffle the nodes before a model sees node ids.",
      beats_all ? "gives the class away" : "carries a hint of the class", figures,
      100 * found.difference, 100 * found.interval.low, 100 * found.interval.high);
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
    text = fmt::format(
        "{} graphs ({}) repeat another one up to isomorphism, so memory lifts every score here.",
        report.duplicates_within, share(report.duplicates_within));
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
  std::string text = ranking.solver != nullptr ? solved_verdict(ranking, report.majority)
                                               : unsolved_verdict(ranking, report.majority);
  if (const auto sentence = filtered_sentence(report)) text += ' ' + *sentence;
  if (const auto sentence = wl_sentence(report)) text += ' ' + *sentence;
  text += ' ' + order_sentence(report, ranking);
  if (const auto sentence = duplicates_sentence(report)) text += ' ' + *sentence;
  return text;
}

}  // namespace bermuda
