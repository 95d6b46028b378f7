#include "ours.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "staging.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLookedAt = 4096;  // bytes at the beginning of a file

// How files begin that our commands write, and what stands near their beginning.
// tests/app/leftovers_test.py overwrites each.
struct Mark {
  std::string_view begins;
  std::string_view holds;
};
constexpr std::array kMarks = {
    Mark{"bermuda-", "\n"},                                     // model, checkpoint
    Mark{"#id\t", "\n"},                                        // predict, explain, a split
    Mark{"grid,row,data,fold,", "\n"},                          // bench --export csv
    Mark{"{", "\"bermuda_results\":"},                          // bench --export json
    Mark{"{\"id\":", "\"edges\":"},                             // a data set as JSON lines
    Mark{"<!doctype html>", "<title>Bermuda report</title>"},   // report
    Mark{"<!doctype html>", "<title>Bermuda audit</title>"},    // audit
    Mark{"<!doctype html>", "<title>Bermuda regimes</title>"},  // regimes
    Mark{"{", "\"bermuda_regimes\":"},                          // regimes
    Mark{"{", "\"bermuda_audit\":"},                            // audit
    Mark{"{", "\"bermuda_expressivity\":"},                     // expressivity
    Mark{"Audit of ", "\n\nprobe "},                            // audit
    Mark{"| method |", "\n|---|"},                              // report --format markdown
    Mark{"\\begin{table}\n\\centering\n\\begin{tabular}{l", "\nmethod"},  // report --format latex
    Mark{"<svg xmlns=", "<!-- Drawn by bermuda -->"},                     // heat maps
    Mark{"<?xml", "<!-- Drawn by bermuda -->"},                           // draw, explain
    Mark{"\x89PNG\r\n", "Drawn by bermuda"},                              // draw, explain
    Mark{".\\\" Written by the program itself: ", "\n"},                  // man
};

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw UsageError(
      fmt::format("{}: {}; only what bermuda wrote is overwritten", path.string(), what));
}

std::string beginning_of(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) throw IoError(file.string(), "open", errno);
  std::string bytes(kLookedAt, '\0');
  const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
  const int error = errno;
  ::close(descriptor);
  if (got < 0) throw IoError(file.string(), "read", error);
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

bool is_numbers(std::string_view text) {
  return text.find_first_not_of("0123456789+-.,eE \t\r\n") == text.npos;
}

/// The number of graphs, then two words, as in the files of DGCNN.
bool is_dgcnn(std::string_view text) {
  LineReader lines(text);
  std::string_view graphs;
  std::string_view first;
  if (!is_numbers(text) || !lines.next(graphs) || !parse_number<long>(trimmed(graphs)) ||
      !lines.next(first)) {
    return false;
  }
  const auto words = split_fields(trimmed(first), ' ');
  return words.size() == 2 && parse_number<long>(words[0]).has_value();
}

bool is_marked(std::string_view text) {
  return std::ranges::any_of(kMarks, [&](const Mark& mark) {
    return text.starts_with(mark.begins) && text.find(mark.holds) != text.npos;
  });
}

/// Lines of so many fields, as far as the first tells.
template <std::size_t Fields>
bool is_table(std::string_view text) {
  return split_fields(text.substr(0, text.find('\n')), '\t').size() == Fields;
}

bool is_run(std::string_view text) {
  return text.starts_with('{') && text.find("\"program_version\":") != text.npos;
}

bool is_epochs(std::string_view text) { return text.starts_with("epoch\t"); }

bool is_curves(std::string_view text) {
  return text.starts_with("<svg ") && text.find("aria-labelledby=\"title desc\"") != text.npos;
}

/// A file of one of our folders: its name, or how that ends, and whether a text is the beginning of
/// such a file. Somebody else's may have the same name.
struct Part {
  std::string name;
  bool (*fits)(std::string_view text);
};
using Parts = std::vector<Part>;

const Parts& run_parts() {
  static const Parts parts = {{"model.bermuda", is_marked},
                              {"run.json", is_run},
                              {"checkpoint.bermuda", is_marked},
                              {"epochs.tsv", is_epochs},
                              {"curves.svg", is_curves}};
  return parts;
}

// The last is in every data set that we write, and in nobody else's.
const Parts& tu_parts() {
  static const Parts parts = {{"_A.txt", is_numbers},
                              {"_graph_indicator.txt", is_numbers},
                              {"_graph_labels.txt", is_numbers},
                              {"_node_labels.txt", is_numbers},
                              {"_edge_labels.txt", is_numbers},
                              {"_node_attributes.txt", is_numbers},
                              {"_graph_ids.txt", is_table<5>}};
  return parts;
}

const Parts& spcl_parts() {
  static const Parts parts = {{"sp.txt", is_table<4>}, {"cl.txt", is_table<2>}};
  return parts;
}

Parts behind(const std::string& prefix, Parts parts) {
  for (Part& part : parts) part.name.insert(0, prefix);
  return parts;
}

/// What stands before the end of a name; nothing where it ends otherwise.
std::optional<std::string> prefix_of(const std::string& name, const std::string& end) {
  if (!name.ends_with(end)) return {};
  return name.substr(0, name.size() - end.size());
}

/// The files that a data set's manifest tells of, itself included; none if it is none of ours.
Parts parts_of_manifest(const fs::path& file) {
  const auto json = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!json.is_object() || json.value("format", nlohmann::json()) != "bermuda-dataset") return {};
  Parts parts = {{file.filename().string(), [](std::string_view) { return true; }}};
  for (const auto& split : json.value("splits", nlohmann::json::array())) {
    if (!split.is_object()) continue;
    const auto name = split.value("file", nlohmann::json());
    if (name.is_string()) parts.push_back({name.get<std::string>(), is_marked});
  }
  return parts;
}

/// The files of a TU data set that fetch unpacked there; its record says which. Numbers only, but
/// the collection's own README.
Parts parts_of_fetched(const fs::path& file) {
  const auto json = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!json.is_object() || json.value("format", nlohmann::json()) != "bermuda-fetched") return {};
  const auto always = [](std::string_view) { return true; };
  Parts parts = {{file.filename().string(), always}};
  for (const auto& name : json.value("files", nlohmann::json::array())) {
    if (!name.is_string()) continue;
    const auto text = name.get<std::string>();
    parts.push_back({text, is_numbers});
    if (text == "README.txt") parts.back().fits = always;
  }
  return parts;
}

/// What a data set or a run in this folder, which holds these names, would consist of.
Parts parts_of(const fs::path& folder, const std::vector<std::string>& names) {
  constexpr const char* kManifest = "manifest.json";
  constexpr const char* kFetched = "fetched.json";
  const auto is_there = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_there(kManifest)) return parts_of_manifest(folder / kManifest);
  if (is_there(kFetched)) return parts_of_fetched(folder / kFetched);
  if (std::ranges::any_of(run_parts(), [&](const Part& part) { return is_there(part.name); })) {
    return run_parts();
  }
  for (const std::string& name : names) {
    if (const auto prefix = prefix_of(name, tu_parts().back().name)) {
      return behind(*prefix, tu_parts());
    }
  }
  Parts parts;
  for (const std::string& name : names) {
    const auto prefix = prefix_of(name, spcl_parts().front().name);
    if (!prefix) continue;
    for (const Part& part : behind(*prefix, spcl_parts())) parts.push_back(part);
  }
  return parts;
}

void check_folder(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code gone;
    if (!fs::is_regular_file(entry->symlink_status(gone))) {
      refuse(folder, fmt::format("holds {}, which is no plain file", in_quotes(name)));
    }
    if (!is_staging_name(name)) names.push_back(name);
  }
  if (error) throw IoError(folder.string(), "list", error.value());
  std::ranges::sort(names);
  const Parts parts = parts_of(folder, names);
  for (const std::string& name : names) {
    const auto part = std::ranges::find(parts, name, &Part::name);
    if (part == parts.end()) {
      refuse(folder,
             fmt::format("holds {}, which is no part of a data set or run", in_quotes(name)));
    }
    const std::string text = beginning_of(folder / name);
    if (!text.empty() && !part->fits(text)) {
      refuse(folder,
             fmt::format("holds {}, which is something else than its name says", in_quotes(name)));
    }
  }
}

}  // namespace

const char* kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISREG(mode) ? "a file" : "a device";
}

void check_replaceable(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    throw IoError(path.string(), "look at", errno);
  }
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    refuse(path, fmt::format("is {}", kind_of_file(status.st_mode)));
  }
  if (S_ISDIR(status.st_mode)) {
    check_folder(path);
    return;
  }
  const std::string text = beginning_of(path);
  // nauty begins its files as we do, and the format has no room for a mark.
  if (text.starts_with(">>graph6<<")) refuse(path, "is a graph6 file, which tells of no author");
  if (!text.empty() && !is_marked(text) && !is_dgcnn(text)) {
    refuse(path, "is a file of another kind");
  }
}

}  // namespace bermuda
