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

namespace bermuda {
namespace {

namespace fs = std::filesystem;

class FileDescriptor {
 public:
  FileDescriptor(const fs::path& path, int flags, const char* action) : path_(path) {
    descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw IoError(path.string(), action, errno);
  }
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw IoError(path_.string(), "write", errno);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  void sync() const {
    // Some file systems cannot sync a folder; that is no reason to fail.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) throw IoError(path_.string(), "sync", errno);
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
};

fs::path without_trailing_slash(fs::path path) {
  path = path.lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

fs::path sibling(const fs::path& path, const char* suffix) {
  return parent_of(path) /
         fmt::format(".{}.{}-{}", path.filename().string(), suffix, static_cast<long>(::getpid()));
}

void write_and_sync(const fs::path& path, std::string_view bytes) {
  const FileDescriptor file(path, O_WRONLY | O_CREAT | O_TRUNC, "create");
  file.write(bytes);
  file.sync();
}

void sync_folder(const fs::path& path) {
  FileDescriptor(path, O_RDONLY | O_DIRECTORY, "open").sync();
}

}  // namespace

std::string read_file(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw IoError(path.string(), "open", errno);
  if (S_ISDIR(status.st_mode)) throw InputError(path.string(), 0, "a folder", "a file");
  const FileDescriptor file(path, O_RDONLY, "open");
  std::string bytes;
  std::size_t filled = 0;
  bytes.resize(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1);
  for (;;) {
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
    const ssize_t done = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw IoError(path.string(), "read", errno);
    if (done == 0) break;
    filled += static_cast<std::size_t>(done);
  }
  bytes.resize(filled);
  return bytes;
}

void check_output(const fs::path& path, bool overwrite) {
  const fs::path target = without_trailing_slash(path);
  std::error_code error;
  if (fs::exists(fs::symlink_status(target, error)) && !overwrite) {
    throw UsageError(fmt::format("{}: exists already (--force overwrites it)", path.string()));
  }
  const fs::path parent = parent_of(target);
  if (!fs::is_directory(parent, error)) {
    throw UsageError(fmt::format("{}: no such folder to write into", parent.string()));
  }
  // Permission bits do not tell all (read-only mounts, root): make something there and see.
  const fs::path probe = sibling(target, "probe");
  if (::mkdir(probe.c_str(), 0777) != 0) {
    if (errno == ENOSPC || errno == EDQUOT || errno == EIO) {
      throw IoError(parent.string(), "write into", errno);
    }
    throw UsageError(fmt::format("{}: folder is not writable: {}", parent.string(),
                                 std::generic_category().message(errno)));
  }
  ::rmdir(probe.c_str());
}

void write_file_atomically(const fs::path& path, std::string_view bytes, bool overwrite) {
  check_output(path, overwrite);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw UsageError(fmt::format("{}: is a folder, a file is to be written", path.string()));
  }
  const fs::path staging = sibling(path, "writing");
  try {
    write_and_sync(staging, bytes);
    if (::rename(staging.c_str(), path.c_str()) != 0) throw IoError(path.string(), "rename", errno);
  } catch (...) {
    fs::remove(staging, error);
    throw;
  }
  sync_folder(parent_of(path));
}

PendingFolder::PendingFolder(fs::path target, bool overwrite)
    : target_(without_trailing_slash(std::move(target))), staging_(sibling(target_, "writing")) {
  check_output(target_, overwrite);
  std::error_code error;
  fs::remove_all(staging_, error);
  if (!fs::create_directory(staging_, error)) {
    throw IoError(staging_.string(), "create", error.value());
  }
}

PendingFolder::~PendingFolder() {
  std::error_code error;
  if (!committed_) fs::remove_all(staging_, error);
}

void PendingFolder::write(const std::string& name, std::string_view bytes) const {
  write_and_sync(staging_ / name, bytes);
}

void PendingFolder::append(const std::string& name, std::string_view bytes) {
  appended_.insert(name);
  FileDescriptor(staging_ / name, O_WRONLY | O_CREAT | O_APPEND, "create").write(bytes);
}

void PendingFolder::commit() {
  for (const std::string& name : appended_) {
    FileDescriptor(staging_ / name, O_WRONLY, "open").sync();
  }
  sync_folder(staging_);
  // RENAME_EXCHANGE swaps two names in one step, so that there is no moment without a data set.
  if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    std::error_code error;
    fs::remove_all(staging_, error);
  } else if (::rename(staging_.c_str(), target_.c_str()) != 0) {
    throw IoError(target_.string(), "rename", errno);
  }
  committed_ = true;
  sync_folder(parent_of(target_));
}

}  // namespace bermuda
