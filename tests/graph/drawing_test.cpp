#include "bermuda/graph/drawing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <thread>
#include <vector>

#include "graph/random_graphs.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kRed = "#d62728";

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t i = text.find(part); i != text.npos; i = text.find(part, i + 1)) ++count;
  return count;
}

/// Every tag is closed in order, attribute values are quoted, no stray '<' or '&'.
::testing::AssertionResult is_well_formed(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&' && xml.substr(i, 8).find(';') == xml.npos) {
      return ::testing::AssertionFailure() << "stray & at " << i;
    }
    if (xml[i] != '<') continue;
    const bool comment = xml.substr(i).starts_with("<!--");
    const std::size_t end = comment ? xml.find("-->", i) + 2 : xml.find('>', i);
    if (end >= xml.size()) return ::testing::AssertionFailure() << "tag not closed at " << i;
    const std::string tag(xml.substr(i + 1, end - i - 1));
    i = end;
    if (tag[0] == '!' || tag[0] == '?') continue;
    if (occurrences(tag, "\"") % 2 != 0 || tag.find('<') != tag.npos) {
      return ::testing::AssertionFailure() << "bad tag " << tag;
    }
    const std::string name =
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" \n/", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) {
        return ::testing::AssertionFailure() << "unexpected end of " << name;
      }
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  if (!open.empty()) return ::testing::AssertionFailure() << open.back() << " stays open";
  return ::testing::AssertionSuccess();
}

Graph house() {
  return Graph(5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {2, 4}, {3, 4}}, {9, 8, 7, 6, 5});
}
Witness roof() { return {{2, 3, 4}, {{2, 3}, {2, 4}, {3, 4}}}; }

TEST(Drawing, SvgIsWellFormedAndComplete) {
  const std::string svg = draw_graph(house(), {}, {});
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(occurrences(svg, "class=\"node\""), 5u);
  EXPECT_EQ(occurrences(svg, "class=\"edge\""), 6u);
  EXPECT_THAT(svg, HasSubstr(">4</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(kRed)));
}

TEST(Drawing, WitnessIsRed) {
  const std::string svg = draw_graph(house(), roof(), {});
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(occurrences(svg, kRed), 6u);
  EXPECT_EQ(occurrences(svg, "class=\"node witness\""), 3u);
  EXPECT_EQ(occurrences(svg, "class=\"edge witness\""), 3u);
}

TEST(Drawing, NodesShowNumbersOrLabelsOrNothing) {
  DrawingOptions options;
  EXPECT_THAT(draw_graph(house(), {}, options), Not(HasSubstr(">9</text>")));
  options.node_numbers = false;
  EXPECT_THAT(draw_graph(house(), {}, options), HasSubstr(">9</text>"));
  const Graph plain(2, {{0, 1}});
  EXPECT_THAT(draw_graph(plain, {}, options), Not(HasSubstr("</text>")));
}

TEST(Drawing, TitleIsShownLetterByLetter) {
  DrawingOptions options;
  options.title = "a<b & \\N \"x\"\x01";
  const std::string svg = draw_graph(house(), {}, options);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_THAT(svg, HasSubstr("a&lt;b &amp; \\N &quot;x&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("\x01")));
}

TEST(Drawing, TitleMayHaveLines) {
  DrawingOptions options;
  options.title = "first\nsecond";
  const std::string svg = draw_graph(house(), {}, options);
  EXPECT_THAT(svg, HasSubstr(">first</text>"));
  EXPECT_THAT(svg, HasSubstr(">second</text>"));
}

TEST(Drawing, WeightsAreWidths) {
  DrawingOptions options;
  options.edge_weights = {0, 0.1, 0.2, 0.2, 0.05, 0.2};
  const std::string svg = draw_graph(house(), roof(), options);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(occurrences(svg, "class=\"edge witness\""), 3u);
  EXPECT_EQ(occurrences(svg, "stroke-width=\"6\""), 3u);
  EXPECT_EQ(occurrences(svg, "stroke-width=\"3.3\""), 1u);
  EXPECT_EQ(occurrences(svg, "stroke-width=\"1.95\""), 1u);
  EXPECT_EQ(occurrences(svg, "stroke-width=\"0.6\""), 1u);
  // Only how they compare matters; nothing at all is thin.
  for (double& weight : options.edge_weights) weight *= 1000;
  EXPECT_EQ(draw_graph(house(), roof(), options), svg);
  options.edge_weights.assign(6, 0);
  EXPECT_EQ(occurrences(draw_graph(house(), {}, options), "stroke-width=\"0.6\""), 6u);
  options.edge_weights.pop_back();
  EXPECT_THROW(draw_graph(house(), {}, options), Error);
}

TEST(Drawing, PngHasItsMagicBytesAndAnEnd) {
  DrawingOptions options;
  options.format = PictureFormat::kPng;
  const std::string png = draw_graph(house(), roof(), options);
  EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
}

class DrawingLayout : public ::testing::TestWithParam<const char*> {};

TEST_P(DrawingLayout, GivesTheSamePictureEachTime) {
  RandomStream random(13, Purpose::kTest);
  const Graph graph = test::random_graph(random, 12, 0.2);
  for (const PictureFormat format : {PictureFormat::kSvg, PictureFormat::kPng}) {
    const DrawingOptions options{format, GetParam(), "title", true};
    const std::string first = draw_graph(graph, {}, options);
    draw_graph(house(), roof(), options);
    EXPECT_TRUE(draw_graph(graph, {}, options) == first);
  }
}

// Not fdp: it compares addresses of nodes, so that rounding errors differ from call to call.
INSTANTIATE_TEST_SUITE_P(All, DrawingLayout,
                         ::testing::Values("neato", "dot", "sfdp", "circo", "twopi"));

TEST(Drawing, NodesHaveTheColoursOfTheirLabels) {
  const Graph path(3, {{0, 1}, {1, 2}}, {7, 8, 7});
  DrawingOptions options;
  options.node_numbers = false;
  options.node_colours = {0, -1, 0};
  const std::string svg = draw_graph(path, {}, options);
  EXPECT_EQ(occurrences(svg, "class=\"node c0\""), 2u);
  EXPECT_EQ(occurrences(svg, "class=\"node\""), 1u);
  EXPECT_EQ(occurrences(svg, ">7</text>"), 2u);
  options.node_colours.pop_back();
  EXPECT_THROW(draw_graph(path, {}, options), Error);
}

TEST(Drawing, UnknownLayoutIsAnErrorAndPrintsNothing) {
  DrawingOptions options;
  options.layout = "spaghetti";
  ::testing::internal::CaptureStderr();
  std::string message;
  try {
    draw_graph(house(), {}, options);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(message, HasSubstr("'spaghetti'"));
  EXPECT_THAT(message, HasSubstr("neato"));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

TEST(Drawing, WorksAgainAfterAnError) {
  const std::string before = draw_graph(house(), {}, {});
  DrawingOptions options;
  options.layout = "spaghetti";
  EXPECT_THROW(draw_graph(house(), {}, options), Error);
  EXPECT_EQ(draw_graph(house(), {}, {}), before);
}

TEST(Drawing, EmptyGraphAndLoneNodesCanBeDrawn) {
  EXPECT_TRUE(is_well_formed(draw_graph(Graph(), {}, {})));
  EXPECT_EQ(occurrences(draw_graph(Graph(3, {}), {}, {}), "class=\"node\""), 3u);
}

TEST(Drawing, ThreadsMayDrawAtTheSameTime) {
  const std::string expected = draw_graph(house(), roof(), {});
  std::vector<std::string> found(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& svg : found) {
      threads.emplace_back([&] { svg = draw_graph(house(), roof(), {}); });
    }
  }
  for (const std::string& svg : found) EXPECT_EQ(svg, expected);
}

}  // namespace
}  // namespace bermuda
