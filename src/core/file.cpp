#include "bermuda/core/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "bermuda/core/error.hpp"
#include "ours.hpp"
#include "staging.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

class FileDescriptor {
 public:
  /// At a folder that is open, or AT_FDCWD.
  FileDescriptor(int folder, const fs::path& path, int flags, const char* action)
      : path_(path), descriptor_(::openat(folder, path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw IoError(path.string(), action, errno);
  }
  FileDescriptor(const fs::path& path, int flags) : FileDescriptor(AT_FDCWD, path, flags, "open") {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  fs::path path_;
  int descriptor_;
};

void write_all(int descriptor, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw IoError(path.string(), "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void sync(int descriptor, const fs::path& path) {
  // Some file systems cannot sync a folder; that is no reason to fail.
  if (::fsync(descriptor) != 0 && errno != EINVAL) throw IoError(path.string(), "sync", errno);
}

/// With a folder before it, so that it has a parent. Nothing else is tidied: a/../b is not b where
/// a is a link.
fs::path as_target(const fs::path& path) {
  const fs::path target = path.has_filename() ? path : path.parent_path();
  const std::string name = target.filename().string();
  if (name.empty() || name == "." || name == "..") {
    throw UsageError(fmt::format("{}: no name for something to make", path.string()));
  }
  return target;
}

fs::path parent_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

void sync_parent(const fs::path& target) {
  const fs::path parent = parent_of(target);
  sync(FileDescriptor(parent, O_RDONLY | O_DIRECTORY).get(), parent);
}

/// Permission bits do not tell all (read-only mounts, root): makes something there and sees.
void check_place(const fs::path& target, bool overwrite) {
  std::error_code error;
  if (!overwrite && fs::exists(fs::symlink_status(target, error))) {
    throw UsageError(fmt::format("{}: exists already (--force overwrites it)", target.string()));
  }
  const fs::path parent = parent_of(target);
  if (!fs::is_directory(parent, error)) {
    throw UsageError(fmt::format("{}: no such folder to write into", parent.string()));
  }
  try {
    const Staging probe(target, Staging::Kind::kFolder);
  } catch (const IoError& failure) {
    const int number = failure.error_number();
    if (number == ENOSPC || number == EDQUOT || number == EIO) {
      throw IoError(parent.string(), "write into", number);
    }
    throw UsageError(fmt::format("{}: folder is not writable: {}", parent.string(),
                                 std::generic_category().message(number)));
  }
}

/// What a file may take the place of.
void check_plain_file(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) {
    throw UsageError(fmt::format("{}: is a folder, a file is to be written", target.string()));
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw UsageError(fmt::format("{}: is no plain file, which is not replaced", target.string()));
  }
}

/// Renames; without overwrite never onto something.
void put_in_place(const Staging& staging, const fs::path& target, bool overwrite) {
  const char* from = staging.path().c_str();
  const unsigned flags = overwrite ? 0 : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, target.c_str(), flags) == 0) return;
  // Not every file system knows the flag.
  if (errno == EINVAL && ::rename(from, target.c_str()) == 0) return;
  if (errno == EEXIST && !overwrite) {
    throw UsageError(fmt::format("{}: has come into being meanwhile", target.string()));
  }
  throw IoError(target.string(), "rename", errno);
}

void check_regular(const struct stat& status, const fs::path& path) {
  if (S_ISREG(status.st_mode)) return;
  throw InputError(path.string(), 0, kind_of_file(status.st_mode), "a regular file");
}

}  // namespace

void check_regular_file(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) check_regular(status, path);
}

InputFile::InputFile(const fs::path& path) : path_(path.string()) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw IoError(path_, "open", errno);
  check_regular(status, path);
  // Should it have become a pipe meanwhile, opening it does not wait.
  FileDescriptor file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (::fstat(file.get(), &status) != 0) throw IoError(path_, "open", errno);
  check_regular(status, path);
  size_ = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  descriptor_ = file.release();
}

InputFile::~InputFile() { ::close(descriptor_); }

std::string InputFile::read(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t done = ::pread(descriptor_, bytes.data() + filled, size - filled,
                                 static_cast<off_t>(offset + filled));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw IoError(path_, "read", errno);
    if (done == 0) break;
    filled += static_cast<std::size_t>(done);
  }
  bytes.resize(filled);
  return bytes;
}

std::string read_file(const fs::path& path) {
  const InputFile file(path);
  std::string bytes = file.read(0, file.size() + 1);
  while (bytes.size() > file.size()) {  // it has grown since it was opened
    const std::string more = file.read(bytes.size(), bytes.size());
    if (more.empty()) break;
    bytes += more;
  }
  return bytes;
}

void check_output(const fs::path& path, bool overwrite) {
  const fs::path target = as_target(path);
  remove_leftovers(parent_of(target), target.filename().string());
  if (overwrite) check_replaceable(target);
  check_place(target, overwrite);
}

void write_file_atomically(const fs::path& path, std::string_view bytes, bool overwrite) {
  const fs::path target = as_target(path);
  check_place(target, overwrite);
  check_plain_file(target);
  const Staging staging(target, Staging::Kind::kFile);
  write_all(staging.descriptor(), bytes, staging.path());
  sync(staging.descriptor(), staging.path());
  put_in_place(staging, target, overwrite);
  sync_parent(target);
}

void write_output(const fs::path& path, std::string_view bytes, bool overwrite) {
  check_output(path, overwrite);
  write_file_atomically(path, bytes, overwrite);
}

PendingFolder::PendingFolder(fs::path target, bool overwrite)
    : target_(as_target(target)), overwrite_(overwrite) {
  check_output(target, overwrite);
  staging_ = std::make_unique<Staging>(target_, Staging::Kind::kFolder);
}

PendingFolder::~PendingFolder() = default;

void PendingFolder::write(const std::string& name, std::string_view bytes) const {
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  const FileDescriptor file(staging_->descriptor(), name, flags, "create");
  write_all(file.get(), bytes, staging_->path() / name);
  sync(file.get(), staging_->path() / name);
}

void PendingFolder::append(const std::string& name, std::string_view bytes) {
  const int make = appended_.insert(name).second ? O_CREAT | O_EXCL : 0;
  const FileDescriptor file(staging_->descriptor(), name, O_WRONLY | O_APPEND | O_NOFOLLOW | make,
                            "create");
  write_all(file.get(), bytes, staging_->path() / name);
}

void PendingFolder::commit() {
  for (const std::string& name : appended_) {
    const FileDescriptor file(staging_->descriptor(), name, O_WRONLY | O_NOFOLLOW, "open");
    sync(file.get(), staging_->path() / name);
  }
  sync(staging_->descriptor(), staging_->path());
  // RENAME_EXCHANGE swaps two names in one step, so that there is no moment without a data set.
  const auto swap = [&] {
    return overwrite_ && ::renameat2(AT_FDCWD, staging_->path().c_str(), AT_FDCWD, target_.c_str(),
                                     RENAME_EXCHANGE) == 0;
  };
  check_replaceable(target_);
  if (swap()) {
    try {
      check_replaceable(staging_->path());  // nobody can reach into it any more
    } catch (...) {
      swap();
      throw;
    }
  } else {
    put_in_place(*staging_, target_, overwrite_);
  }
  staging_.reset();
  sync_parent(target_);
}

}  // namespace bermuda
