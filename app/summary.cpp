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

struct SplitSummary {
  std::vector<std::size_t> classes;
  double mean_nodes = 0;
  double mean_edges = 0;
  int min_nodes = 0;
  int max_nodes = 0;
  std::set<int> node_labels;
  std::set<int> edge_labels;
  std::size_t witnesses = 0;
  std::map<std::string, std::size_t> origins;
  std::map<int, std::size_t> hits;
};

SplitSummary summarise(const DataSet& data, const Split& split) {
  SplitSummary summary;
  summary.classes = data.class_counts(split);
  if (split.samples.empty()) return summary;
  summary.min_nodes = split.samples.front().graph.node_count();
  for (const Sample& sample : split.samples) {
    const Graph& graph = sample.graph;
    summary.mean_nodes += graph.node_count();
    summary.mean_edges += graph.edge_count();
    summary.min_nodes = std::min(summary.min_nodes, graph.node_count());
    summary.max_nodes = std::max(summary.max_nodes, graph.node_count());
    summary.node_labels.insert(graph.node_labels().begin(), graph.node_labels().end());
    summary.edge_labels.insert(graph.edge_labels().begin(), graph.edge_labels().end());
    if (!sample.witness.empty()) ++summary.witnesses;
    if (!sample.origin.empty()) ++summary.origins[sample.origin];
    if (sample.hits != Sample::kNoHits) ++summary.hits[sample.hits];
  }
  summary.mean_nodes /= static_cast<double>(split.samples.size());
  summary.mean_edges /= static_cast<double>(split.samples.size());
  return summary;
}

std::string percentages(const std::map<std::string, std::size_t>& counts, std::size_t total) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) {
    parts.push_back(fmt::format("{} {:.1f} %", name,
                                100.0 * static_cast<double>(count) / static_cast<double>(total)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Json summary_json(const DataSet& data) {
  Json json;
  json["name"] = data.name;
  json["graphs"] = data.size();
  json["classes"] = data.class_names;
  if (data.provenance.contains("task")) json["task"] = data.provenance["task"];
  Json splits = Json::object();
  for (const Split& split : data.splits) {
    const SplitSummary summary = summarise(data, split);
    Json classes = Json::object();
    for (std::size_t c = 0; c < summary.classes.size(); ++c) {
      classes[data.class_names[c]] = summary.classes[c];
    }
    Json entry = {{"graphs", split.samples.size()},
                  {"classes", classes},
                  {"mean_nodes", rounded(summary.mean_nodes)},
                  {"mean_edges", rounded(summary.mean_edges)},
                  {"min_nodes", summary.min_nodes},
                  {"max_nodes", summary.max_nodes},
                  {"node_labels", summary.node_labels.size()},
                  {"edge_labels", summary.edge_labels.size()},
                  {"witnesses", summary.witnesses},
                  {"origins", summary.origins}};
    Json hits = Json::object();
    for (const auto& [count, graphs] : summary.hits) hits[fmt::format("{}", count)] = graphs;
    entry["hits"] = hits;
    splits[split.name] = entry;
  }
  json["splits"] = splits;
  json["provenance"] = data.provenance;
  return json;
}

std::string summary_text(const DataSet& data) {
  std::string text = fmt::format("{}: {} graphs, classes {}\n", data.name, data.size(),
                                 fmt::join(data.class_names, ", "));
  if (data.provenance.contains("task")) {
    text += fmt::format("made for task {}, seed {}\n", data.provenance["task"].get<std::string>(),
                        data.provenance.value("seed", Json()).dump());
  }
  text += fmt::format("{:<8}{:>9}  {:<16}{:>12}{:>12}{:>10}\n", "split", "graphs", "by class",
                      "mean nodes", "mean edges", "nodes");
  for (const Split& split : data.splits) {
    const SplitSummary summary = summarise(data, split);
    text += fmt::format("{:<8}{:>9}  {:<16}{:>12.2f}{:>12.2f}{:>10}\n", split.name,
                        split.samples.size(), fmt::format("{}", fmt::join(summary.classes, "/")),
                        summary.mean_nodes, summary.mean_edges,
                        fmt::format("{}..{}", summary.min_nodes, summary.max_nodes));
  }
  for (const Split& split : data.splits) {
    const SplitSummary summary = summarise(data, split);
    std::vector<std::string> facts;
    if (!summary.node_labels.empty()) {
      facts.push_back(fmt::format("{} node labels", summary.node_labels.size()));
    }
    if (!summary.edge_labels.empty()) {
      facts.push_back(fmt::format("{} edge labels", summary.edge_labels.size()));
    }
    if (summary.witnesses > 0) facts.push_back(fmt::format("{} witnesses", summary.witnesses));
    if (!summary.origins.empty()) {
      facts.push_back("made from " + percentages(summary.origins, split.samples.size()));
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
