#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bermuda {

/// What an archive may hold before it is refused.
struct ArchiveLimits {
  std::uint64_t max_bytes = std::uint64_t{4} << 30;  ///< unpacked, all files together
  std::size_t max_files = 10000;
};

/// The files of a zip archive: name inside the archive -> bytes. Nothing is written to disk.
/// Throws InputError for names that are absolute or contain "..", links, special files, encrypted
/// or damaged archives, and for more than the limits allow.
std::map<std::string, std::string> read_archive(const std::filesystem::path& path,
                                                const ArchiveLimits& limits = {});

/// The names of the files in it, in the archive's order; the same checks, as far as they can be
/// made without unpacking.
std::vector<std::string> list_archive(const std::filesystem::path& path,
                                      const ArchiveLimits& limits = {});

}  // namespace bermuda
