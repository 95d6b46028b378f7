#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const DataSet data = parse_graphml(fuzz::split_files(fuzz::text_of(bytes, size)), "fuzz",
                                       "fuzz", fuzz::any_graphs);
    const DataSet back = parse_native(native_files(data), "fuzz", nullptr, fuzz::any_graphs);
    fuzz::require(back.splits == data.splits && back.class_names == data.class_names);
  });
}
