#pragma once

#include <cstdlib>
#include <filesystem>

namespace bermuda::test {

/// Where the released splits and the TU data sets are, or an empty path. Tests that need them
/// skip, and say so, when it is empty.
inline std::filesystem::path shared_data() {
  const char* named = std::getenv("BERMUDA_SHARED_DATA");
  const std::filesystem::path folder =
      named != nullptr ? named : std::filesystem::path(BERMUDA_SOURCE_DIR) / "../shared/data";
  return std::filesystem::is_directory(folder) ? std::filesystem::canonical(folder)
                                               : std::filesystem::path();
}

}  // namespace bermuda::test

#define BERMUDA_NEED_SHARED_DATA(variable)                             \
  const std::filesystem::path variable = bermuda::test::shared_data(); \
  if (variable.empty()) GTEST_SKIP() << "no shared data: set BERMUDA_SHARED_DATA to its folder"
