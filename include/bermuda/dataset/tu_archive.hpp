#pragma once

#include <map>
#include <string>
#include <string_view>

#include "bermuda/dataset/io.hpp"

namespace bermuda {

/// A TU data set in a zip archive: its files as they stand there, and what they say.
struct TuArchive {
  std::string name;  ///< of the data set: "MUTAG", where its files are MUTAG_A.txt and so on
  /// By their plain names, without the folders of the archive: the data set's own (NAME_*.txt) and
  /// README.txt beside them.
  std::map<std::string, std::string> files;
  DataSet data;
};

/// Reads it from memory, with the checks and limits that zips have (4 GiB unpacked, no paths that
/// leave the archive, no links); nothing is written. Throws InputError; `place` is for messages.
TuArchive read_tu_archive(std::string_view bytes, const std::string& place,
                          const ReadOptions& options = {});

}  // namespace bermuda
