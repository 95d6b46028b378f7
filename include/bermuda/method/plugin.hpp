#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bermuda/core/version.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// A plug-in is a shared library NAME.so with a sidecar NAME.methods.json beside it:
///
///   {"methods": [{"name": "gcn", "summary": "Graph convolutions, 4 layers"}]}
///
/// The sidecar tells names and summaries, so that listing the methods loads no library: LibTorch
/// alone takes half a second. A member "from" beside "methods" may say where the library comes
/// from, e.g. "the Debian package bermuda-neural", for when it is missing.
///
/// Adds the methods of every sidecar of the folder, in the order of the file names. A library is
/// loaded when the first of its methods is made, and stays loaded. Throws UsageError when the
/// folder does not exist or a name is taken, InputError for a broken sidecar. MethodInfo::make
/// throws InputError when the library is missing, cannot be loaded, is no plug-in, was made for
/// another version of bermuda, or lacks the method. When the library is missing,
/// `make_library` is called first with its path, and may build it.
using MakeLibrary = std::function<void(const std::filesystem::path& library)>;
void register_plugins(MethodRegistry& registry, const std::filesystem::path& folder,
                      const MakeLibrary& make_library = {});

/// What the sidecar and the library say differently of the methods' names and summaries, one line
/// each; empty when they agree. For the tests of a plug-in. Throws as register_plugins().
std::vector<std::string> check_plugin(const std::filesystem::path& sidecar);

}  // namespace bermuda

/// Defines what the library of a plug-in must export, once per library:
///
///   BERMUDA_PLUGIN(registry) { registry.add({"mine", "What it does", make_mine}); }
#define BERMUDA_PLUGIN(registry)                                                           \
  extern "C" __attribute__((visibility("default"))) const char* bermuda_plugin_version() { \
    return bermuda::kVersion.data();                                                       \
  }                                                                                        \
  extern "C" __attribute__((visibility("default"))) void bermuda_register_methods(         \
      bermuda::MethodRegistry& registry)
