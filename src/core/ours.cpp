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
    Mark{"bermuda-", "\n"},                                    // model, checkpoint
    Mark{"#id\t", "\n"},                                       // predict, explain, a split
    Mark{"grid,row,data,fold,", "\n"},                         // bench --export csv
    Mark{"{", "\"bermuda_results\":"},                         // bench --export json
    Mark{"{\"id\":", "\"edges\":"},                            // a data set as JSON lines
    Mark{"<!doctype html>", "<title>Bermuda report</title>"},  // report
    Mark{"| method |", "\n|---|"},                             // report --format markdown
    Mark{"\\begin{table}\n\\centering\n\\begin{tabular}{l", "\nmethod"},  // report --format latex
    Mark{"<?xml", "<!-- Drawn by bermuda -->"},                           // draw, explain
    Mark{"\x89PNG\r\n", "Drawn by bermuda"},                              // draw, explain
    Mark{".\\\" Written by the program itself: ", "\n"},                  // man
};

// Files of a run of train.
constexpr std::array kRunFiles = {"model.bermuda", "run.json", "checkpoint.bermuda", "epochs.tsv",
                                  "curves.svg"};
// Of a TU data set, behind its prefix.
constexpr std::array kTuFiles = {"_A.txt",           "_graph_indicator.txt", "_graph_labels.txt",
                                 "_node_labels.txt", "_edge_labels.txt",     "_node_attributes.txt",
                                 "_graph_ids.txt"};
// Of an SP/CL data set.
constexpr std::array kSpClFiles = {"sp.txt", "cl.txt"};

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

/// The number of graphs, then two words, as in the files of DGCNN.
bool is_dgcnn(std::string_view text) {
  LineReader lines(text);
  std::string_view graphs;
  std::string_view first;
  if (!lines.next(graphs) || !parse_number<long>(trimmed(graphs)) || !lines.next(first)) {
    return false;
  }
  const auto words = split_fields(trimmed(first), ' ');
  return words.size() == 2 && parse_number<long>(words[0]).has_value();
}

bool is_our_file(std::string_view text) {
  return text.empty() || is_dgcnn(text) || std::ranges::any_of(kMarks, [&](const Mark& mark) {
           return text.starts_with(mark.begins) && text.find(mark.holds) != text.npos;
         });
}

/// The files that a data set's manifest tells of, itself included; none if it is none of ours.
std::vector<std::string> files_of_manifest(const fs::path& file) {
  const auto json = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!json.is_object() || json.value("format", nlohmann::json()) != "bermuda-dataset") return {};
  std::vector<std::string> names = {file.filename().string()};
  for (const auto& split : json.value("splits", nlohmann::json::array())) {
    if (!split.is_object()) continue;
    const auto name = split.value("file", nlohmann::json());
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

template <typename List>
bool is_one_of(const List& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

/// What a data set or a run in this folder would consist of: those of the names that belong to it.
std::vector<std::string> ours_among(const fs::path& folder, const std::vector<std::string>& names) {
  constexpr const char* kManifest = "manifest.json";
  if (is_one_of(names, kManifest)) return files_of_manifest(folder / kManifest);
  std::vector<std::string> ours;
  for (const std::string& name : names) {
    if (is_one_of(kRunFiles, name)) ours.push_back(name);
  }
  if (!ours.empty()) return ours;
  for (const std::string& name : names) {
    if (!name.ends_with(kTuFiles[0])) continue;
    const std::string prefix = name.substr(0, name.size() - std::string_view(kTuFiles[0]).size());
    for (const char* end : kTuFiles) ours.push_back(prefix + end);
    return ours;
  }
  for (const std::string& name : names) {
    if (!name.ends_with(kSpClFiles[0])) continue;
    const std::string prefix = name.substr(0, name.size() - std::string_view(kSpClFiles[0]).size());
    for (const char* end : kSpClFiles) ours.push_back(prefix + end);
  }
  return ours;
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
  const std::vector<std::string> ours = ours_among(folder, names);
  for (const std::string& name : names) {
    if (!is_one_of(ours, name)) {
      refuse(folder,
             fmt::format("holds {}, which is no part of a data set or run", in_quotes(name)));
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
  } else if (!is_our_file(beginning_of(path))) {
    refuse(path, "is a file of another kind");
  }
}

}  // namespace bermuda
