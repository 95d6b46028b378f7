#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const DataSet data = parse_dgcnn(fuzz::text_of(bytes, size), "fuzz.txt", "fuzz");
    const DataSet back = parse_dgcnn(dgcnn_text(data), "fuzz.txt", "fuzz");
    fuzz::require(back.splits == data.splits && back.class_names == data.class_names);
  });
}
