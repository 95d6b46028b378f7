#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

struct Place;  // what stands at a path, src/dataset/formats.hpp

/// More nodes than any graph may have, whatever the options say.
inline constexpr int kMostNodes = 1 << 20;
/// More nodes than the graphs of this field have: those of the largest collections have thousands.
inline constexpr int kUsualMostNodes = 100'000;

/// What a data set may cost, checked while it is read, and whether to go on.
struct ReadOptions {
  /// Of one graph. All graphs together may have as many nodes as the files have bytes and ten times
  /// this: nodes without edges are free in some formats, and the size of a file shall tell its
  /// cost.
  int max_nodes = kUsualMostNodes;
  StopPoll stop = {};
  /// Whether graphs may lack a class (Sample::kNoClass). Who learns from graphs or counts right
  /// answers needs one of each: otherwise InputError tells where none is.
  bool may_lack_class = false;
};

/// One of the formats of FORMATS.md: everything that the program knows about it. Help, messages and
/// choices of formats follow from formats().
struct Format {
  std::string_view name;         ///< as `convert --to` spells it
  std::string_view description;  ///< what stands on disk: "TU folder or .zip (*_A.txt)"
  std::string_view ending;       ///< of the one file that is written; empty where it is a folder
  /// Whether what stands there is meant as this format.
  bool (*fits)(const Place& place);
  /// Where a format has checksums, what does not agree with them goes into problems, or is thrown
  /// when that is null.
  DataSet (*read)(const std::filesystem::path& path, const ReadOptions& options,
                  std::vector<std::string>* problems);
  /// Null, as losses() then is, for a format that is only read.
  void (*write)(const DataSet& data, const std::filesystem::path& path, bool overwrite);
  /// What this data set holds that the format cannot carry, in words, one entry per kind of loss
  /// ("witnesses of 500 graphs"); empty when nothing is lost.
  std::vector<std::string> (*losses)(const DataSet& data);

  bool is_written() const { return write != nullptr; }
  bool operator==(const Format& other) const { return name == other.name; }
};

/// All formats; the first is our own.
std::span<const Format* const> formats();
/// Throws UsageError when there is none of that name.
const Format& format_named(std::string_view name);
/// The descriptions of all formats in one phrase: "..., ... or ...".
std::string format_descriptions();

/// Which format stands at the path, by what is there. Throws InputError when none fits or when more
/// than one does.
const Format& detect_format(const std::filesystem::path& path);

/// Reads a data set in any format, or in the one named. Throws InputError (what is wrong with the
/// file) or IoError.
DataSet read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});
DataSet read_dataset(const std::filesystem::path& path, const Format& format,
                     const ReadOptions& options = {});

/// Reads a data set even when its files are not the ones that its manifest describes, and says so
/// instead of throwing: one sentence for each checksum, graph count, class count or mean that
/// differs. Files that cannot be read as graphs still throw InputError.
DataSet read_dataset_unchecked(const std::filesystem::path& path,
                               std::vector<std::string>& checksum_problems,
                               const ReadOptions& options = {});

/// Writes as a whole or not at all (see PendingFolder): a folder or, if the format has an ending,
/// one file. Without a format in our own.
void write_dataset(const DataSet& data, const std::filesystem::path& path, const Format& format,
                   bool overwrite);
void write_dataset(const DataSet& data, const std::filesystem::path& path, bool overwrite);

}  // namespace bermuda
