#pragma once

#include <filesystem>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda::app {

/// ../plugins beside the program's folder (a build tree), the folder of an installed program's
/// plug-ins, and the folders of BERMUDA_PLUGINS.
std::vector<std::filesystem::path> plugin_folders();

/// All methods that the program knows: its own and those of the plug-ins in plugin_folders(). Made
/// at the first call, for commands that need no method shall not suffer from a broken plug-in.
const MethodRegistry& methods();

}  // namespace bermuda::app
