#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "fields.hpp"
#include "native.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "bermuda-dataset";
constexpr int kFormatVersion = 1;
constexpr std::array kOwnMembers = {"format", "format_version", "program_version",
                                    "name",   "classes",        "splits"};

/// Reads members of one JSON object and complains in the manifest's name.
class MemberReader {
 public:
  MemberReader(const Json& object, const std::string& file, std::string where)
      : object_(object), file_(file), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& member, const std::string& expected) const {
    const auto found = object_.find(member);
    const std::string what =
        found == object_.end()
            ? fmt::format("no \"{}\"{}", member, where_)
            : fmt::format("{} as \"{}\"{}", in_quotes(found->dump(-1, ' ', true)), member, where_);
    throw InputError(file_, 0, what, expected);
  }
  const Json& array(const std::string& member) const {
    const auto found = object_.find(member);
    if (found == object_.end() || !found->is_array()) fail(member, "an array");
    return *found;
  }
  std::string text(const std::string& member) const {
    const auto found = object_.find(member);
    if (found == object_.end() || !found->is_string()) fail(member, "a string");
    return found->get<std::string>();
  }
  std::size_t count(const std::string& member) const {
    const auto found = object_.find(member);
    if (found == object_.end() || !found->is_number_unsigned()) fail(member, "a count");
    return found->get<std::size_t>();
  }
  double real(const std::string& member) const {
    const auto found = object_.find(member);
    if (found == object_.end() || !found->is_number()) fail(member, "a number");
    return found->get<double>();
  }

 private:
  const Json& object_;
  const std::string& file_;
  std::string where_;
};

SplitSummary parse_summary(const Json& entry, const std::string& file, std::size_t number) {
  const MemberReader reader(entry, file, fmt::format(" in splits[{}]", number));
  if (!entry.is_object()) {
    throw InputError(file, 0, fmt::format("{} as splits[{}]", entry.type_name(), number),
                     "an object");
  }
  SplitSummary summary;
  summary.name = reader.text("name");
  if (!is_plain_name(summary.name)) reader.fail("name", "letters, digits, '.', '_' and '-'");
  summary.file = reader.text("file");
  if (!is_plain_name(summary.file)) reader.fail("file", "the name of a file in the same folder");
  summary.graphs = reader.count("graphs");
  for (const Json& count : reader.array("class_counts")) {
    if (!count.is_number_unsigned()) reader.fail("class_counts", "counts");
    summary.class_counts.push_back(count.get<std::size_t>());
  }
  summary.mean_nodes = reader.real("mean_nodes");
  summary.mean_edges = reader.real("mean_edges");
  summary.sha256 = reader.text("sha256");
  return summary;
}

void check_version(const Json& manifest, const MemberReader& reader, const std::string& file) {
  if (reader.text("format") != kFormat) reader.fail("format", fmt::format("\"{}\"", kFormat));
  const std::size_t version = reader.count("format_version");
  if (version == 0) reader.fail("format_version", "1 or more");
  if (version > kFormatVersion) {
    const auto program = manifest.find("program_version");
    const bool known = program != manifest.end() && program->is_string();
    throw InputError(
        file, 0,
        fmt::format("format_version {}, newer than this program{}", version,
                    known ? fmt::format(" (written by bermuda {})",
                                        in_quotes(program->get_ref<const std::string&>()))
                          : ""),
        fmt::format("format_version {} at most", kFormatVersion));
  }
}

bool is_own_member(std::string_view key) {
  return std::find(kOwnMembers.begin(), kOwnMembers.end(), key) != kOwnMembers.end();
}

}  // namespace

Manifest parse_manifest(std::string_view text, const std::string& file) {
  const Json json = parse_json_object(text, file, 1);
  const MemberReader reader(json, file, "");
  check_version(json, reader, file);
  Manifest manifest;
  manifest.name = reader.text("name");
  check_name(manifest.name, file);
  std::set<std::string> seen;
  for (const Json& name : reader.array("classes")) {
    if (!name.is_string() || !is_field_text(name.get_ref<const std::string&>()) ||
        !seen.insert(name.get<std::string>()).second) {
      reader.fail("classes", "the names of the classes, each once");
    }
    manifest.class_names.push_back(name.get<std::string>());
  }
  seen.clear();
  std::set<std::string> files;
  for (const Json& entry : reader.array("splits")) {
    SplitSummary summary = parse_summary(entry, file, manifest.splits.size());
    if (!seen.insert(summary.name).second || !files.insert(summary.file).second) {
      throw InputError(file, 0, fmt::format("split {} twice", in_quotes(summary.name)),
                       "every split and every file once");
    }
    manifest.splits.push_back(std::move(summary));
  }
  manifest.provenance = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (!is_own_member(key)) manifest.provenance[key] = value;
  }
  return manifest;
}

std::string manifest_text(const Manifest& manifest) {
  Json json = {{"format", kFormat},
               {"format_version", kFormatVersion},
               {"program_version", kVersion},
               {"name", manifest.name},
               {"classes", manifest.class_names}};
  for (const auto& [key, value] : manifest.provenance.items()) {
    if (is_own_member(key)) {
      throw UsageError(fmt::format("provenance must not have a member {}", in_quotes(key)));
    }
    json[key] = value;
  }
  json["splits"] = Json::array();
  for (const SplitSummary& split : manifest.splits) {
    json["splits"].push_back({{"name", split.name},
                              {"file", split.file},
                              {"graphs", split.graphs},
                              {"class_counts", split.class_counts},
                              {"mean_nodes", split.mean_nodes},
                              {"mean_edges", split.mean_edges},
                              {"sha256", split.sha256}});
  }
  return json_text(json, 2) + "\n";
}

}  // namespace bermuda
