#include "bermuda/dataset/io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<Format, std::string_view>, 4> kFormats = {{
    {Format::kNative, "native"},
    {Format::kSpCl, "spcl"},
    {Format::kTu, "tu"},
    {Format::kJsonLines, "jsonl"},
}};

Format detect_folder(const fs::path& path) {
  const std::vector<std::string> names = files_in(path);
  std::vector<Format> fitting;
  if (std::find(names.begin(), names.end(), "manifest.json") != names.end()) {
    fitting.push_back(Format::kNative);
  }
  if (looks_like_tu(names)) fitting.push_back(Format::kTu);
  if (looks_like_spcl(names)) fitting.push_back(Format::kSpCl);
  if (fitting.empty()) {
    throw InputError(path.string(), 0, "no data set",
                     "manifest.json, or *_A.txt (TU), or *sp.txt and *cl.txt (SP/CL)");
  }
  if (fitting.size() > 1) {
    throw InputError(path.string(), 0,
                     fmt::format("files of two formats ({} and {})", format_name(fitting[0]),
                                 format_name(fitting[1])),
                     "a folder with one data set");
  }
  return fitting.front();
}

Format detect_file(const fs::path& path) {
  if (path.extension() == ".jsonl") return Format::kJsonLines;
  if (path.extension() == ".zip") {
    if (looks_like_tu(list_archive(path))) return Format::kTu;
    throw InputError(path.string(), 0, "an archive without *_A.txt", "a TU data set");
  }
  throw InputError(path.string(), 0, "a file of unknown format",
                   "a folder, a .zip archive or a .jsonl file");
}

void write_folder(const FileTexts& files, PendingFolder& folder) {
  for (const auto& [name, text] : files) folder.write(name, text);
  folder.commit();
}

}  // namespace

std::string_view format_name(Format format) {
  for (const auto& [known, name] : kFormats) {
    if (known == format) return name;
  }
  return "";
}

std::optional<Format> format_named(std::string_view name) {
  for (const auto& [format, known] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

void check_exists(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw UsageError(fmt::format("{}: no such file or folder", path.string()));
  }
  if (error) throw IoError(path.string(), "open", error.value());
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::string name_of(const fs::path& path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return (is_folder(path) ? whole.filename() : whole.stem()).string();
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

Format detect_format(const fs::path& path) {
  check_exists(path);
  return is_folder(path) ? detect_folder(path) : detect_file(path);
}

DataSet read_dataset(const fs::path& path, std::optional<Format> format) {
  check_exists(path);
  const Format known = format ? *format : detect_format(path);
  if ((known == Format::kNative || known == Format::kSpCl) && !is_folder(path)) {
    throw InputError(path.string(), 0, "a file", "a folder");
  }
  switch (known) {
    case Format::kNative:
      return read_native(path, nullptr);
    case Format::kSpCl:
      return read_spcl(path);
    case Format::kTu:
      return read_tu(path);
    case Format::kJsonLines:
      return read_jsonl(path);
  }
  throw UsageError("no such format");
}

void write_dataset(const DataSet& data, const fs::path& path, Format format, bool overwrite) {
  check_output(path, overwrite);
  check_writable(data);
  if (format == Format::kJsonLines) {
    write_file_atomically(path, jsonl_text(data), overwrite);
    return;
  }
  PendingFolder folder(path, overwrite);
  switch (format) {
    case Format::kNative:
      return write_folder(native_files(data), folder);
    case Format::kSpCl:
      return write_folder(spcl_files(data), folder);
    case Format::kTu:
      return write_folder(tu_files(data), folder);
    case Format::kJsonLines:
      break;
  }
}

}  // namespace bermuda
