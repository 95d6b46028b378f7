#include "bermuda/run/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

void append(ByteWriter& out, Samples samples) {
  out.number(static_cast<std::uint64_t>(samples.size()));
  for (const Sample* sample : samples) {
    out.text(sample->id);
    out.number(sample->label);
    out.number(sample->graph.node_count());
    out.array(sample->graph.edges());
    out.array(sample->graph.node_labels());
    out.array(sample->graph.edge_labels());
    out.number(sample->graph.attribute_width());
    out.array(sample->graph.attributes());
  }
}

/// As one would write it on the command line, which is what Parameter::set() understands.
std::string option_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const Json& item : value) list += (list.empty() ? "" : ",") + option_text(item);
  return list;
}

/// Earlier versions had a number for an option that was left open. Keys still have it, so that
/// runs of that time are known by them (docs/results). Options that came later need no line; all of
/// it can go when these are gone.
struct OnceOpen {
  const char* key;
  nlohmann::json value;
};
const OnceOpen* once_open(std::string_view key) {
  static const std::array<OnceOpen, 10> kAll = {{{"batch_size", 0},
                                                 {"learning_rate", 0.0},
                                                 {"epochs", -1},
                                                 {"warm_up", -1},
                                                 {"patience", 0},
                                                 {"least_rate", 0.0},
                                                 {"copies", 0},
                                                 {"embedding_scale", -1.0},
                                                 {"embedding_shift", -1.0},
                                                 {"gain", -1.0}}};
  const auto found = std::ranges::find(kAll, key, &OnceOpen::key);
  return found == kAll.end() ? nullptr : &*found;
}

/// Options that came later, and what held before: their runs keep the keys they had. They need no
/// line once kResultVersion has gone up.
bool held_before(std::string_view key, const nlohmann::json& value) {
  return (key == "input" && value == "core") || (key == "no_residual" && value == false);
}

Folding folding_of(const Json& json) {
  try {
    return folding_named(string_of(json, "how folds are made"));
  } catch (const UsageError& error) {
    throw JsonError(error.what());
  }
}

}  // namespace

nlohmann::json options_of_key(const Json& options) {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [key, value] : options.items()) {
    if (held_before(key, value)) continue;
    const OnceOpen* once = value.is_null() ? once_open(key) : nullptr;
    all[key] = once != nullptr ? once->value : nlohmann::json(value);
  }
  return all;
}

std::string RunSpec::key(int result_version) const {
  // Sorted keys: the order in which a method declares its options does not matter.
  nlohmann::json all = {{"result_version", result_version},
                        {"method", method},
                        {"options", options_of_key(options)},
                        {"data", data_checksum},
                        {"fold", fold},
                        {"seed", seed}};
  // Absent otherwise, as they always were.
  if (!initial.empty()) all["initial"] = initial;
  if (folding != Folding::kUsual) all["folding"] = folding_name(folding);
  if (!asks.empty()) all["asked"] = bermuda::to_json(asks);
  return sha256(all.dump());
}

std::string RunSpec::text(std::string_view called) const {
  const bool usual = folding == Folding::kUsual;
  return fmt::format("{} on {}, {}{}fold {}{}", called.empty() ? method : called, data,
                     usual ? "" : folding_name(folding), usual ? "" : " ", fold,
                     seed == RunSpec().seed ? "" : fmt::format(", seed {}", seed));
}

std::uint64_t fit_seed(std::uint64_t seed, int fold) {
  return RandomStream(seed, Purpose::kRun, static_cast<std::uint64_t>(fold)).next_u64();
}

RunSpec describe_run(const Method& method, const DataSet& data, int fold, std::uint64_t seed,
                     std::string_view initial, Folding folding, const Execution& execution) {
  RunSpec spec;
  spec.method = method.name();
  spec.options = method.settings().values();
  spec.data = data.name;
  spec.data_checksum = data_checksum(data);
  spec.fold = fold;
  spec.folding = plain_folding(data, folding);
  spec.seed = seed;
  if (!initial.empty()) spec.initial = sha256(initial);
  spec.fit_checksum = fit_checksum(data, fold, spec.folding, execution);
  return spec;
}

std::unique_ptr<Method> make_method(const MethodRegistry& methods, const RunSpec& spec) {
  std::unique_ptr<Method> method = methods.get(spec.method).make();
  const ParameterSet parameters = method->parameters();
  for (const auto& [key, value] : spec.options.items()) {
    const Parameter& parameter = parameters.get(key);
    if (parameter.value() != value) parameter.set(option_text(value));
  }
  return method;
}

std::string samples_checksum(Samples train, Samples validation) {
  ByteWriter out;
  append(out, train);
  append(out, validation);
  return sha256(out.bytes());
}

std::string data_checksum(const DataSet& data) {
  std::string parts;
  for (const std::string& name : data.class_names) parts += sha256(name);
  for (const Split& split : data.splits) {
    std::vector<const Sample*> samples;
    for (const Sample& sample : split.samples) samples.push_back(&sample);
    parts += sha256(split.name) + samples_checksum(samples, {});
  }
  return sha256(parts);
}

std::string fit_checksum(const DataSet& data, int fold, Folding folding,
                         const Execution& execution) {
  const FoldParts parts = fold_parts(data, fold, folding, execution);
  return samples_checksum(parts.train, parts.validation);
}

std::vector<std::string> fit_differences(const RunSpec& stored, const RunSpec& now,
                                         const Settings& settings, std::string_view what) {
  std::vector<std::string> found;
  const auto add = [&](std::string_view name, const auto& before, const auto& after) {
    found.push_back(fmt::format("{}: {} has {}, now {}", name, what, before, after));
  };
  if (stored.method != now.method) {
    add("method", stored.method, now.method);
    return found;  // its options are others
  }
  if (stored.fold != now.fold) {
    add("--fold", stored.fold, now.fold);
  } else if (stored.folding != now.folding) {
    add("--folding", folding_name(stored.folding), folding_name(now.folding));
  } else if (stored.fit_checksum != now.fit_checksum) {  // which these would also change
    if (stored.data != now.data) {
      add("data", stored.data, now.data);
    } else {
      found.push_back(fmt::format("data: {} is of other graphs named {}", what, stored.data));
    }
  }
  if (stored.seed != now.seed) add("--seed", stored.seed, now.seed);
  if (stored.initial != now.initial) {
    found.push_back(fmt::format("--from: {} began with {}, now it is {}", what,
                                stored.initial.empty() ? "no model" : "a model",
                                now.initial.empty() ? "none" : "another"));
  }
  const nlohmann::json options_before = options_of_key(stored.options);
  const nlohmann::json options_after = options_of_key(now.options);
  for (const Setting& parameter : settings.all()) {
    if (parameter.only_stops) continue;
    const nlohmann::json before = options_before.value(parameter.key(), nlohmann::json("no value"));
    const nlohmann::json after = options_after.value(parameter.key(), nlohmann::json("no value"));
    if (before != after) add("--" + parameter.name, option_text(before), option_text(after));
  }
  return found;
}

Json to_json(const RunSpec& spec) {
  Json json = {{"method", spec.method}, {"options", spec.options},
               {"data", spec.data},     {"data_checksum", spec.data_checksum},
               {"fold", spec.fold},     {"seed", spec.seed}};
  if (spec.folding != Folding::kUsual) json["folding"] = folding_name(spec.folding);
  if (!spec.initial.empty()) json["initial"] = spec.initial;
  if (!spec.asks.empty()) json["asked"] = to_json(spec.asks);
  return json;
}

std::uint64_t seed_of(const Json& json) {
  if (!json.is_number_unsigned()) {
    throw JsonError(fmt::format("{} as a seed", in_quotes(json_line(json))));
  }
  return json;
}

RunSpec run_spec_of(const Json& json) {
  RunSpec spec;
  spec.method = string_of(json.at("method"), "the method");
  spec.options = json.at("options");
  spec.options.get_ref<const Json::object_t&>();  // or it throws
  spec.data = string_of(json.at("data"), "the data's name");
  spec.data_checksum = string_of(json.at("data_checksum"), "the data's checksum");
  spec.fold = static_cast<int>(whole_number(json.at("fold"), "a fold", 0, kEvaluationFolds - 1));
  spec.seed = seed_of(json.at("seed"));
  if (json.contains("folding")) spec.folding = folding_of(json.at("folding"));
  spec.initial = json.value("initial", "");
  if (json.contains("asked")) spec.asks = asks_of(json.at("asked"));
  return spec;
}

Json fit_json(const RunSpec& spec) {
  Json json = to_json(spec);
  json["data_checksum"] = spec.fit_checksum;
  json["initial"] = spec.initial;
  json.erase("asked");  // no fit depends on it
  return json;
}

RunSpec fit_spec_of(const Json& json) {
  RunSpec spec = run_spec_of(json);
  std::swap(spec.data_checksum, spec.fit_checksum);
  spec.asks.clear();
  return spec;
}

}  // namespace bermuda
