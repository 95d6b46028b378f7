// The reader of exported results, and the table that is made of them.
#include "bermuda/bench/records.hpp"
#include "bermuda/report/table.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const Records records = parse_export(fuzz::text_of(bytes, size), "fuzz");
    for (const auto& grid : records.grids) table_latex(make_table(records, grid));
    export_csv(records);
  });
}
