#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda {

/// File name -> content. Every format is parsed from memory, so that fuzzers need no disk and a
/// zip needs no unpacking. `place` is what error messages put before a file name.
using FileTexts = std::map<std::string, std::string>;

/// What stands at a path, looked at once for all formats.
struct Place {
  std::filesystem::path path;
  bool is_folder = false;
  std::vector<std::string> files;  ///< in a folder or .zip; none for any other file
};

// The rows of formats(), each at the end of its format's own file, and what fuzzers call.

extern const Format kNative;
/// Differences between manifest and files are collected in problems, or thrown when it is null.
DataSet parse_native(const FileTexts& files, const std::string& place,
                     std::vector<std::string>* problems, const ReadOptions& options = {});
FileTexts native_files(const DataSet& data);

extern const Format kSpCl;
DataSet parse_spcl(const FileTexts& files, const std::string& place, const std::string& name,
                   const ReadOptions& options = {});
FileTexts spcl_files(const DataSet& data);

extern const Format kTu;
DataSet parse_tu(const FileTexts& files, const std::string& place, const ReadOptions& options = {});
FileTexts tu_files(const DataSet& data);

extern const Format kJsonLines;
DataSet parse_jsonl(std::string_view text, const std::string& file, const std::string& name,
                    const ReadOptions& options = {});
std::string jsonl_text(const DataSet& data);

extern const Format kDgcnn;
DataSet parse_dgcnn(std::string_view text, const std::string& file, const std::string& name,
                    const ReadOptions& options = {});
std::string dgcnn_text(const DataSet& data);

extern const Format kGraph6;
/// `labels` is the file beside it that has the classes, if there is one.
DataSet parse_graph6(std::string_view text, const std::string& file, const std::string* labels,
                     const std::string& name, const ReadOptions& options = {});
std::string graph6_text(const DataSet& data);

extern const Format kGraphml;
DataSet parse_graphml(const FileTexts& files, const std::string& place, const std::string& name,
                      const ReadOptions& options = {});

extern const Format kEdgeList;
DataSet parse_edge_lists(const FileTexts& files, const std::string& place, const std::string& name,
                         const ReadOptions& options = {});

extern const Format kPairFile;
/// Graphs of pairs have no class: refused, once all is read, where they need one.
DataSet parse_pairs(std::string_view text, const std::string& file, const std::string& name,
                    const ReadOptions& options = {});

/// The bytes of all files together.
std::size_t size_of(const FileTexts& files);

/// The same as read_archive for an archive in memory; place names it in messages.
FileTexts parse_archive(std::string_view bytes, const std::string& place,
                        const ArchiveLimits& limits, const WantedFile& wanted = {},
                        StopPoll stop = {});

/// The name of the folder or file at the path, without extension if it is a file.
std::string name_of(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);
/// Throws InputError when a file stands there.
void check_folder(const std::filesystem::path& path);
/// Names of the regular files in a folder, ascending.
std::vector<std::string> files_in(const std::filesystem::path& folder);
void write_folder(const FileTexts& files, const std::filesystem::path& path, bool overwrite);

}  // namespace bermuda
