// The reader of a plug-in's sidecar. There is no library beside it, and none is loaded.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bermuda/method/plugin.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  static const std::filesystem::path folder = [] {
    const auto made = std::filesystem::temp_directory_path() /
                      ("bermuda-fuzz-sidecar-" + std::to_string(::getpid()));
    std::filesystem::create_directories(made);
    return made;
  }();
  std::ofstream(folder / "fuzz.methods.json", std::ios::binary) << fuzz::text_of(bytes, size);
  return fuzz::run([&] {
    MethodRegistry registry;
    register_plugins(registry, folder);
    for (const MethodInfo& info : registry.all()) fuzz::require(!info.name.empty());
  });
}
