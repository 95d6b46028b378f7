#include "compact_svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/graph/drawing.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(CompactSvg, KeepsShapesAndDropsTheRest) {
  EXPECT_EQ(compact_svg("<?xml version=\"1.0\"?>\n<!-- Generated -->\n<svg width=\"207pt\"\n "
                        "viewBox=\"0.00 0.00 206.69 184.41\">\n<g id=\"node1\" class=\"node\">\n"
                        "<title>0</title>\n<path d=\"M-33.22,70.29C1,2\"/>\n</g>\n</svg>\n"),
            "<svg width=\"207pt\"  viewBox=\"0.0 0.0 206.6 184.4\"><g class=\"node\">"
            "<path d=\"M-33.2,70.2C1,2\"/></g></svg>");
}

TEST(CompactSvg, UnfinishedPartsStay) {
  EXPECT_EQ(compact_svg("<svg><!-- open</svg>"), "<svg><!-- open</svg>");
  EXPECT_EQ(compact_svg(""), "");
}

TEST(CompactSvg, OfARealDrawing) {
  const Graph graph(4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}});
  const std::string whole = draw_graph(graph, {{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}}, {});
  const std::string compact = compact_svg(whole);
  EXPECT_THAT(compact, StartsWith("<svg"));
  EXPECT_THAT(compact, HasSubstr("class=\"edge witness\""));
  EXPECT_THAT(compact, HasSubstr("class=\"node witness\""));
  EXPECT_THAT(compact, Not(HasSubstr("title")));
  EXPECT_LT(compact.size() * 10, whole.size() * 7);
}

}  // namespace
}  // namespace bermuda
