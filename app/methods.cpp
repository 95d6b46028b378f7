#include "methods.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/plugin.hpp"
#include "bermuda/method/program_method.hpp"

namespace bermuda::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFoldersVariable = "BERMUDA_PLUGINS";

void build_library(const fs::path& library) {
  const char* builder = std::getenv(kBuilderVariable);
  if (builder == nullptr || *builder == '\0') return;
  const pid_t child = ::fork();
  if (child < 0) throw Error(fmt::format("{}: cannot be started", builder));
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);  // the result alone belongs on standard output
    ::execl(builder, builder, library.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) throw Interrupted("interrupted while the plug-in was being built");
  if (status != 0) throw Error(fmt::format("{} could not be built", library.filename().string()));
}

}  // namespace

std::vector<fs::path> plugin_folders() {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    const fs::path real = fs::canonical(folder);
    if (std::find(folders.begin(), folders.end(), real) == folders.end()) folders.push_back(real);
  };
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / "../plugins", here / BERMUDA_PLUGIN_FOLDER}) {
    if (fs::is_directory(folder, error)) add(folder);
  }
  const char* named = std::getenv(kFoldersVariable);
  for (const std::string_view folder : split_fields(named == nullptr ? "" : named, ':')) {
    if (folder.empty()) continue;
    if (!fs::is_directory(folder, error)) {
      throw UsageError(fmt::format("{}: {} is no folder", kFoldersVariable, in_quotes(folder)));
    }
    add(folder);
  }
  return folders;
}

const MethodRegistry& methods() {
  static const MethodRegistry registry = [] {
    MethodRegistry made;
    register_kernel_methods(made);
    register_program_method(made);
    for (const fs::path& folder : plugin_folders()) register_plugins(made, folder, build_library);
    return made;
  }();
  return registry;
}

}  // namespace bermuda::app
