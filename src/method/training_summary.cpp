#include "bermuda/method/training_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "bermuda/dataset/figures.hpp"
#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 5;  // labels in a sentence

std::string task_of(const DataSet& data) {
  const auto task = data.provenance.find("task");
  return task != data.provenance.end() && task->is_string() ? task->get<std::string>() : "";
}

std::set<int> label_set(const Json& json, const char* what) {
  std::set<int> labels;
  if (!json.is_array()) throw JsonError(fmt::format("{} as {}", json.type_name(), what));
  for (const Json& label : json) {
    labels.insert(static_cast<int>(whole_number(label, what, std::numeric_limits<int>::min(),
                                                std::numeric_limits<int>::max())));
  }
  return labels;
}

/// "12 of 1000 graphs have", "1 of 7 graphs has"
std::string some_have(std::size_t count, std::size_t all) {
  return fmt::format("{} of {} graphs {}", count, all, count == 1 ? "has" : "have");
}

/// What a kind of label of one graph is: its values, and whether there is anything to label.
struct GraphLabels {
  const std::vector<int>& values;
  bool is_needed;
};

template <typename LabelsOf>
void compare_labels(std::vector<std::string>& notes, const char* what, const std::set<int>& seen,
                    Samples asked, LabelsOf labels_of) {
  std::size_t with = 0;
  std::size_t without = 0;
  std::size_t surprising = 0;
  std::set<int> never_seen;
  for (const Sample* sample : asked) {
    const GraphLabels labels = labels_of(sample->graph);
    if (labels.values.empty()) {
      without += labels.is_needed ? 1U : 0U;
      continue;
    }
    ++with;
    bool surprises = false;
    for (const int label : labels.values) {
      if (seen.contains(label)) continue;
      never_seen.insert(label);
      surprises = true;
    }
    surprising += surprises ? 1U : 0U;
  }
  if (seen.empty()) {
    if (with > 0) {
      notes.push_back(
          fmt::format("training had no {} labels, {} some", what, some_have(with, asked.size())));
    }
    return;
  }
  if (without > 0 && with == 0) {
    notes.push_back(fmt::format("training had {} labels, these graphs have none", what));
  } else if (without > 0) {
    notes.push_back(
        fmt::format("training had {} labels, {} none", what, some_have(without, asked.size())));
  }
  if (surprising > 0) {
    std::vector<std::string> named;
    for (const int label : never_seen) {
      named.push_back(named.size() < kMostNamed ? std::to_string(label) : "...");
      if (named.size() > kMostNamed) break;
    }
    notes.push_back(fmt::format("{} {} labels that training never saw ({})",
                                some_have(surprising, asked.size()), what, fmt::join(named, ", ")));
  }
}

void compare_attributes(std::vector<std::string>& notes, int width, Samples asked) {
  std::set<int> others;
  std::size_t count = 0;
  for (const Sample* sample : asked) {
    const Graph& graph = sample->graph;
    if (graph.node_count() == 0 || graph.attribute_width() == width) continue;
    others.insert(graph.attribute_width());
    ++count;
  }
  if (count > 0) {
    notes.push_back(fmt::format("training had {} node attributes, {} {}", width,
                                some_have(count, asked.size()), fmt::join(others, " or ")));
  }
}

void compare_sizes(std::vector<std::string>& notes, const TrainingSummary& training,
                   Samples asked) {
  const auto tell = [&](const char* how, int bound, auto differs) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        asked, [&](const Sample* sample) { return differs(sample->graph.node_count(), bound); }));
    if (count * 10 < asked.size() || count == 0) return;
    notes.push_back(fmt::format("{} {} nodes than any of training ({})",
                                some_have(count, asked.size()), how, bound));
  };
  tell("more", training.max_nodes, std::greater<>());
  tell("fewer", training.min_nodes, std::less<>());
}

}  // namespace

TrainingSummary summarise_training(Samples train, const DataSet& data) {
  SplitFigures figures;
  figures.classes.assign(data.class_names.size(), 0);
  TrainingSummary summary;
  for (const Sample* sample : train) {
    figures.add(*sample);
    summary.attribute_width = std::max(summary.attribute_width, sample->graph.attribute_width());
    const double nodes = std::max(sample->graph.node_count(), 1);
    const double degree = 2.0 * static_cast<double>(sample->graph.edge_count()) / nodes;
    summary.min_degree = std::min(summary.min_degree.value_or(degree), degree);
    summary.max_degree = std::max(summary.max_degree.value_or(degree), degree);
  }
  const auto parameters = data.provenance.find("parameters");
  if (parameters != data.provenance.end() && parameters->is_object()) {
    summary.parameters = *parameters;
  }
  summary.task = task_of(data);
  summary.graphs = figures.graphs;
  summary.min_nodes = figures.min_nodes;
  summary.max_nodes = figures.max_nodes;
  summary.mean_nodes = figures.mean_nodes();
  summary.mean_edges = figures.mean_edges();
  summary.node_labels = std::move(figures.node_labels);
  summary.edge_labels = std::move(figures.edge_labels);
  return summary;
}

Json to_json(const TrainingSummary& summary) {
  Json json = {{"task", summary.task},
               {"graphs", summary.graphs},
               {"min_nodes", summary.min_nodes},
               {"max_nodes", summary.max_nodes},
               {"mean_nodes", summary.mean_nodes},
               {"mean_edges", summary.mean_edges},
               {"node_labels", summary.node_labels},
               {"edge_labels", summary.edge_labels},
               {"attribute_width", summary.attribute_width}};
  if (summary.min_degree) json["min_degree"] = *summary.min_degree;
  if (summary.max_degree) json["max_degree"] = *summary.max_degree;
  if (!summary.parameters.empty()) json["parameters"] = summary.parameters;
  return json;
}

TrainingSummary training_summary_of(const Json& json) {
  object_of(json, "training");
  const auto whole = [&](const char* name, std::int64_t high) {
    return whole_number(json.at(name), name, 0, high);
  };
  constexpr auto kMost = std::numeric_limits<int>::max();
  TrainingSummary summary;
  summary.task = string_of(json.at("task"), "task");
  summary.graphs =
      static_cast<std::size_t>(whole("graphs", std::numeric_limits<std::int64_t>::max()));
  summary.min_nodes = static_cast<int>(whole("min_nodes", kMost));
  summary.max_nodes = static_cast<int>(whole("max_nodes", kMost));
  summary.mean_nodes = real_number(json.at("mean_nodes"), "mean_nodes");
  summary.mean_edges = real_number(json.at("mean_edges"), "mean_edges");
  summary.node_labels = label_set(json.at("node_labels"), "node_labels");
  summary.edge_labels = label_set(json.at("edge_labels"), "edge_labels");
  summary.attribute_width = static_cast<int>(whole("attribute_width", kMost));
  if (json.contains("min_degree")) {
    summary.min_degree = real_number(json.at("min_degree"), "min_degree");
  }
  if (json.contains("max_degree")) {
    summary.max_degree = real_number(json.at("max_degree"), "max_degree");
  }
  if (json.contains("parameters")) {
    summary.parameters = object_of(json.at("parameters"), "parameters");
  }
  return summary;
}

std::vector<std::string> unlike_training(const TrainingSummary& training, Samples asked,
                                         const DataSet& data) {
  std::vector<std::string> notes;
  const std::string task = task_of(data);
  if (!task.empty() && !training.task.empty() && task != training.task) {
    notes.push_back(
        fmt::format("training was on task {}, these graphs were made for {}", training.task, task));
  }
  compare_labels(notes, "node", training.node_labels, asked, [](const Graph& graph) {
    return GraphLabels{graph.node_labels(), graph.node_count() > 0};
  });
  compare_labels(notes, "edge", training.edge_labels, asked, [](const Graph& graph) {
    return GraphLabels{graph.edge_labels(), graph.edge_count() > 0};
  });
  compare_attributes(notes, training.attribute_width, asked);
  compare_sizes(notes, training, asked);
  return notes;
}

}  // namespace bermuda
