#include "fuzz.hpp"
#include "native.hpp"

// Checksums would stop every mutated file at the door, so differences are collected, not thrown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const FileTexts files = fuzz::split_files(fuzz::text_of(bytes, size));
    std::vector<std::string> problems;
    const DataSet data = parse_native(files, "fuzz", &problems, fuzz::any_graphs);
    const DataSet back = parse_native(native_files(data), "fuzz", nullptr, fuzz::any_graphs);
    fuzz::require(back.splits == data.splits && back.provenance == data.provenance);
  });
}
