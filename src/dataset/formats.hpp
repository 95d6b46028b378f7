#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/archive.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// File name -> content. Every format is parsed from memory, so that fuzzers need no disk and a
/// zip needs no unpacking. `place` is what error messages put before a file name.
using FileTexts = std::map<std::string, std::string>;

/// Differences between manifest and files are collected in problems, or thrown when it is null.
DataSet parse_native(const FileTexts& files, const std::string& place,
                     std::vector<std::string>* problems);
DataSet read_native(const std::filesystem::path& folder, std::vector<std::string>* problems);
FileTexts native_files(const DataSet& data);

DataSet parse_spcl(const FileTexts& files, const std::string& place, const std::string& name);
DataSet read_spcl(const std::filesystem::path& folder);
FileTexts spcl_files(const DataSet& data);
/// Whether a folder with these files is meant as SP/CL.
bool looks_like_spcl(const std::vector<std::string>& file_names);

DataSet parse_tu(const FileTexts& files, const std::string& place);
DataSet read_tu(const std::filesystem::path& folder_or_zip);
FileTexts tu_files(const DataSet& data);
/// What a TU set of these graphs can carry: the format has labels for all graphs or for none.
struct TuColumns {
  bool node_labels = false;
  bool edge_labels = false;
  int attribute_width = 0;
};
TuColumns tu_columns(const std::vector<const Sample*>& samples);
bool looks_like_tu(const std::vector<std::string>& file_names);

DataSet parse_jsonl(std::string_view text, const std::string& file, const std::string& name);
DataSet read_jsonl(const std::filesystem::path& file);
std::string jsonl_text(const DataSet& data);

/// The same as read_archive for an archive in memory; place names it in messages.
FileTexts parse_archive(std::string_view bytes, const std::string& place,
                        const ArchiveLimits& limits);

/// The name of the folder or file at the path, without extension if it is a file.
std::string name_of(const std::filesystem::path& path);
/// Throws UsageError when nothing is there.
void check_exists(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);
/// Names of the regular files in a folder, ascending.
std::vector<std::string> files_in(const std::filesystem::path& folder);

}  // namespace bermuda
