#include "bermuda/dataset/graph_pairs.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const DataSet data = parse_pairs(fuzz::text_of(bytes, size), "a.tsv", "fuzz", fuzz::any_graphs);
    // Whatever was read are pairs, and our own format carries them.
    fuzz::require(2 * pairs_of(data).pairs.size() == data.size());
    const DataSet back = parse_native(native_files(data), "", nullptr, fuzz::any_graphs);
    fuzz::require(back.splits == data.splits && has_pairs(back));
  });
}
