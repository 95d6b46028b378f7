#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/probe/audit.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kWidth = 96;
constexpr int kBar = 20;
constexpr std::size_t kMostClasses = 12;

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

nlohmann::ordered_json to_json(const Interval& interval) {
  return nlohmann::ordered_json::array({rounded(interval.low), rounded(interval.high)});
}

double percent(double share) { return 100 * share; }

/// Breaks text into lines of at most kWidth columns, all of them after `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent) {
  const std::size_t room = kWidth - indent;
  std::string result;
  while (!text.empty()) {
    std::size_t cut = text.size();
    if (cut > room) {
      cut = text.rfind(' ', room);
      // A percent sign stays with its number.
      if (cut != std::string_view::npos && cut > 0 && text.substr(cut).starts_with(" %")) {
        cut = text.rfind(' ', cut - 1);
      }
      if (cut == std::string_view::npos || cut == 0) cut = room;
    }
    result += std::string(indent, ' ');
    result += text.substr(0, cut);
    result += '\n';
    text.remove_prefix(cut);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
  return result;
}

/// Accuracy as a bar from 0 to 100 %; '|' marks the share of the majority class.
std::string bar(double accuracy, double majority) {
  const auto column = [](double share) {
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * kBar));
  };
  std::string text(kBar, '.');
  std::fill_n(text.begin(), column(accuracy), '#');
  return text.insert(column(majority), 1, '|');
}

std::string heading(const AuditReport& report) {
  std::string classes;
  for (std::size_t i = 0; i < report.classes.size() && i < kMostClasses; ++i) {
    classes +=
        fmt::format("{}{}: {}", i == 0 ? "" : ", ", report.classes[i], report.class_counts[i]);
  }
  if (report.classes.size() > kMostClasses) classes += ", ...";
  return wrapped(
      fmt::format("Audit of {}: {} graphs, {} classes ({}), majority {:.1f} %", report.name,
                  report.graphs, report.classes.size(), classes, percent(report.majority)),
      0);
}

std::string probe_table(const AuditReport& report) {
  std::string text = fmt::format("{:15} {:>8}  {:>8}  {:>13}  {:>8}    0 % {:^11} 100 %\n", "probe",
                                 "features", "accuracy", "95 % interval", "macro-F1", "");
  for (const ProbeResult& probe : report.probes) {
    const std::string mark =
        probe.effect == Effect::kNone ? "" : fmt::format(" {}", name_of(probe.effect));
    text += fmt::format("{:15} {:>8}  {:>6.1f} %  {:>5.1f} - {:>5.1f}  {:>8.1f}    {}{}\n",
                        probe.name, probe.features, percent(probe.accuracy),
                        percent(probe.interval.low), percent(probe.interval.high),
                        percent(probe.macro_f1), bar(probe.accuracy, report.majority), mark);
  }
  text += wrapped(
      fmt::format(
          "{}-fold cross-validated logistic regression; | majority class, and in a word how "
          "far the interval lies above it (hint, clear, strong) or below",
          report.folds),
      0);
  return text;
}

std::string probe_legend(const AuditReport& report) {
  constexpr std::size_t kIndent = 18;
  std::string text = "What each probe sees\n";
  for (const ProbeResult& probe : report.probes) {
    std::string lines = wrapped(probe.description, kIndent);
    const std::string name = "  " + probe.name;
    lines.replace(0, std::min(name.size(), kIndent - 1), name, 0, kIndent - 1);
    text += lines;
  }
  return text;
}

std::string wl_table(const AuditReport& report) {
  std::string text =
      "Is the class a function of the WL colour histogram?\n"
      "  told apart by     kinds  conflicting graphs  best possible accuracy\n";
  const auto row = [&](const std::string& by, std::size_t kinds, std::size_t conflicting,
                       double best) {
    text +=
        fmt::format("  {:13}  {:>8}  {:>18}  {:>20.1f} %\n", by, kinds, conflicting, percent(best));
  };
  for (const WlVerdict& verdict : report.wl) {
    row(fmt::format("WL, round {}", verdict.round), verdict.histograms, verdict.conflicting,
        verdict.best_accuracy);
  }
  row("isomorphism", report.isomorphism_classes, report.conflicting_labels,
      report.isomorphism_ceiling);
  return text;
}

std::string order_lines(const AuditReport& report) {
  const NodeOrderFinding& found = report.node_index;
  return wrapped(
      fmt::format("Node order ({}): node-index {:.1f} %, after shuffling the nodes "
                  "{:.1f} %; difference {:+.1f} points ({:+.1f} to {:+.1f}): {}",
                  report.node_order, percent(found.accuracy), percent(found.shuffled_accuracy),
                  percent(found.difference), percent(found.interval.low),
                  percent(found.interval.high), words_of(found.effect)),
      0);
}

std::string isomorph_lines(const AuditReport& report) {
  std::string text = wrapped(
      fmt::format("Isomorphic graphs: {} groups; {} repeats inside a split, {} across splits; {} "
                  "graphs have a twin of another class",
                  report.isomorph_groups, report.duplicates_within, report.duplicates_across,
                  report.conflicting_labels),
      0);
  if (report.twins_across_folds.value_or(0) > 0) {
    text +=
        wrapped(fmt::format("Folds of train: {} of {} graphs have an isomorphic twin in another "
                            "of the ten; --folding grouped keeps them together",
                            *report.twins_across_folds, report.graphs),
                0);
  }
  return text;
}

nlohmann::ordered_json to_json(const std::vector<TellingProbe>& telling) {
  using Json = nlohmann::ordered_json;
  Json probes = Json::array();
  for (const TellingProbe& probe : telling) {
    Json features = Json::array();
    for (const TellingFeature& feature : probe.features) {
      Json means = Json::array();
      for (const double mean : feature.mean) means.push_back(rounded(mean));
      features.push_back({{"words", feature.words},
                          {"speaks", feature.speaks},
                          {"pull", rounded(feature.pull)},
                          {"graphs", feature.graphs},
                          {"mean", std::move(means)}});
    }
    probes.push_back({{"probe", probe.probe}, {"features", std::move(features)}});
  }
  return probes;
}

std::string shortcut_lines(const ShortcutFinding& found) {
  const double beyond = percent(found.accuracy) - percent(found.limit);
  return wrapped(fmt::format("Shortcut: {} needs no topology and gets {:.1f} %, {:.1f} points {} "
                             "the limit of {:g} %",
                             found.probe, percent(found.accuracy), std::abs(beyond),
                             found.exceeded() ? "above" : "below", percent(found.limit)),
                 0);
}

}  // namespace

nlohmann::ordered_json to_json(const AuditReport& report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"name", report.name},
               {"graphs", report.graphs},
               {"classes", report.classes},
               {"class_counts", report.class_counts},
               {"majority", rounded(report.majority)},
               {"folds", report.folds},
               {"seed", report.seed},
               {"node_order", report.node_order}};
  Json probes = Json::array();
  for (const ProbeResult& probe : report.probes) {
    Json behind;
    if (probe.behind_best) {
      behind = {{"difference", rounded(probe.behind_best->value)},
                {"interval", to_json(probe.behind_best->interval)}};
    }
    probes.push_back({{"name", probe.name},
                      {"kind", name_of(probe.kind)},
                      {"description", probe.description},
                      {"features", probe.features},
                      {"accuracy", rounded(probe.accuracy)},
                      {"interval", to_json(probe.interval)},
                      {"macro_f1", rounded(probe.macro_f1)},
                      {"effect", name_of(probe.effect)},
                      {"behind_best", std::move(behind)},
                      {"beats_majority", probe.beats_majority},
                      {"below_majority", probe.below_majority}});
  }
  json["probes"] = std::move(probes);
  const auto name_or_null = [](const ProbeResult* probe) {
    return probe != nullptr ? Json(probe->name) : Json();
  };
  json["best"] = name_or_null(report.best());
  json["weakest_as_good"] = name_or_null(report.weakest_as_good());
  json["node_index"] = {{"accuracy", rounded(report.node_index.accuracy)},
                        {"shuffled_accuracy", rounded(report.node_index.shuffled_accuracy)},
                        {"difference", rounded(report.node_index.difference)},
                        {"interval", to_json(report.node_index.interval)},
                        {"effect", name_of(report.node_index.effect)},
                        {"leaks", report.node_index.leaks}};
  Json rounds = Json::array();
  for (const WlVerdict& verdict : report.wl) {
    rounds.push_back({{"round", verdict.round},
                      {"histograms", verdict.histograms},
                      {"conflicting", verdict.conflicting},
                      {"best_accuracy", rounded(verdict.best_accuracy)}});
  }
  json["wl"] = {{"stable", report.wl_stable}, {"rounds", std::move(rounds)}};
  const Json twins_across_folds =
      report.twins_across_folds ? Json(*report.twins_across_folds) : Json();
  json["isomorphs"] = {{"classes", report.isomorphism_classes},
                       {"groups", report.isomorph_groups},
                       {"duplicates_within", report.duplicates_within},
                       {"duplicates_across", report.duplicates_across},
                       {"twins_across_folds", twins_across_folds},
                       {"conflicting_labels", report.conflicting_labels},
                       {"ceiling", rounded(report.isomorphism_ceiling)}};
  if (!report.telling.empty()) json["telling"] = to_json(report.telling);
  if (report.shortcut) {
    json["shortcut"] = {{"probe", report.shortcut->probe},
                        {"accuracy", rounded(report.shortcut->accuracy)},
                        {"limit", rounded(report.shortcut->limit)},
                        {"exceeded", report.shortcut->exceeded()}};
  }
  json["notes"] = report.notes;
  json["summary"] = report.summary;
  return json;
}

std::string to_text(const AuditReport& report) {
  std::string text = heading(report);
  text += '\n' + probe_table(report);
  text += '\n' + probe_legend(report);
  text += '\n' + wl_table(report);
  text += '\n' + order_lines(report) + isomorph_lines(report);
  for (const std::string& note : report.notes) text += wrapped("Note: " + note, 0);
  text += '\n' + wrapped(report.summary, 0);
  if (report.shortcut) text += '\n' + shortcut_lines(*report.shortcut);
  return text;
}

}  // namespace bermuda
