#pragma once

#include <filesystem>
#include <string>

#include "bermuda/bench/store.hpp"

namespace bermuda {

/// Says that a process lives: a file that it keeps locked. The lock goes with the process, however
/// that ends, so that others can tell whose claims are void.
class OwnerLock {
 public:
  explicit OwnerLock(const std::filesystem::path& folder);
  ~OwnerLock();
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::filesystem::path file_;
  std::string name_;
  int descriptor_ = -1;
};

/// How many live processes but `name` have a lock there; files of dead ones are removed.
int others_alive(const std::filesystem::path& folder, const std::string& name);

/// Gives back the runs that dead processes had claimed.
void release_dead(Store& store, const std::filesystem::path& folder);

}  // namespace bermuda
