#pragma once

#include <string_view>

namespace bermuda {

// Names of the two files of a split behind its prefix, "train_" and the like.
inline constexpr std::string_view kSpclEdges = "sp.txt";
inline constexpr std::string_view kSpclClasses = "cl.txt";

}  // namespace bermuda
