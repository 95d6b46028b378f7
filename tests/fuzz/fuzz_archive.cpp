#include <filesystem>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  const ArchiveLimits limits{1 << 20, 100};
  return fuzz::run([&] {
    const FileTexts files = parse_archive(fuzz::text_of(bytes, size), "fuzz.zip", limits);
    std::size_t total = 0;
    for (const auto& [name, text] : files) {
      total += text.size();
      const std::filesystem::path path(name);
      fuzz::require(!path.is_absolute());
      for (const std::filesystem::path& part : path) fuzz::require(part != "..");
    }
    fuzz::require(total <= limits.max_bytes && files.size() <= limits.max_files);
    parse_tu(files, "fuzz.zip");
  });
}
