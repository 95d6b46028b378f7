#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

std::string percentages(const std::map<std::string, std::size_t>& counts, std::size_t total) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) {
    parts.push_back(fmt::format("{} {:.1f} %", name,
                                100.0 * static_cast<double>(count) / static_cast<double>(total)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string by_class(const SplitFigures& split) {
  return split.classes.empty() ? "-" : fmt::format("{}", fmt::join(split.classes, "/"));
}

}  // namespace

Json summary_json(const DataSetFigures& data) {
  Json json;
  json["name"] = data.name;
  json["graphs"] = data.graphs();
  json["classes"] = data.class_names;
  if (data.provenance.contains("task")) json["task"] = data.provenance["task"];
  Json splits = Json::object();
  for (const SplitFigures& split : data.splits) {
    Json classes = Json::object();
    for (std::size_t c = 0; c < split.classes.size(); ++c) {
      classes[data.class_names[c]] = split.classes[c];
    }
    Json entry = {{"graphs", split.graphs},
                  {"classes", classes},
                  {"without_class", split.without_class()},
                  {"mean_nodes", rounded(split.mean_nodes())},
                  {"mean_edges", rounded(split.mean_edges())},
                  {"min_nodes", split.min_nodes},
                  {"max_nodes", split.max_nodes},
                  {"node_labels", split.node_labels.size()},
                  {"edge_labels", split.edge_labels.size()},
                  {"witnesses", split.witnesses},
                  {"origins", split.origins}};
    Json hits = Json::object();
    for (const auto& [count, graphs] : split.hits) hits[fmt::format("{}", count)] = graphs;
    entry["hits"] = hits;
    splits[split.name] = entry;
  }
  json["splits"] = splits;
  json["provenance"] = data.provenance;
  return json;
}

std::string summary_text(const DataSetFigures& data) {
  std::string text = fmt::format("{}: {} graphs, ", data.name, data.graphs());
  text += data.class_names.empty() ? "no classes\n"
                                   : fmt::format("classes {}\n", fmt::join(data.class_names, ", "));
  if (data.provenance.contains("task")) {
    text += fmt::format("made for task {}, seed {}\n", data.provenance["task"].get<std::string>(),
                        data.provenance.value("seed", Json()).dump());
  }
  text += fmt::format("{:<8}{:>9}  {:<16}{:>12}{:>12}{:>10}\n", "split", "graphs", "by class",
                      "mean nodes", "mean edges", "nodes");
  for (const SplitFigures& split : data.splits) {
    text += fmt::format("{:<8}{:>9}  {:<16}{:>12.2f}{:>12.2f}{:>10}\n", split.name, split.graphs,
                        by_class(split), split.mean_nodes(), split.mean_edges(),
                        fmt::format("{}..{}", split.min_nodes, split.max_nodes));
  }
  for (const SplitFigures& split : data.splits) {
    std::vector<std::string> facts;
    if (split.without_class() > 0 && !split.classes.empty()) {
      facts.push_back(fmt::format("{} without a class", split.without_class()));
    }
    if (!split.node_labels.empty()) {
      facts.push_back(fmt::format("{} node labels", split.node_labels.size()));
    }
    if (!split.edge_labels.empty()) {
      facts.push_back(fmt::format("{} edge labels", split.edge_labels.size()));
    }
    if (split.witnesses > 0) facts.push_back(fmt::format("{} witnesses", split.witnesses));
    if (!split.origins.empty()) {
      facts.push_back("made from " + percentages(split.origins, split.graphs));
    }
    if (!facts.empty()) text += fmt::format("{}: {}\n", split.name, fmt::join(facts, "; "));
  }
  return text;
}

std::string filter_text(const FilterReport& report) {
  const auto line = [](const char* name, const ClassifierFigures& figures) {
    return fmt::format("{:<20}{:>9.1f} %{:>9.1f} %{:>9.1f} %{:>11.1f} % /{:>5.1f} %\n", name,
                       figures.accuracy * 100, figures.coverage * 100,
                       figures.confident_accuracy * 100, figures.confident_by_class[0] * 100,
                       figures.confident_by_class[1] * 100);
  };
  std::string text = fmt::format(
      "undermanned classifier on {} candidates\n{:<20}{:>11}{:>11}{:>11}"
      "{:>23}\n",
      report.candidates, "", "accuracy", "confident", "of these", "class 0 / class 1");
  text += line("before the filter", report.before);
  text += line("after the filter", report.after);
  text +=
      fmt::format("trained on train, tested on test: {:.1f} %\n", report.after_train_to_test * 100);
  text +=
      fmt::format("candidates hit 0, 1, ... times: {}; kept: {}\n",
                  fmt::join(report.hit_histogram, ", "), fmt::join(report.kept_histogram, ", "));
  for (const std::string& refill : report.refills) text += fmt::format("note: {}\n", refill);
  text += report.isomorphs_across == 0
              ? fmt::format("no isomorphic pair across splits ({} graphs moved or passed over)\n",
                            report.isomorphs_avoided)
              : fmt::format("{} graphs have an isomorphic twin in an earlier split\n",
                            report.isomorphs_across);
  return text;
}

}  // namespace bermuda::app
