#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace bermuda {

class Staging;  // src/core/staging.hpp

/// The whole file. Throws IoError; InputError for anything but a regular file: a pipe, a device or
/// a socket may never end.
std::string read_file(const std::filesystem::path& path);

/// A user's file that is read piece by piece, opened with the same care as by read_file().
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::size_t size() const { return size_; }  ///< when it was opened
  /// So many bytes from there on; fewer only where the file ends. Threads may call it at once.
  std::string read(std::uint64_t offset, std::size_t size) const;

 private:
  std::string path_;
  std::size_t size_ = 0;
  int descriptor_ = -1;
};

/// Throws InputError when something else than a regular file stands there; nothing there is fine.
/// For files that are opened by somebody else, such as SQLite or the dynamic loader.
void check_regular_file(const std::filesystem::path& path);

/// Replaces a file as a whole: writes beside it, syncs, renames. A killed program leaves the old
/// file or the new one. An existing file is only replaced with overwrite set (else UsageError), a
/// folder, device, pipe or socket never.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                           bool overwrite);

/// Checks before an hour of work whether a user's output can be made: throws UsageError when the
/// name is no name ("..", "."), something stands there (with overwrite: something that is not
/// ours), or the parent folder is missing or not writable. What this program may overwrite is what
/// it wrote: a data set, a run, a table, picture, report or export of ours, or an empty file or
/// folder; src/core/ours.cpp knows them. Takes away what killed programs left for this output.
void check_output(const std::filesystem::path& path, bool overwrite);

/// A user's output: check_output() and write_file_atomically().
void write_output(const std::filesystem::path& path, std::string_view bytes, bool overwrite);

/// Takes away what killed programs had begun to write in a folder: for this target, or for any when
/// it is empty. What a living process still writes is left alone.
void remove_leftovers(const std::filesystem::path& folder, std::string_view target = {});

/// A folder that appears as a whole or not at all. Files are put into a hidden sibling; commit()
/// syncs them and swaps the sibling with whatever stands at the target. Without commit(), or when
/// the program dies, the target is as it was.
class PendingFolder {
 public:
  /// Throws as check_output(), before any work is done; so does commit() when the target has
  /// changed meanwhile.
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
  bool overwrite_;
  std::unique_ptr<Staging> staging_;
  std::set<std::string> appended_;  // files that are not synced yet
};

}  // namespace bermuda
