#include "owner_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>

#include "bermuda/bench/records.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/run/process.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

std::string new_name() {
  return fmt::format("{}-{}-{}", host_name(), ::getpid(),
                     std::chrono::system_clock::now().time_since_epoch().count());
}

bool is_alive(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return !free;
}

/// For those who may only read: who may not even do that cannot tell that it is dead.
bool seems_alive(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno != ENOENT;
  const bool free = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  ::close(descriptor);
  return !free;
}

/// A store may be somebody else's: what it says is no path to any other place.
bool is_owner_name(const std::string& owner) {
  return !owner.empty() && owner != ".." && owner.find('/') == owner.npos;
}

}  // namespace

OwnerLock::OwnerLock(const fs::path& folder) : name_(new_name()) {
  fs::create_directories(folder);
  file_ = folder / name_;
  // Under its name it is never seen without the lock, or others would take us for dead.
  const fs::path unlocked = folder / ("." + name_);
  descriptor_ = ::open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError(unlocked.string(), "create", errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) throw IoError(unlocked.string(), "lock", errno);
  if (::rename(unlocked.c_str(), file_.c_str()) != 0)
    throw IoError(file_.string(), "rename", errno);
}

OwnerLock::~OwnerLock() {
  std::error_code error;
  fs::remove(file_, error);
  ::close(descriptor_);
}

int others_alive(const fs::path& folder, const std::string& name) {
  int count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string other = entry.path().filename().string();
    if (other == name || other.starts_with('.')) continue;
    if (is_alive(entry.path())) {
      ++count;
    } else {
      fs::remove(entry.path(), error);
    }
  }
  return count;
}

void release_dead(Store& store, const fs::path& folder) {
  std::error_code error;
  for (const std::string& owner : store.owners()) {
    const bool is_name = is_owner_name(owner);
    if (is_name && is_alive(folder / owner)) continue;
    store.release_all(owner);
    if (is_name) fs::remove(folder / owner, error);
  }
}

void release_dead(Records& records, const fs::path& work) {
  for (auto& [id, run] : records.runs) {
    if (run.state != RunState::kRunning || run.owner.empty()) continue;  // a file names no owners
    if (is_owner_name(run.owner) && seems_alive(work / "owners" / run.owner)) continue;
    run.state = RunState::kWaiting;
  }
}

}  // namespace bermuda
