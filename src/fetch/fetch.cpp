#include "bermuda/fetch/fetch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "address.hpp"
#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/tu_archive.hpp"
#include "download.hpp"
#include "known.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 100;

// Those that people ask for, to answer typing errors; any other name is tried, too.
constexpr std::array kNames = {"MUTAG",       "NCI1",       "NCI109", "PTC_FM",
                               "PTC_FR",      "PTC_MM",     "PTC_MR", "ENZYMES",
                               "PROTEINS",    "DD",         "AIDS",   "Mutagenicity",
                               "IMDB-BINARY", "IMDB-MULTI", "COLLAB", "REDDIT-BINARY",
                               "BZR",         "COX2",       "DHFR",   "REDDIT-MULTI-5K",
                               "FRANKENSTEIN"};

void check_name(const std::string& name) {
  const bool plain = std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
           c == '+';
  });
  if (!plain || name.empty() || name.size() > kLongestName || name.front() == '.' ||
      name.front() == '-') {
    throw UsageError(fmt::format("NAME: found {}, expected the name of a TU data set, like MUTAG",
                                 in_quotes(name)));
  }
}

void check_options(const FetchOptions& options) {
  check_source(options.source);
  const bool digits = std::ranges::all_of(
      options.sha256, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
  if (!options.sha256.empty() && (!digits || options.sha256.size() != 64)) {
    throw UsageError(fmt::format("--sha256: found {}, expected 64 hexadecimal digits",
                                 in_quotes(options.sha256)));
  }
  if (!options.ca_file.empty()) read_file(options.ca_file);  // libcurl's words for it are many
}

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

fs::path partial_path(const fs::path& output) {
  const fs::path target = output.has_filename() ? output : output.parent_path();
  return target.parent_path() / (target.filename().string() + ".zip.part");
}

/// What the folder says of itself, so that --force knows it for ours.
std::string record(const std::string& name, const Fetched& fetched, const TuArchive& archive) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const auto& [file, text] : archive.files) files.push_back(file);
  const nlohmann::ordered_json json = {{"format", "bermuda-fetched"},
                                       {"name", name},
                                       {"url", fetched.url},
                                       {"sha256", fetched.sha256},
                                       {"known", fetched.known},
                                       {"program_version", kVersion},
                                       {"files", files}};
  return json.dump(1) + "\n";
}

}  // namespace

Fetched fetch_tu(const std::string& name, const fs::path& output, const FetchOptions& options,
                 const Execution& execution) {
  check_name(name);
  check_options(options);
  check_output(output, options.overwrite);
  Fetched fetched;
  const std::string address =
      fmt::format("{}{}{}.zip", options.source, options.source.ends_with('/') ? "" : "/", name);
  fetched.url = without_userinfo(address);
  PartialFile partial(partial_path(output));
  try {
    fetched.resumed = download(address, partial, options, execution);
  } catch (const Interrupted&) {
    throw Interrupted(
        partial.size() == 0
            ? "interrupted"
            : fmt::format("interrupted: {} bytes are kept in {}, the same command goes on",
                          partial.size(), partial.path().string()));
  } catch (const UsageError& error) {
    const std::vector<std::string> names(kNames.begin(), kNames.end());
    throw UsageError(error.what() + did_you_mean(name, names));
  }
  // Whole or wrong: in either case nobody needs the part any more.
  partial.discard();
  const std::string bytes = partial.content();
  fetched.bytes = bytes.size();
  fetched.sha256 = sha256(bytes);
  if (!options.sha256.empty() && fetched.sha256 != small_letters(options.sha256)) {
    throw InputError(fetched.url, 0, fmt::format("an archive with checksum {}", fetched.sha256),
                     fmt::format("{}, as --sha256 says", options.sha256));
  }
  const TuArchive archive = read_tu_archive(bytes, fetched.url, {options.max_nodes, execution});
  if (archive.name != name) {
    throw InputError(fetched.url, 0, fmt::format("data set {}", in_quotes(archive.name)),
                     in_quotes(name));
  }
  if (is_known(name) && !options.unchecked) {
    check_content(name, archive.files, fetched.url);
    fetched.known = true;
  } else if (options.note && options.sha256.empty()) {
    options.note(
        fmt::format("note: no checksum is known of {}; --sha256 {} would hold it to this "
                    "archive",
                    name, fetched.sha256));
  }
  fetched.graphs = archive.data.size();
  fetched.classes = archive.data.class_names.size();
  PendingFolder folder(output, options.overwrite);
  for (const auto& [file, text] : archive.files) folder.write(file, text);
  folder.write("fetched.json", record(name, fetched, archive));
  execution.check_stop();
  folder.commit();
  return fetched;
}

}  // namespace bermuda
