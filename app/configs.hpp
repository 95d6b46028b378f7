#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bermuda::app {

/// The configurations that come with the program, by name, in the order of the alphabet.
std::vector<std::string> config_names();

/// A file, or the file of one of config_names(). Throws UsageError when it is neither.
std::filesystem::path find_config(const std::string& name);

}  // namespace bermuda::app
