#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/stop.hpp"

namespace bermuda {

/// What an archive may hold before it is refused. Bytes are those of wanted files, unpacked, all
/// together: at most max_bytes, and at most free_bytes and max_ratio times the size of the archive.
struct ArchiveLimits {
  std::uint64_t max_bytes = std::uint64_t{4} << 30;
  std::size_t max_files = 10000;
  std::uint64_t free_bytes = std::uint64_t{64} << 20;
  std::uint64_t max_ratio = 200;  ///< lists of numbers reach 50
};

/// Which files of an archive are to be unpacked; empty: all.
using WantedFile = std::function<bool(const std::string& name)>;

/// The wanted files of a zip archive: name inside the archive -> bytes. Nothing is written to disk;
/// other files are passed over without being unpacked. Throws InputError for names that are
/// absolute or contain "..", links, special files, encrypted or damaged archives, and for more than
/// the limits allow.
std::map<std::string, std::string> read_archive(const std::filesystem::path& path,
                                                const ArchiveLimits& limits = {},
                                                const WantedFile& wanted = {}, StopPoll stop = {});

/// The names of the files in it, in the archive's order; the same checks, as far as they can be
/// made without unpacking.
std::vector<std::string> list_archive(const std::filesystem::path& path,
                                      const ArchiveLimits& limits = {});

/// The same of an archive in memory; place names it in messages.
std::vector<std::string> list_archive(std::string_view bytes, const std::string& place,
                                      const ArchiveLimits& limits = {});

}  // namespace bermuda
