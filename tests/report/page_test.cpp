#include "bermuda/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "assets.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/report/audit_page.hpp"
#include "bermuda/report/table_maps.hpp"

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
  for (const char* name : {"base.js", "charts.js", "tables.js", "figures.js", "gallery.js",
                           "cards.js", "frame.js", "report.js"}) {
    script += read_file(kAssets / name);
  }
  EXPECT_EQ(page_script(), script);
  script.clear();
  for (const char* name : {"base.js", "charts.js", "gallery.js", "frame.js", "audit.js"}) {
    script += read_file(kAssets / name);
  }
  EXPECT_EQ(audit_script(), script);
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

TEST(AuditPage, HoldsTheAuditAndItsPictures) {
  AuditReport report;
  report.name = "a </script> name";
  report.classes = {"0", "1"};
  report.class_counts = {3, 4};
  TellingFeature triangle{.words = "triangle", .speaks = "for 1"};
  triangle.graphs = {0, 4};
  triangle.mean = {0, 1.5};
  triangle.picture = Graph(3, {{0, 1}, {0, 2}, {1, 2}});
  report.telling = {{"graphlets-3", {triangle, {.words = "number of nodes", .speaks = "for 0"}}}};
  const std::string page = audit_page(report);
  EXPECT_THAT(page, HasSubstr("<title>Bermuda audit</title>"));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  const ordered_json model = ordered_json::parse(between(page, "id=\"model\">", "</script>"));
  EXPECT_EQ(model["audit"]["name"], report.name);
  const ordered_json& features = model["audit"]["telling"][0]["features"];
  EXPECT_THAT(features[0]["svg"].get<std::string>(), HasSubstr("<svg"));
  EXPECT_EQ(features[1]["svg"], "");
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

/// Runs of a method on data of six classes, each with a curve of few epochs.
ordered_json six_class_run(const std::string& method, int fold, std::size_t step) {
  ordered_json confusion = ordered_json::array();
  for (std::size_t truth = 0; truth < 6; ++truth) {
    std::vector<std::size_t> row(6);
    for (std::size_t said = 0; said < 6; ++said) row[said] = truth == said ? 640 : step * said;
    confusion.push_back(row);
  }
  ordered_json curve = ordered_json::object();
  for (const int epoch : {1, 2, 3, 4}) {
    curve["epoch"].push_back(epoch);
    for (const char* column :
         {"train_loss", "train_accuracy", "validation_loss", "validation_accuracy"}) {
      curve[column].push_back(0.1 * epoch);
    }
  }
  return {{"data", "enzymes"},
          {"method", method},
          {"fold", fold},
          {"seed", 1},
          {"epochs", 4},
          {"best_epoch", 4},
          {"accuracy", 0.5},
          {"macro_f1", 0.5},
          {"positive_f1", 0},
          {"seconds", 1},
          {"host", "h"},
          {"error", nullptr},
          {"last", nullptr},
          {"curve", curve},
          {"options", ordered_json::object()},
          {"chosen", ordered_json::object()},
          {"confusion", confusion},
          {"validation_accuracy", 0.4}};
}

// Six classes, nodes with labels, no paper beside it.
TEST(ReportPage, WritesAPageOfSixClassesForTheBrowserTest) {
  const auto cell = [](double mean, const char* mark) {
    return ordered_json{{"mean", mean},
                        {"sd", 1.0},
                        {"low", mean - 4},
                        {"high", mean + 4},
                        {"runs",
                         {{{"fold", 0}, {"seed", 1}, {"figure", mean - 1}},
                          {{"fold", 1}, {"seed", 1}, {"figure", mean + 1}}}},
                        {"paper", nullptr},
                        {"difference", nullptr},
                        {"mark", mark},
                        {"one_class", 0},
                        {"failed", 0},
                        {"taken_from", nullptr}};
  };
  ordered_json model = {{"title", "Six classes"},
                        {"findings", {"On enzymes, svm-wl is the best."}}};
  model["tables"].push_back({{"title", "Six"},
                             {"metric", "accuracy"},
                             {"metric_name", "test accuracy, %"},
                             {"epoch", "kept"},
                             {"paper", nullptr},
                             {"columns", {"enzymes"}},
                             {"one_class", {16.7}},
                             {"notes", ordered_json::array()},
                             {"rows",
                              {{{"method", "svm-wl"}, {"cells", {cell(46.7, "best")}}},
                               {{"method", "svm-labels"}, {"cells", {cell(24.2, "")}}}}}});
  for (const int fold : {0, 1}) {
    model["runs"].push_back(six_class_run("svm-wl", fold, 11));
    model["runs"].push_back(six_class_run("svm-labels", fold, 170));
  }
  const std::string svg =
      "<svg viewBox=\"0 0 40 20\" xmlns=\"http://www.w3.org/2000/svg\"><g class=\"node "
      "c0\"><ellipse "
      "cx=\"10\" cy=\"10\" rx=\"8\" ry=\"8\" fill=\"#fff\"/><text x=\"10\" "
      "y=\"13\">3</text></g></svg>";
  model["data"].push_back(
      {{"name", "enzymes"},
       {"classes", {"0", "1", "2", "3", "4", "a long name"}},
       {"node_labels", {{{"label", 3}, {"colour", 0}}, {{"label", 9}, {"colour", nullptr}}}},
       {"examples", {{{"class", "0"}, {"svg", svg}}}}});
  model["gallery"].push_back({{"data", "enzymes"},
                              {"method", "svm-wl"},
                              {"fold", 0},
                              {"wrong", 1},
                              {"tested", 2},
                              {"graphs",
                               {{{"id", "E1"},
                                 {"truth", "0"},
                                 {"said", "2"},
                                 {"nodes", 1},
                                 {"edges", 0},
                                 {"svg", svg}}}}});
  const std::filesystem::path folder = BERMUDA_REPORT_PAGES;
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "six.html", report_page(model), true);
}

TEST(ReportPage, WritesAPageOfWhatWasAskedForTheBrowserTest) {
  ResultTable table;
  table.title = "Asked";
  table.columns = {"one", "other"};
  table.one_class = {50, 50};
  table.asked = {{"again", AskedColumn::Kind::kRenumbered}, {"twins", AskedColumn::Kind::kPairs}};
  for (const char* method : {"gin+d", "svm-wl"}) {
    TableRow& row = table.rows.emplace_back();
    row.name = method;
    for (const double mean : {90.0, 80.0}) {
      TableCell& cell = row.cells.emplace_back();
      cell.runs = {{0, 1, mean}};
      cell.mean = mean;
      cell.deviation = std::nan("");
      cell.low = mean - 4;
      cell.high = mean + 4;
      const bool first = mean == 90;
      cell.asked = {AskedFigure{1, first ? 10.0 : 0.0, std::nan(""), 5, 15, mean}, {}};
      if (first) cell.asked[1] = AskedFigure{1, 50, std::nan(""), 40, 60, 75};
    }
  }
  ordered_json model = {{"title", "Asked"}, {"tables", {table_json(table)}}};
  for (const HeatMap& map : table_maps(table)) {
    model["tables"][0]["maps"].push_back({{"title", map.title}, {"svg", heat_map_svg(map)}});
  }
  const std::filesystem::path folder = BERMUDA_REPORT_PAGES;
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "asked.html", report_page(model), true);
}

}  // namespace
}  // namespace bermuda
