#pragma once

#include <string_view>

namespace bermuda {

/// Written into every manifest; CMakeLists.txt carries the same number and a test compares them.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace bermuda
