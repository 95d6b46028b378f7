#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/graph/drawing.hpp"
#include "collect_parts.hpp"
#include "compact_svg.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

/// Of a class, the graph in the middle when they are ordered by size: neither trivial nor a tangle.
const Sample* middle_graph(const TestedData& data, int label) {
  std::vector<const Sample*> samples;
  for (const Sample& sample : data.graphs) {
    if (sample.label == label) samples.push_back(&sample);
  }
  if (samples.empty()) return nullptr;
  std::ranges::stable_sort(samples, {},
                           [](const Sample* sample) { return sample->graph.node_count(); });
  return samples[samples.size() / 2];
}

Json recipe_json(const Json& provenance) {
  Json recipe = Json::object();
  if (!provenance.is_object()) return recipe;
  for (const auto& [key, value] : provenance.items()) {
    if (key == "filter" || key == "class_meanings") continue;
    if (key == "parameters" && value.is_object()) {
      recipe.update(value);
    } else {
      recipe[key] = value;
    }
  }
  return recipe;
}

Json filter_json(const Json& provenance) {
  if (!provenance.is_object() || !provenance.contains("filter")) return {};
  const Json& all = provenance.at("filter");
  if (!all.is_object()) return {};
  Json filter = Json::object();
  for (const char* key : {"candidates", "before", "after", "hit_histogram", "kept_histogram"}) {
    if (all.contains(key)) filter[key] = all.at(key);
  }
  return filter;
}

/// An audit that another version of the program wrote may lack what this one looks for.
Json audit_json(const Json& audit) {
  if (!audit.is_object()) return {};
  try {
    Json probes = Json::array();
    for (const Json& probe : audit.at("probes")) {
      probes.push_back({{"name", probe.at("name")},
                        {"features", probe.at("features")},
                        {"accuracy", probe.at("accuracy")},
                        {"low", probe.at("interval").at(0)},
                        {"high", probe.at("interval").at(1)},
                        {"macro_f1", probe.at("macro_f1")}});
    }
    return {{"probes", probes}, {"verdicts", {audit.at("summary")}}};
  } catch (const Json::exception&) {
    return {};
  }
}

/// A run and the data set that it names may be somebody else's: they must be of the same classes
/// and graphs.
void check_run(const RunRecord& run, const TestedData& data, const std::string& file) {
  const std::size_t classes = data.record.class_names.size();
  const auto refuse = [&](const std::string& found) {
    throw InputError(file, 0, found, "runs of the graphs that the store has");
  };
  if (run.result.test.confusion.size() != classes) {
    refuse(fmt::format("a run of {} classes on data of {}", run.result.test.confusion.size(),
                       classes));
  }
  for (const Answer& answer : run.result.answers) {
    const auto place = static_cast<std::size_t>(answer.place);
    if (place >= data.graphs.size() || data.graphs[place].label != answer.truth) {
      refuse(fmt::format("an answer for graph {} of class {}", place, answer.truth));
    }
  }
}

}  // namespace

std::vector<TestedData> tested_data(const Store& store, const std::vector<NamedRun>& runs) {
  const std::vector<DataRecord> records = store.data_sets();
  std::vector<TestedData> all;
  for (const NamedRun& named : runs) {
    if (!named.taken_from.empty()) continue;  // its graphs are those of the other column
    const RunRecord& run = *named.run;
    auto data = std::ranges::find_if(all, [&](const TestedData& known) {
      return known.name == named.data && known.record.checksum == run.spec.data_checksum;
    });
    if (data == all.end()) {
      const auto record = std::ranges::find(records, run.spec.data_checksum, &DataRecord::checksum);
      if (record == records.end()) continue;
      all.push_back({named.data, *record, store.graphs(record->id), {}});
      data = all.end() - 1;
      data->label_colours = colours_of_labels(data->graphs);
    }
    if (run.state != RunState::kDone) continue;
    check_run(run, *data, store.file().string());
    auto method =
        std::ranges::find(data->methods, named.row, &decltype(data->methods)::value_type::first);
    if (method == data->methods.end()) {
      data->methods.push_back({named.row, {}});
      method = data->methods.end() - 1;
    }
    method->second.push_back(&run);
  }
  return all;
}

std::map<int, int> colours_of_labels(const std::vector<Sample>& graphs) {
  std::map<int, std::size_t> counts;
  for (const Sample& sample : graphs) {
    for (const int label : sample.graph.node_labels()) ++counts[label];
  }
  std::vector<std::pair<int, std::size_t>> ranked(counts.begin(), counts.end());
  std::ranges::stable_sort(ranked, std::ranges::greater{}, &std::pair<int, std::size_t>::second);
  if (ranked.size() > kNodeColours) ranked.resize(kNodeColours);
  std::map<int, int> colours;
  for (const auto& [label, count] : counts) colours[label] = -1;
  int next = 0;
  std::ranges::sort(ranked);  // neighbours in the legend have neighbouring colours
  for (const auto& [label, count] : ranked) colours[label] = next++;
  return colours;
}

std::string Drawer::draw(const TestedData& data, std::size_t place) {
  std::string& svg = drawn_[{data.record.id, place}];
  if (svg.empty()) {
    const Sample& sample = data.graphs[place];
    DrawingOptions options;
    options.node_numbers = !sample.graph.has_node_labels();
    for (const int label : sample.graph.node_labels()) {
      options.node_colours.push_back(data.label_colours.at(label));
    }
    svg = compact_svg(draw_graph(sample.graph, sample.witness, options));
  }
  return svg;
}

Json data_card(const TestedData& data, Drawer& drawer) {
  Json labels = Json::array();
  for (const auto& [label, colour] : data.label_colours) {
    labels.push_back({{"label", label}, {"colour", colour < 0 ? Json() : Json(colour)}});
  }
  const DataRecord& record = data.record;
  Json examples = Json::array();
  for (std::size_t label = 0; label < record.class_names.size(); ++label) {
    const Sample* sample = middle_graph(data, static_cast<int>(label));
    if (sample == nullptr || sample->graph.node_count() > Drawer::kMostNodes) continue;
    const auto place = static_cast<std::size_t>(sample - data.graphs.data());
    examples.push_back({{"class", record.class_names[label]}, {"svg", drawer.draw(data, place)}});
  }
  return {{"name", data.name},
          {"classes", record.class_names},
          {"meanings", record.meanings},
          {"splits", record.splits},
          {"recipe", recipe_json(record.provenance)},
          {"checksum", record.checksum},
          {"node_labels", labels},
          {"filter", filter_json(record.provenance)},
          {"audit", audit_json(record.audit)},
          {"examples", examples}};
}

}  // namespace bermuda
