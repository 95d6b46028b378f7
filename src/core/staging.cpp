#include "staging.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMiddle = ".writing-";
constexpr std::size_t kLongestTarget = 200;  // of the 255 bytes that a name may have
constexpr int kAttempts = 100;

/// ".TARGET.writing-"
std::string first_part(std::string_view target) {
  return fmt::format(".{}{}", target.substr(0, kLongestTarget), kMiddle);
}

std::string new_name(std::string_view target) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) {
    number = static_cast<std::uint64_t>(::getpid());  // O_EXCL still guards it
  }
  return fmt::format("{}{:016x}", first_part(target), number);
}

// The descriptor of a folder that is being listed is not ours to close.
void remove_files_in(int folder) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = copy < 0 ? nullptr : ::fdopendir(copy);
  if (list == nullptr) {
    if (copy >= 0) ::close(copy);
    return;
  }
  while (const dirent* entry = ::readdir(list)) ::unlinkat(folder, entry->d_name, 0);
  ::closedir(list);
}

// Nothing but plain files is in a folder of ours.
bool has_only_files(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    if (!fs::is_regular_file(entry->symlink_status(gone))) return false;
  }
  return !error;
}

// A leftover is ours, a plain file or a folder of such, and nobody holds its lock.
void remove_if_left(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return;
  if (S_ISDIR(status.st_mode) ? !has_only_files(path) : !S_ISREG(status.st_mode)) return;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  // Where folders cannot be locked, as on NFS, nobody can tell, and they stay.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) remove_flat(path);
  ::close(descriptor);
}

}  // namespace

Staging::Staging(const fs::path& target, Kind kind) {
  const fs::path parent = target.parent_path();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    path_ = parent / new_name(target.filename().string());
    if (create(kind)) return;
  }
  throw IoError(path_.string(), "create", EEXIST);
}

Staging::~Staging() {
  remove_flat(path_);
  ::close(descriptor_);
}

/// False when the name is taken, or when somebody who tidies up was quicker than our lock.
bool Staging::create(Kind kind) {
  constexpr int kFlags = O_NOFOLLOW | O_CLOEXEC;
  if (kind == Kind::kFolder) {
    if (::mkdir(path_.c_str(), 0777) == 0) {
      descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | kFlags);
      if (descriptor_ < 0 && errno == ENOENT) return false;
    }
  } else {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | kFlags, 0666);
  }
  if (descriptor_ < 0) {
    if (errno == EEXIST) return false;
    throw IoError(path_.string(), "create", errno);
  }
  const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status {};
  if (!taken && ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return true;
  ::close(descriptor_);
  descriptor_ = -1;
  return false;
}

bool is_staging_name(std::string_view name, std::string_view target) {
  const std::size_t middle = name.rfind(kMiddle);
  if (!name.starts_with('.') || middle == name.npos || middle == 0) return false;
  const std::string_view number = name.substr(middle + kMiddle.size());
  const bool is_number = !number.empty() && std::ranges::all_of(number, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  return is_number &&
         (target.empty() || name.substr(0, name.size() - number.size()) == first_part(target));
}

void remove_flat(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) {
    ::unlink(path.c_str());
    return;
  }
  remove_files_in(folder);
  ::close(folder);
  ::rmdir(path.c_str());
}

void remove_leftovers(const fs::path& folder, std::string_view target) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_staging_name(entry->path().filename().string(), target)) remove_if_left(entry->path());
  }
}

}  // namespace bermuda
