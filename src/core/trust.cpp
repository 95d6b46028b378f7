#include "bermuda/core/trust.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

struct stat look_at(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw IoError(path.string(), "look at", errno);
  return status;
}

bool is_stranger(uid_t owner) {
  if (owner == 0 || owner == ::geteuid()) return false;
  struct stat program {};
  return ::stat("/proc/self/exe", &program) != 0 || program.st_uid != owner;
}

void refuse_writable(const fs::path& path) {
  throw UsageError(
      fmt::format("{}: everybody may write there, so no code is loaded from it ('chmod o-w {}' "
                  "allows it)",
                  path.string(), path.string()));
}

void check_owner_and_mode(const fs::path& path) {
  const struct stat status = look_at(path);
  if ((status.st_mode & S_IWOTH) != 0) refuse_writable(path);
  if (is_stranger(status.st_uid)) {
    throw UsageError(
        fmt::format("{}: belongs to another user (number {}), so no code is loaded from it (a copy "
                    "of your own allows it)",
                    path.string(), status.st_uid));
  }
}

}  // namespace

void check_trusted(const fs::path& file) {
  const fs::path real = fs::canonical(file);
  check_owner_and_mode(real);
  check_owner_and_mode(real.parent_path());
  for (fs::path above = real.parent_path(); above != above.root_path();) {
    above = above.parent_path();
    const mode_t mode = look_at(above).st_mode;
    if ((mode & S_IWOTH) != 0 && (mode & S_ISVTX) == 0) refuse_writable(above);
  }
}

}  // namespace bermuda
