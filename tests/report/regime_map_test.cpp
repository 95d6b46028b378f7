#include "bermuda/report/regime_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/generate/task.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;

/// Right up to so many nodes, wrong beyond.
RegimeMap map_of(const std::string& name, int right_up_to, const RegimeGrid& grid,
                 const char* task = "triangles") {
  const RegimeGraphs graphs = make_regime_graphs(*make_task(task), grid, 1, 20, {});
  std::vector<int> labels;
  for (const Sample* sample : graphs.data.all()) {
    const bool right = sample->graph.node_count() <= right_up_to;
    labels.push_back(right ? sample->label : 1 - sample->label);
  }
  RegimeMap map = measure_regimes(graphs, grid, labels, {.nodes = {{8, 12}}, .degree = {{1, 2.4}}});
  map.name = name;
  map.relabelling = 0.125;
  return map;
}

const RegimeGrid kGrid{.nodes = {8, 12, 16}, .degrees = {2, 3}};

TEST(RegimeMap, CountsFieldByField) {
  const RegimeMap map = map_of("half", 12, kGrid);
  ASSERT_EQ(map.cells.size(), 6U);
  EXPECT_EQ(map.cells[0].right[0] + map.cells[0].right[1], 20U);
  EXPECT_EQ(map.cells[0].graphs[0], 10U);
  EXPECT_EQ(map.cells[2].accuracy(), 0);
  EXPECT_TRUE(map.cells[0].trained);
  EXPECT_FALSE(map.cells[2].trained);  // larger
  EXPECT_FALSE(map.cells[3].trained);  // denser
  EXPECT_EQ(map.accuracy_inside(), 1);
  EXPECT_LT(*map.accuracy_outside(), 0.8);
}

// Five of six distances are of class 1: who says that of all graphs knows nothing.
TEST(RegimeMap, FieldsOfOneClassDoNotRewardGuessing) {
  const RegimeGrid grid{.nodes = {24}, .distances = {3, 4, 5, 6, 7, 8}};
  const RegimeGraphs graphs = make_regime_graphs(*make_task("clique-distance"), grid, 1, 20, {});
  const std::vector<int> ones(graphs.data.all().size(), 1);
  const RegimeMap map = measure_regimes(graphs, grid, ones, {.nodes = {{8, 12}}});
  EXPECT_TRUE(map.has_fields_of_one_class());
  EXPECT_EQ(map.accuracy_outside(), 0.5);
  EXPECT_THAT(regimes_text({&map, 1}), HasSubstr("means count both classes the same"));
  EXPECT_FALSE(map_of("half", 12, kGrid).has_fields_of_one_class());
}

TEST(RegimeMap, SaysTheSameInJsonTextAndPicture) {
  const std::vector<RegimeMap> maps = {map_of("half", 12, kGrid)};
  const auto json = to_json(maps[0]);
  EXPECT_EQ(json["cells"][0]["nodes"], 8);
  EXPECT_EQ(json["cells"][0]["accuracy"], 1.0);
  EXPECT_NEAR(json["cells"][0]["interval"][0].get<double>(), 0.839, 1e-3);
  EXPECT_EQ(json["relabelling_sensitivity"], 0.125);
  const std::string text = regimes_text(maps);
  EXPECT_THAT(text, HasSubstr("half on triangles: accuracy in per cent"));
  EXPECT_THAT(text, HasSubstr(" 100.0* 100.0*   0.0"));
  EXPECT_THAT(text, HasSubstr("renumbered: 12.5 %"));
  const std::vector<HeatMap> heat = heat_maps(maps[0]);
  ASSERT_EQ(heat.size(), 1U);
  EXPECT_EQ(heat[0].rows, (std::vector<std::string>{"3", "2"}));  // dense on top
  EXPECT_EQ(heat[0].cells[1][0].text, "100");
  EXPECT_TRUE(heat[0].cells[1][0].marked);
  EXPECT_THAT(heat[0].cells[1][2].hover, HasSubstr("never shown in training"));
}

TEST(RegimeMap, ThreeAxesArePicturesByDegree) {
  const RegimeGrid grid{.nodes = {20, 24}, .degrees = {2.5, 3.5}, .distances = {3, 5}};
  const RegimeMap map = map_of("all", 100, grid, "clique-distance");
  const std::vector<HeatMap> heat = heat_maps(map);
  ASSERT_EQ(heat.size(), 2U);
  EXPECT_EQ(heat[0].row_axis, "distance");
  EXPECT_EQ(heat[0].low, 0);  // one class in a field
  EXPECT_THAT(heat[1].cells[0][0].hover, HasSubstr("distance 5"));
  EXPECT_THAT(heat[1].cells[0][0].hover, HasSubstr("mean degree 3 to 4"));
}

TEST(RegimeMap, AnswersMustBeAsMany) {
  const RegimeGraphs graphs = make_regime_graphs(*make_task("triangles"), {.nodes = {8}}, 1, 2, {});
  EXPECT_THROW(measure_regimes(graphs, {.nodes = {8}}, std::vector<int>{1}, {}), Error);
}

// For the browser: two models, a field without graphs.
TEST(ReportPage, WritesRegimes) {
  const RegimeGrid grid{.nodes = {8, 12, 16, 24}, .degrees = {2, 3, 9}};
  const std::vector<RegimeMap> maps = {map_of("small only", 12, grid),
                                       map_of("all </script>", 99, grid)};
  const std::string page = regimes_page(maps);
  EXPECT_THAT(page, HasSubstr("<title>Bermuda regimes</title>"));
  EXPECT_THAT(page, Not(HasSubstr("all </script>")));
  const std::filesystem::path folder = BERMUDA_REPORT_PAGES;
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "regimes.html", page, true);
}

}  // namespace
}  // namespace bermuda
