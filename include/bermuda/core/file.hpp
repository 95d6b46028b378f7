#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace bermuda {

/// The whole file. Throws IoError; a folder in place of a file is an InputError.
std::string read_file(const std::filesystem::path& path);

/// Replaces a file as a whole: writes beside it, syncs, renames. A killed program leaves the old
/// file or the new one. An existing file is only replaced with overwrite set (else UsageError).
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                           bool overwrite);

/// A folder that appears as a whole or not at all. Files are put into a hidden sibling; commit()
/// syncs them and swaps the sibling with whatever stands at the target. Without commit(), or when
/// the program dies, the target is as it was.
class PendingFolder {
 public:
  /// Throws UsageError when the target exists and overwrite is not set, or when the parent folder
  /// is missing or not writable: all of this before any work is done.
  PendingFolder(std::filesystem::path target, bool overwrite);
  ~PendingFolder();
  PendingFolder(const PendingFolder&) = delete;
  PendingFolder& operator=(const PendingFolder&) = delete;

  void write(const std::string& name, std::string_view bytes) const;
  /// For a file that comes in parts.
  void append(const std::string& name, std::string_view bytes);
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path staging_;
  std::set<std::string> appended_;  // files that are not synced yet
  bool committed_ = false;
};

/// The checks that PendingFolder makes, for programs that want them before an hour of work:
/// throws UsageError when path cannot be created (or replaced, with overwrite).
void check_output(const std::filesystem::path& path, bool overwrite);

}  // namespace bermuda
