#include "bermuda/method/checkpoint_file.hpp"

#include <fmt/format.h>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "frame.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCheckpointKind = "checkpoint";
constexpr int kCheckpointVersion = 1;

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

// As one would write it on the command line.
std::string option_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string samples_checksum(Samples train, Samples validation) {
  ByteWriter out;
  append(out, train);
  append(out, validation);
  return sha256(out.bytes());
}

std::vector<std::string> key_differences(const FitKey& stored, const FitKey& now,
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
  } else if (stored.data_checksum != now.data_checksum) {  // which another fold would also change
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
  for (const Setting& parameter : settings.all()) {
    if (parameter.only_stops) continue;
    const Json before = stored.options.value(parameter.key(), Json("no value"));
    const Json after = now.options.value(parameter.key(), Json("no value"));
    if (before != after) add("--" + parameter.name, option_text(before), option_text(after));
  }
  return found;
}

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  const FitKey& key = checkpoint.key;
  const Json header = {{"method", key.method},
                       {"program_version", kVersion},
                       {"data", key.data},
                       {"data_checksum", key.data_checksum},
                       {"fold", key.fold},
                       {"seed", key.seed},
                       {"options", key.options},
                       {"initial", key.initial},
                       {"epochs", checkpoint.epochs},
                       {"seconds", checkpoint.seconds},
                       {"cpu_seconds", checkpoint.cpu_seconds}};
  ByteWriter out;
  out.text(header.dump(-1, ' ', false, Json::error_handler_t::replace));
  out.text(checkpoint.state);
  return seal(kCheckpointKind, kCheckpointVersion, out.bytes());
}

Checkpoint decode_checkpoint(std::string_view bytes, const std::string& file) {
  const std::string_view body = unseal(kCheckpointKind, kCheckpointVersion, bytes, file);
  try {
    ByteReader in(body);
    const Json header = parse_json_object(in.text(), file, 1);
    Checkpoint checkpoint;
    checkpoint.key = {
        header.at("method").get<std::string>(),        header.at("data").get<std::string>(),
        header.at("data_checksum").get<std::string>(), header.at("fold").get<int>(),
        header.at("seed").get<std::uint64_t>(),        header.at("options"),
        header.value("initial", std::string())};
    if (!checkpoint.key.options.is_object()) throw BytesError("options that are no object");
    checkpoint.epochs = header.at("epochs").get<int>();
    checkpoint.seconds = header.at("seconds").get<double>();
    checkpoint.cpu_seconds = header.value("cpu_seconds", 0.0);
    checkpoint.state = in.text();
    if (!in.at_end()) throw BytesError("bytes after the end of the checkpoint");
    return checkpoint;
  } catch (const Json::exception& error) {
    throw InputError(file, 0, fmt::format("a header that is wrong ({})", error.what()),
                     "a checkpoint's header");
  } catch (const BytesError& error) {
    throw InputError(file, 0, error.what(), "a whole checkpoint");
  }
}

}  // namespace bermuda
