#pragma once

#include "bermuda/method/method.hpp"

namespace bermuda::app {

/// All methods that the program knows: its own and those of the plug-ins in ../plugins and
/// ../lib/bermuda/plugins beside the program's folder and in the folders of BERMUDA_PLUGINS. Made
/// at the first call, for commands that need no method shall not suffer from a broken plug-in.
const MethodRegistry& methods();

}  // namespace bermuda::app
