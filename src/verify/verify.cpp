#include "bermuda/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "pairs_check.hpp"
#include "sample_check.hpp"

namespace bermuda {
namespace {

using verify::Finding;
using verify::SampleVerdict;
using Json = nlohmann::ordered_json;

/// A sample with the split it stands in.
struct Place {
  const Sample* sample;
  std::size_t split;
};

std::string shown(const Json& value) { return in_quotes(json_line(value)); }

std::string as_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return json_line(value);
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ",") + as_text(item);
  return text;
}

/// Gives the parameter a value of the manifest, if it is one that it can have.
bool can_have(const Parameter& parameter, const Json& value) {
  if (value.is_null()) return parameter.is_open();
  try {
    parameter.set(as_text(value));
  } catch (const UsageError&) {
    return false;
  }
  return parameter.value() == value;
}

/// That some task has this setting and can have it so, be it the one that counts or not.
void check_setting(const std::string& name, const std::string& text) {
  UsageError refusal(fmt::format("no task to verify by has a parameter {}", in_quotes(name)));
  for (const verify::DefinitionInfo& info : verify::definitions()) {
    const auto definition = info.make();
    const ParameterSet parameters = definition->parameters();
    for (const Parameter& parameter : parameters.all()) {
      if (parameter.name != name) continue;
      try {
        return parameter.set(text);
      } catch (const UsageError& error) {
        refusal = error;
      }
    }
  }
  throw refusal;
}

class Verifier {
 public:
  Verifier(const DataSet& data, const VerifyOptions& options, const Execution& execution)
      : data_(data), options_(options), execution_(execution) {}

  VerifyReport run() {
    choose_task();
    for (std::size_t s = 0; s < data_.splits.size(); ++s) {
      for (const Sample& sample : data_.splits[s].samples) places_.push_back({&sample, s});
    }
    report_.graphs = places_.size();
    check_splits();
    check_labels();
    check_graphs();
    if (const Json* pairs = member(data_.provenance, "pairs")) {
      report_.pairs_checked = verify::check_pairs(*pairs, data_, report_.problems, execution_);
    }
    return std::move(report_);
  }

 private:
  void add(std::string split, std::string id, std::string kind, std::string detail) {
    report_.problems.push_back(
        {std::move(split), std::move(id), std::move(kind), std::move(detail)});
  }
  const std::string& split_name(const Place& place) const { return data_.splits[place.split].name; }

  static const Json* member(const Json& object, const std::string& key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  void choose_task();
  void set_parameters();
  void check_splits();
  void check_labels();
  void check_graphs();
  std::vector<Finding> structure_of(const Sample& sample) const;

  const DataSet& data_;
  const VerifyOptions& options_;
  const Execution& execution_;
  bool is_ours_ = false;
  bool witness_required_ = false;  // our own generators always give one
  std::unique_ptr<verify::Definition> definition_;
  std::vector<Place> places_;
  VerifyReport report_;
};

void Verifier::choose_task() {
  if (options_.task && !verify::make_definition(*options_.task)) {
    throw UsageError(fmt::format("no task {} to verify by: there are {}", in_quotes(*options_.task),
                                 verify::defined_tasks()));
  }
  if (const Json* task = member(data_.provenance, "task")) {
    is_ours_ = task->is_string();
    if (is_ours_) report_.task = task->get<std::string>();
    if (!options_.task && !verify::make_definition(report_.task)) {
      add("", "", "manifest",
          fmt::format("found task {}, expected one of {}", shown(*task), verify::defined_tasks()));
    }
  }
  witness_required_ = is_ours_ && (!options_.task || *options_.task == report_.task);
  if (options_.task) report_.task = *options_.task;
  definition_ = verify::make_definition(report_.task);
  set_parameters();
  if (const Json* filter = member(data_.provenance, "filter")) {
    const Json* allowed = member(*filter, "allow_isomorphs");
    report_.isomorphs_allowed = allowed != nullptr && *allowed == Json(true);
  }
}

void Verifier::set_parameters() {
  for (const auto& [name, text] : options_.settings) check_setting(name, text);
  if (!definition_) return;
  const Json* recorded = member(data_.provenance, "parameters");
  const ParameterSet parameters = definition_->parameters();
  for (const Parameter& parameter : parameters.all()) {
    if (const auto wanted = options_.settings.find(parameter.name);
        wanted != options_.settings.end()) {
      parameter.set(wanted->second);
      continue;
    }
    const Json* value = recorded != nullptr ? member(*recorded, parameter.key()) : nullptr;
    if (value != nullptr && !can_have(parameter, *value)) {
      add("", "", "manifest",
          fmt::format("parameter {}: found {}, expected {}", parameter.key(), shown(*value),
                      parameter.range_text()));
    }
  }
}

void Verifier::check_splits() {
  for (std::size_t s = 0; s < data_.splits.size(); ++s) {
    const Split& split = data_.splits[s];
    const auto same_name = [&](const Split& other) { return other.name == split.name; };
    const auto earlier = data_.splits.begin() + static_cast<std::ptrdiff_t>(s);
    if (std::any_of(data_.splits.begin(), earlier, same_name)) {
      add(split.name, "", "structure", "found a second split of this name");
    }
    if (split.samples.empty()) {
      add(split.name, "", "structure", "found no graph, expected at least one");
      continue;
    }
    if (!is_ours_) continue;
    std::vector<std::size_t> counts(data_.class_names.size(), 0);
    for (const Sample& sample : split.samples) {
      if (sample.label >= 0 && static_cast<std::size_t>(sample.label) < counts.size()) {
        ++counts[static_cast<std::size_t>(sample.label)];
      }
    }
    if (counts.empty()) continue;
    const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
    // Where equal numbers are possible, the smallest other difference is two.
    if (*most - *fewest > 1) {
      add(split.name, "", "balance",
          fmt::format("found {} graphs of class {} and {} of class {}, expected as many of each",
                      *fewest, fewest - counts.begin(), *most, most - counts.begin()));
    }
  }
}

/// Labels and attributes are a matter of the whole data set: all graphs have them or none.
void Verifier::check_labels() {
  std::size_t with_node_labels = 0;
  std::size_t with_edge_labels = 0;
  std::size_t without_edges = 0;
  bool widths_differ = false;
  for (const Place& place : places_) {
    const Graph& graph = place.sample->graph;
    if (graph.has_node_labels()) ++with_node_labels;
    if (graph.has_edge_labels()) ++with_edge_labels;
    if (graph.edge_count() == 0) ++without_edges;
    widths_differ =
        widths_differ || graph.attribute_width() != places_.front().sample->graph.attribute_width();
  }
  const auto check_all_or_none = [&](const char* what, std::size_t with, std::size_t total) {
    if (with != 0 && with != total) {
      add("", "", "structure",
          fmt::format("found {} labels in {} of {} graphs, expected all or none", what, with,
                      total));
    }
  };
  check_all_or_none("node", with_node_labels, places_.size());
  check_all_or_none("edge", with_edge_labels, places_.size() - without_edges);
  if (widths_differ) {
    add("", "", "structure", "found different numbers of node attributes, expected one number");
  }
}

std::vector<Finding> Verifier::structure_of(const Sample& sample) const {
  std::vector<Finding> findings;
  if (sample.id.empty()) findings.push_back({"structure", "found no id, expected one"});
  if (sample.graph.node_count() == 0) {
    findings.push_back({"structure", "found no node, expected at least one"});
  }
  if (sample.label < 0 || static_cast<std::size_t>(sample.label) >= data_.class_names.size()) {
    findings.push_back({"structure", fmt::format("found class {}, expected one of {} classes",
                                                 sample.label, data_.class_names.size())});
  }
  return findings;
}

void Verifier::check_graphs() {
  constexpr std::size_t kChunk = 64;
  std::vector<SampleVerdict> verdicts(places_.size());
  {
    const Stage stage(execution_, "verify", places_.size());
    parallel_for(execution_, places_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        execution_.check_stop();
        const Sample& sample = *places_[i].sample;
        verdicts[i].findings = structure_of(sample);
        if (verdicts[i].findings.empty()) {
          verdicts[i] =
              verify::check_sample(sample, definition_.get(), witness_required_, execution_);
        }
      }
      stage.advance(end - begin);
    });
  }

  std::unordered_map<std::string_view, const Place*> first_of_id;
  const std::vector<std::size_t> class_of = isomorphism_classes(data_.all(), execution_);
  std::vector<std::vector<const Place*>> first_of_class(places_.size());  // one per split
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const std::string& id = place.sample->id;
    if (verdicts[i].class_checked) ++report_.classes_checked;
    if (verdicts[i].witness_checked) ++report_.witnesses_checked;
    for (Finding& finding : verdicts[i].findings) {
      add(split_name(place), id, std::move(finding.kind), std::move(finding.detail));
    }
    if (const auto [first, is_new] = first_of_id.try_emplace(id, &place); !is_new) {
      add(split_name(place), id, "duplicate-id",
          fmt::format("stands first in split {}", split_name(*first->second)));
    }
    std::vector<const Place*>& twins = first_of_class[class_of[i]];
    if (!twins.empty() && twins.front()->split != place.split) {
      ++report_.isomorphs_across;
      if (!report_.isomorphs_allowed) {
        add(split_name(place), id, "isomorph-across-splits",
            fmt::format("found isomorphic graph {} in split {}, expected none",
                        twins.front()->sample->id, split_name(*twins.front())));
      }
    }
    if (!twins.empty() && twins.back()->split == place.split) {
      ++report_.isomorphs_within;
    } else {
      twins.push_back(&place);
    }
  }
}

}  // namespace

VerifyReport verify_dataset(const DataSet& data, const VerifyOptions& options,
                            const Execution& execution) {
  return Verifier(data, options, execution).run();
}

}  // namespace bermuda
