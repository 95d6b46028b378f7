#include "bermuda/dataset/io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/utf8.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

// One line per format, our own first; help and messages name them in this order.
constexpr std::array kFormats = {
    &kNative,     //
    &kTu,         //
    &kSpCl,       //
    &kJsonLines,  //
    &kDgcnn,      //
    &kGraph6,     //
    &kGraphml,    //
    &kEdgeList,   //
    &kPairFile,   //
};

void check_exists(const fs::path& path) {
  check_path_text(path);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw UsageError(fmt::format("{}: no such file or folder", path.string()));
  }
  if (error) throw IoError(path.string(), "open", error.value());
  if (status.type() != fs::file_type::directory) check_regular_file(path);
}

bool is_archive(const fs::path& path) { return path.extension() == ".zip"; }

Place look_at(const fs::path& path) {
  if (is_folder(path)) return {path, true, files_in(path)};
  return {path, false, is_archive(path) ? list_archive(path) : std::vector<std::string>{}};
}

const char* nothing_at(const Place& place) {
  if (place.is_folder) return "no data set";
  return is_archive(place.path) ? "an archive without a data set" : "a file of unknown format";
}

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format& format_named(std::string_view name) {
  std::string known;
  for (const Format* format : kFormats) {
    if (format->name == name) return *format;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", format->name);
  }
  throw UsageError(fmt::format("no format named {}; there are: {}", in_quotes(name), known));
}

std::string format_descriptions() {
  std::string phrase;
  for (const Format* format : kFormats) {
    if (format != kFormats.front()) phrase += format == kFormats.back() ? " or " : ", ";
    phrase += format->description;
  }
  return phrase;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

void check_folder(const fs::path& path) {
  if (!is_folder(path)) throw InputError(path.string(), 0, "a file", "a folder");
}

std::string name_of(const fs::path& path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  std::string name = (is_folder(path) ? whole.filename() : whole.stem()).string();
  check_name(name, path.string());
  return name;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    // A link to nowhere is no file and no reason to fail.
    std::error_code dangling;
    if (entry->is_regular_file(dangling)) names.push_back(entry->path().filename().string());
  }
  if (error) throw IoError(folder.string(), "list", error.value());
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t size_of(const FileTexts& files) {
  std::size_t bytes = 0;
  for (const auto& [name, text] : files) bytes += text.size();
  return bytes;
}

void write_folder(const FileTexts& files, const fs::path& path, bool overwrite) {
  PendingFolder folder(path, overwrite);
  for (const auto& [name, text] : files) folder.write(name, text);
  folder.commit();
}

const Format& detect_format(const fs::path& path) {
  check_exists(path);
  const Place place = look_at(path);
  const Format* found = nullptr;
  for (const Format* format : kFormats) {
    if (!format->fits(place)) continue;
    if (found != nullptr) {
      throw InputError(path.string(), 0,
                       fmt::format("files of two formats ({} and {})", found->name, format->name),
                       "one data set");
    }
    found = format;
  }
  if (found == nullptr)
    throw InputError(path.string(), 0, nothing_at(place), format_descriptions());
  return *found;
}

DataSet read_dataset(const fs::path& path, const ReadOptions& options) {
  return detect_format(path).read(path, options, nullptr);
}

DataSet read_dataset(const fs::path& path, const Format& format, const ReadOptions& options) {
  check_exists(path);
  return format.read(path, options, nullptr);
}

DataSet read_dataset_unchecked(const fs::path& path, std::vector<std::string>& checksum_problems,
                               const ReadOptions& options) {
  return detect_format(path).read(path, options, &checksum_problems);
}

void write_dataset(const DataSet& data, const fs::path& path, const Format& format,
                   bool overwrite) {
  if (!format.is_written()) {
    throw UsageError(fmt::format("format {} can be read, but not written", format.name));
  }
  check_output(path, overwrite);
  check_writable(data);
  format.write(data, path, overwrite);
}

void write_dataset(const DataSet& data, const fs::path& path, bool overwrite) {
  write_dataset(data, path, *kFormats.front(), overwrite);
}

}  // namespace bermuda
