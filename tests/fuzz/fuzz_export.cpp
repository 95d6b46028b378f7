// The reader of exported results, and the table that is made of them. Details that are an object
// are packed first, so that an input can be about what is inside.
#include <nlohmann/json.hpp>

#include "bermuda/bench/records.hpp"
#include "bermuda/report/table.hpp"
#include "fuzz.hpp"
#include "packed.hpp"

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string with_packed_details(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("runs") || !json["runs"].is_array()) {
    return std::string(text);
  }
  for (Json& run : json["runs"]) {
    if (!run.is_object() || !run.contains("details") || !run["details"].is_object()) continue;
    run["details"] = bermuda::pack_text(dumped(run["details"]));
  }
  return dumped(json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const Records records = parse_export(with_packed_details(fuzz::text_of(bytes, size)), "fuzz");
    for (const auto& grid : records.grids) {
      table_latex(make_table(records, grid));
      table_text(make_table(records, grid, WhichEpoch::kLast));
    }
    export_csv(records);
    parse_export(dumped(export_json(records)), "fuzz");
  });
}
