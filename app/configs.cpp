#include "configs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/nearest.hpp"
#include "worker_program.hpp"

namespace bermuda::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnd = ".toml";

/// Those that exist: beside the program as it is built, and as it is installed.
std::vector<fs::path> config_folders() {
  const fs::path program = program_path().parent_path();
  std::vector<fs::path> folders = {program / "../configs", program / BERMUDA_CONFIG_FOLDER};
  std::error_code error;
  std::erase_if(folders, [&](const fs::path& folder) { return !fs::is_directory(folder, error); });
  return folders;
}

}  // namespace

std::vector<std::string> config_names() {
  std::vector<std::string> names;
  for (const fs::path& folder : config_folders()) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == kEnd) names.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

fs::path find_config(const std::string& name) {
  std::error_code error;
  if (fs::is_regular_file(name, error)) return name;
  if (name.find('/') != name.npos) check_regular_file(name);
  for (const fs::path& folder : config_folders()) {
    if (fs::is_regular_file(folder / (name + kEnd), error)) return folder / (name + kEnd);
  }
  throw UsageError(fmt::format("{}: no such file, and no such configuration{}", in_quotes(name),
                               did_you_mean_or_all(name, config_names())));
}

}  // namespace bermuda::app
