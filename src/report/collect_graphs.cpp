#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/report/graph_bins.hpp"
#include "collect_parts.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBins = 6;

std::size_t place_of(const Answer& answer) { return static_cast<std::size_t>(answer.place); }

/// Accuracy in each bin. Folds with one test split ask about the same graph again and again: a
/// graph counts once, with the share of the folds that got it right.
Json method_json(const std::string& name, const std::vector<const RunRecord*>& runs,
                 const Bins& bins) {
  std::vector<int> asked(bins.bin_of.size());
  std::vector<int> right(bins.bin_of.size());
  for (const RunRecord* run : runs) {
    for (const Answer& answer : run->result.answers) {
      if (place_of(answer) >= asked.size()) continue;
      ++asked[place_of(answer)];
      right[place_of(answer)] += answer.said == answer.truth ? 1 : 0;
    }
  }
  std::vector<double> shares(bins.names.size());
  std::vector<int> counts(bins.names.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] == 0) continue;
    ++counts[bins.bin_of[i]];
    shares[bins.bin_of[i]] += static_cast<double>(right[i]) / asked[i];
  }
  for (double& share : shares) share = std::round(share * 100) / 100;
  return {{"method", name}, {"right", shares}, {"counts", counts}};
}

Json breakdown_json(const TestedData& data, const std::string& by, const std::string& title,
                    const Bins& bins) {
  std::vector<int> counts(bins.names.size());
  for (const std::size_t bin : bins.bin_of) ++counts[bin];
  Json methods = Json::array();
  for (const auto& [name, runs] : data.methods) methods.push_back(method_json(name, runs, bins));
  return {{"data", data.name},  {"by", by},         {"title", title},
          {"bins", bins.names}, {"counts", counts}, {"methods", methods}};
}

/// Up to `most` of the wrong answers, in turn from each kind of error, in the order of the file.
std::vector<Answer> chosen_errors(const TestedData& data, const RunRecord& run, std::size_t most) {
  std::map<std::pair<int, int>, std::vector<Answer>> kinds;
  for (const Answer& answer : run.result.answers) {
    if (answer.said == answer.truth || place_of(answer) >= data.graphs.size()) continue;
    if (data.graphs[place_of(answer)].graph.node_count() > Drawer::kMostNodes) continue;
    kinds[{answer.truth, answer.said}].push_back(answer);
  }
  std::vector<Answer> chosen;
  for (std::size_t turn = 0; chosen.size() < most; ++turn) {
    const std::size_t before = chosen.size();
    for (const auto& [kind, answers] : kinds) {
      if (turn < answers.size() && chosen.size() < most) chosen.push_back(answers[turn]);
    }
    if (chosen.size() == before) break;
  }
  return chosen;
}

Json graph_json(const TestedData& data, const Answer& answer, Drawer& drawer) {
  const Sample& sample = data.graphs[place_of(answer)];
  const auto name = [&](int label) {
    return data.record.class_names[static_cast<std::size_t>(label)];  // tested_data() has looked
  };
  return {{"id", sample.id},
          {"truth", name(answer.truth)},
          {"said", name(answer.said)},
          {"nodes", sample.graph.node_count()},
          {"edges", sample.graph.edge_count()},
          {"svg", drawer.draw(data, place_of(answer))}};
}

}  // namespace

Json breakdowns_json(const TestedData& data) {
  std::vector<int> nodes;
  std::vector<int> cycles;
  std::vector<int> distances;
  for (const Sample& sample : data.graphs) {
    nodes.push_back(sample.graph.node_count());
    cycles.push_back(independent_cycles(sample.graph));
    distances.push_back(witness_distance(sample.witness));
  }
  Json parts = Json::array();
  const auto add = [&](const std::string& by, const std::string& title, const Bins& bins) {
    if (bins.names.size() > 1 && !data.methods.empty()) {
      parts.push_back(breakdown_json(data, by, title, bins));
    }
  };
  add("nodes", "Accuracy by number of nodes", quantile_bins(nodes, kMostBins));
  // Where every witness has a path, its length is what is hard; where not, it is the cycles that
  // could be mistaken for the witness.
  if (std::ranges::none_of(distances, [](int distance) { return distance == 0; })) {
    add("witness distance", "Accuracy by length of the path in the witness",
        value_bins(distances, kMostBins));
  } else {
    add("independent cycles", "Accuracy by number of independent cycles",
        quantile_bins(cycles, kMostBins));
  }
  return parts;
}

Json gallery_json(const TestedData& data, std::size_t most, Drawer& drawer,
                  const Execution& execution) {
  Json gallery = Json::array();
  const Stage stage(execution, fmt::format("graphs of {}", data.name), data.methods.size());
  for (const auto& [name, runs] : data.methods) {
    const RunRecord& run = **std::ranges::min_element(
        runs, {}, [](const RunRecord* one) { return std::pair(one->spec.fold, one->spec.seed); });
    const std::vector<Answer>& answers = run.result.answers;
    Json graphs = Json::array();
    for (const Answer& answer : chosen_errors(data, run, most)) {
      execution.check_stop();
      graphs.push_back(graph_json(data, answer, drawer));
    }
    stage.advance(1);
    if (graphs.empty()) continue;
    const auto wrong = std::ranges::count_if(
        answers, [](const Answer& answer) { return answer.said != answer.truth; });
    gallery.push_back({{"data", data.name},
                       {"method", name},
                       {"fold", run.spec.fold},
                       {"wrong", wrong},
                       {"tested", answers.size()},
                       {"graphs", graphs}});
  }
  return gallery;
}

}  // namespace bermuda
