#include "bermuda/graph/graph6.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const Graph graph = decode_graph6(fuzz::text_of(bytes, size));
    fuzz::require(decode_graph6(encode_graph6(graph)) == graph);
  });
}
