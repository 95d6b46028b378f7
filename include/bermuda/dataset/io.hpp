#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// The formats of FORMATS.md.
enum class Format { kNative, kSpCl, kTu, kJsonLines };

std::string_view format_name(Format format);                ///< "native", "spcl", "tu", "jsonl"
std::optional<Format> format_named(std::string_view name);  ///< the reverse

/// Which format stands at the path, by what is there: a folder with manifest.json is native, one
/// with *_A.txt (or a .zip that holds one) is TU, one with *sp.txt and *cl.txt is SP/CL, a .jsonl
/// file is JSON lines. Throws InputError when nothing fits or when more than one does.
Format detect_format(const std::filesystem::path& path);

/// Reads a data set in any format. Throws InputError (what is wrong with the file) or IoError.
DataSet read_dataset(const std::filesystem::path& path,
                     std::optional<Format> format = std::nullopt);

/// What this data set holds that the format cannot carry, in words, one entry a kind of loss
/// ("witnesses of 500 graphs"); empty when nothing is lost.
std::vector<std::string> losses(const DataSet& data, Format format);

/// Writes as a whole or not at all (see PendingFolder). JSON lines go to one file, every other
/// format to a folder.
void write_dataset(const DataSet& data, const std::filesystem::path& path, Format format,
                   bool overwrite);

}  // namespace bermuda
