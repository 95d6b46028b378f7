// The reader of bench's configurations.
#include "bermuda/bench/grid.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    Grid grid = parse_grid(fuzz::text_of(bytes, size), "fuzz");
    keep_only(grid, "t*");
  });
}
