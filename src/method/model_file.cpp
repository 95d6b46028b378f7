#include "bermuda/method/model_file.hpp"

#include <fmt/format.h>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/version.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "bermuda-model ";
constexpr int kModelVersion = 1;
constexpr std::size_t kChecksumSize = 64;

[[noreturn]] void refuse(const std::string& file, std::string found, std::string expected) {
  throw InputError(file, 0, std::move(found), std::move(expected));
}

void check_frame(std::string_view bytes, const std::string& file) {
  const std::string first = fmt::format("{}{}\n", kMagic, kModelVersion);
  if (!bytes.starts_with(kMagic)) {
    refuse(file, in_quotes(bytes.substr(0, 16)), "a model file of bermuda");
  }
  if (!bytes.starts_with(first)) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    refuse(file, fmt::format("model format {}", in_quotes(line.substr(kMagic.size()))),
           fmt::format("format {}; another version of bermuda made this file", kModelVersion));
  }
  if (bytes.size() < first.size() + kChecksumSize) refuse(file, "a cut file", "a whole model");
  const std::string_view stored = bytes.substr(bytes.size() - kChecksumSize);
  const std::string actual = sha256(bytes.substr(0, bytes.size() - kChecksumSize));
  if (stored != actual) {
    refuse(file, "a damaged or cut file (its checksum differs)", "the file as it was written");
  }
}

void set_options(Method& method, const Json& options) {
  const ParameterSet parameters = method.parameters();
  for (const auto& [key, value] : options.items())
    parameters.get(key).set(value.get<std::string>());
}

}  // namespace

std::string encode_model(Method& method, const std::vector<std::string>& class_names) {
  Json options = Json::object();
  const ParameterSet parameters = method.parameters();
  for (const Parameter& parameter : parameters.all()) {
    options[parameter.key()] = parameter.value_text();
  }
  const Json header = {{"method", method.name()},
                       {"program_version", kVersion},
                       {"classes", class_names},
                       {"options", options}};
  ByteWriter out;
  out.text(header.dump());
  method.save(out);
  std::string bytes = fmt::format("{}{}\n", kMagic, kModelVersion) + out.bytes();
  return bytes + sha256(bytes);
}

Model decode_model(std::string_view bytes, const std::string& file,
                   const MethodRegistry& registry) {
  check_frame(bytes, file);
  bytes.remove_prefix(bytes.find('\n') + 1);
  bytes.remove_suffix(kChecksumSize);
  try {
    ByteReader in(bytes);
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
