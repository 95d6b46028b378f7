#include "bermuda/method/model_file.hpp"

#include <fmt/format.h>

#include <set>

#include "bermuda/core/version.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/frame.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kModelKind = "model";
constexpr int kModelVersion = 2;

std::vector<std::string> class_names_of(const Json& header) {
  const auto names = header.at("classes").get<std::vector<std::string>>();
  if (names.size() < 2) throw BytesError("fewer than two classes");
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) {
    throw BytesError("a class twice");
  }
  return names;
}

[[noreturn]] void refuse(const std::string& file, std::string found, std::string expected) {
  throw InputError(file, 0, std::move(found), std::move(expected));
}

void set_options(Method& method, const Json& options) {
  const ParameterSet parameters = method.parameters();
  for (const auto& [key, value] : options.items()) {
    const Parameter& parameter = parameters.get(key);
    try {
      parameter.set(value.get<std::string>());
    } catch (const UsageError&) {
      // Models were once written with 0 or -1 for an option that was left open.
      if (parameter.when_open.empty()) throw;
    }
  }
}

}  // namespace

std::string encode_model(const Method& method, const std::vector<std::string>& class_names,
                         const std::optional<TrainingSummary>& training) {
  Json options = Json::object();
  const Settings settings = method.settings();
  for (const Setting& setting : settings.all()) {
    if (!setting.is_open()) options[setting.key()] = setting.value_text();
  }
  Json header = {{"method", method.name()},
                 {"program_version", kVersion},
                 {"classes", class_names},
                 {"options", options}};
  if (training) header["training"] = to_json(*training);
  ByteWriter out;
  out.text(header.dump());
  method.save(out);
  return seal(kModelKind, kModelVersion, out.bytes());
}

namespace {

/// What is wrong with a file is told as an InputError, whoever finds it.
template <typename Read>
auto reading_model(const std::string& file, Read&& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    refuse(file, fmt::format("a header that is wrong ({})", error.what()), "a model's header");
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    refuse(file, error.what(), "a model that this program can read");
  }
}

ModelHeader read_header(ByteReader& in, const std::string& file) {
  const Json header = parse_json_object(in.text(), file, 0);
  ModelHeader found = {
      header.at("method").get<std::string>(), class_names_of(header), header.at("options"), {}};
  if (const auto training = header.find("training"); training != header.end()) {
    found.training = training_summary_of(*training);
  }
  return found;
}

}  // namespace

ModelHeader decode_model_header(std::string_view bytes, const std::string& file) {
  const std::string_view body = unseal(kModelKind, kModelVersion, bytes, file);
  return reading_model(file, [&] {
    ByteReader in(body);
    return read_header(in, file);
  });
}

Model decode_model(std::string_view bytes, const std::string& file,
                   const MethodRegistry& registry) {
  const std::string_view body = unseal(kModelKind, kModelVersion, bytes, file);
  return reading_model(file, [&] {
    ByteReader in(body);
    ModelHeader header = read_header(in, file);
    Model model;
    model.class_names = std::move(header.class_names);
    model.training = std::move(header.training);
    model.method = registry.get(header.method).make();
    set_options(*model.method, header.options);
    model.method->load(in);
    if (!in.at_end()) throw BytesError("bytes after the end of the model");
    const int classes = model.method->classes();
    if (classes != 0 && static_cast<std::size_t>(classes) != model.class_names.size()) {
      throw BytesError(fmt::format("a model of {} classes with the names of {}", classes,
                                   model.class_names.size()));
    }
    return model;
  });
}

}  // namespace bermuda
