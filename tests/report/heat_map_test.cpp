#include "bermuda/report/heat_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

HeatMap small_map() {
  HeatMap map{.title = "gin+d", .row_axis = "mean degree", .column_axis = "nodes"};
  map.rows = {"4", "2"};
  map.columns = {"8", "16", "24"};
  map.cells = {{{0.5, "50", "at chance", true}, {1.0, "100", "all right", true}, {}},
               {{0.7, "70", "a <b> & \"c\"", false},
                {{}, "-", "no graph: too small", false},
                {0.9, "90", "two\nlines", false}}};
  map.low = 0.5;
  map.scale = "accuracy";
  map.low_text = "50 %";
  map.high_text = "100 %";
  map.mark_text = "as in training";
  return map;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(HeatMap, HasAFieldPerRowAndColumn) {
  const std::string svg = heat_map_svg(small_map());
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns="));
  EXPECT_EQ(count(svg, "<g class=\"cell\">"), 4U);
  EXPECT_EQ(count(svg, "<g class=\"cell none\">"), 2U);
  EXPECT_EQ(count(svg, "<title>"), 5U);
  EXPECT_THAT(svg, HasSubstr("<title>two\nlines</title>"));
  EXPECT_THAT(svg, HasSubstr("as in training"));
}

TEST(HeatMap, TextStaysText) {
  const std::string svg = heat_map_svg(small_map());
  EXPECT_THAT(svg, HasSubstr("a &lt;b&gt; &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
}

TEST(HeatMap, ColoursGoFromDarkToLightAndStop) {
  EXPECT_EQ(heat_colour(0), "#00204d");
  EXPECT_EQ(heat_colour(1), "#ffea46");
  EXPECT_EQ(heat_colour(-3), heat_colour(0));
  EXPECT_EQ(heat_colour(7), heat_colour(1));
  EXPECT_THAT(heat_map_svg(small_map()), HasSubstr("fill=\"#00204d\"/><text"));
}

// Two marked fields side by side: six lines around both, none between them.
TEST(HeatMap, MarkedFieldsAreFramedTogether) {
  const std::string svg = heat_map_svg(small_map());
  const std::size_t from = svg.find("<path class=\"frame\"");
  ASSERT_NE(from, svg.npos);
  EXPECT_EQ(count(svg.substr(from, svg.find("/>", from) - from), "L"), 6U);
}

TEST(HeatMap, CellsMustBeThere) {
  HeatMap map = small_map();
  map.cells[1].pop_back();
  EXPECT_THROW(heat_map_svg(map), Error);
  EXPECT_THROW(heat_map_svg({}), Error);
}

}  // namespace
}  // namespace bermuda
