#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const FileTexts files = fuzz::split_files(fuzz::text_of(bytes, size));
    const DataSet data = parse_spcl(files, "fuzz", "fuzz", fuzz::any_graphs);
    fuzz::require(parse_spcl(spcl_files(data), "fuzz", "fuzz", fuzz::any_graphs).size() ==
                  data.size());
  });
}
