#include "bermuda/method/model_file.hpp"

#include <fmt/format.h>

#include "bermuda/core/version.hpp"
#include "bermuda/method/frame.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kModelKind = "model";
constexpr int kModelVersion = 1;

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

std::string encode_model(const Method& method, const std::vector<std::string>& class_names) {
  Json options = Json::object();
  const Settings settings = method.settings();
  for (const Setting& setting : settings.all()) {
    if (!setting.is_open()) options[setting.key()] = setting.value_text();
  }
  const Json header = {{"method", method.name()},
                       {"program_version", kVersion},
                       {"classes", class_names},
                       {"options", options}};
  ByteWriter out;
  out.text(header.dump());
  method.save(out);
  return seal(kModelKind, kModelVersion, out.bytes());
}

Model decode_model(std::string_view bytes, const std::string& file,
                   const MethodRegistry& registry) {
  const std::string_view body = unseal(kModelKind, kModelVersion, bytes, file);
  try {
    ByteReader in(body);
    const Json header = Json::parse(in.text());
    Model model;
    model.class_names = header.at("classes").get<std::vector<std::string>>();
    if (model.class_names.size() < 2) throw BytesError("fewer than two classes");
    model.method = registry.get(header.at("method").get<std::string>()).make();
    set_options(*model.method, header.at("options"));
    model.method->load(in);
    if (!in.at_end()) throw BytesError("bytes after the end of the model");
    return model;
  } catch (const Json::exception& error) {
    refuse(file, fmt::format("a header that is wrong ({})", error.what()), "a model's header");
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    refuse(file, error.what(), "a model that this program can read");
  }
}

}  // namespace bermuda
