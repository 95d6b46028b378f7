#include "report_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>

#include "bermuda/report/page.hpp"

namespace bermuda::app {

std::string report_of(const std::string& file, const Records& records, ReportOptions options,
                      const Execution& execution) {
  options.made = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  options.source = std::filesystem::path(file).filename().string();
  std::optional<Store> store;
  if (std::ifstream(file).peek() != '{') store.emplace(file, Store::Mode::kRead);
  return report_page(collect_model(records, store ? &*store : nullptr, options, execution));
}

}  // namespace bermuda::app
