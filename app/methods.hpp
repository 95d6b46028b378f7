#pragma once

#include <filesystem>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda::app {

/// ../plugins beside the program's folder (a build tree), the folder of an installed program's
/// plug-ins, and the folders of BERMUDA_PLUGINS.
std::vector<std::filesystem::path> plugin_folders();

/// A program that is given the path of a plug-in's library that is missing. In a checkout the
/// launcher names one that builds the neural methods, so that nobody waits for LibTorch who does
/// not name them.
inline constexpr const char* kBuilderVariable = "BERMUDA_PLUGIN_BUILDER";

/// All methods that the program knows: its own and those of the plug-ins in plugin_folders(). Made
/// at the first call, for commands that need no method shall not suffer from a broken plug-in.
const MethodRegistry& methods();

}  // namespace bermuda::app
