#include "bermuda/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "assets.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kAssets =
    std::filesystem::path(BERMUDA_SOURCE_DIR) / "src/report/assets";

std::string between(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t from = text.find(first) + first.size();
  return text.substr(from, text.find(last, from) - from);
}

TEST(ReportPage, AssetsAreEmbeddedByteForByte) {
  EXPECT_EQ(page_skeleton(), read_file(kAssets / "report.html"));
  EXPECT_EQ(page_style(), read_file(kAssets / "report.css"));
  std::string script;
  for (const char* name :
       {"base.js", "charts.js", "tables.js", "figures.js", "gallery.js", "cards.js", "report.js"}) {
    script += read_file(kAssets / name);
  }
  EXPECT_EQ(page_script(), script);
}

TEST(ReportPage, ModelComesBackAsItWas) {
  const ordered_json model = {{"title", "a </script><!-- \"title\" @style@ \u00e4"},
                              {"runs", {1, 2}}};
  const std::string page = report_page(model);
  const std::string inside = between(page, "id=\"model\">", "</script>");
  EXPECT_THAT(inside, Not(HasSubstr("<")));
  EXPECT_EQ(ordered_json::parse(inside), model);
}

TEST(ReportPage, BrokenTextDoesNotStopTheReport) {
  const std::string page = report_page({{"title", "latin \xe4"}});
  EXPECT_EQ(ordered_json::parse(between(page, "id=\"model\">", "</script>"))["title"],
            "latin \xef\xbf\xbd");
}

TEST(ReportPage, FetchesNothing) {
  const std::string page = report_page(ordered_json::object());
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("url(")));
}

// What the browser test opens: all parts, hardly any, none.
TEST(ReportPage, WritesThePagesOfTheBrowserTest) {
  const std::filesystem::path tests = std::filesystem::path(BERMUDA_SOURCE_DIR) / "tests/report";
  ordered_json model = ordered_json::parse(read_file(tests / "sample_model.json"));
  const std::filesystem::path folder = BERMUDA_REPORT_PAGES;
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "sample.html", report_page(model), true);
  write_file_atomically(folder / "empty.html", report_page(ordered_json::object()), true);
  for (const char* part : {"comparisons", "breakdowns", "gallery", "settings"}) model.erase(part);
  model["tables"][0]["paper"] = nullptr;
  model["tables"].erase(1);
  for (ordered_json& row : model["tables"][0]["rows"]) {
    for (ordered_json& cell : row["cells"]) {
      if (cell.is_null()) continue;
      for (const char* key : {"paper", "difference", "sd", "low", "high"}) cell[key] = nullptr;
    }
  }
  for (ordered_json& run : model["runs"]) run.erase("curve");
  for (ordered_json& card : model["data"]) card["filter"] = card["audit"] = nullptr;
  write_file_atomically(folder / "partial.html", report_page(model), true);
}

}  // namespace
}  // namespace bermuda
