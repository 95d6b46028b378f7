#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    FileTexts files = fuzz::split_files(fuzz::text_of(bytes, size));
    const auto labels = files.find("a.labels");
    const DataSet data =
        parse_graph6(files["a.g6"], "a.g6", labels == files.end() ? nullptr : &labels->second,
                     "fuzz", fuzz::any_graphs);
    const DataSet back = parse_graph6(graph6_text(data), "a.g6", nullptr, "fuzz", fuzz::any_graphs);
    fuzz::require(back.splits == data.splits && back.class_names == data.class_names);
  });
}
