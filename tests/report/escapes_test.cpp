#include "escapes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bermuda {
namespace {

TEST(Escapes, OrdinaryNamesStayAsTheyAre) {
  for (const char* name : {"svm-wl", "gin+d", "p < 0.05", "a_b", "R & D", "ä ± 1"}) {
    EXPECT_EQ(escaped_markdown(name), name);
    EXPECT_EQ(markdown_code(name), "`" + std::string(name) + "`");
  }
  EXPECT_EQ(escaped_latex("svm-wl on D1"), "svm-wl on D1");
}

TEST(Escapes, MarkdownMeansItself) {
  EXPECT_EQ(escaped_markdown("a|b"), "a\\|b");
  EXPECT_EQ(escaped_markdown("a\\|b"), "a\\\\\\|b");
  EXPECT_EQ(escaped_markdown("<b>&lt;"), "\\<b>\\&lt;");
  EXPECT_EQ(escaped_markdown("*x* _y_ `z` [u](v) ~w~ $m$"),
            "\\*x\\* \\_y\\_ \\`z\\` \\[u\\](v) \\~w\\~ \\$m\\$");
  EXPECT_EQ(escaped_markdown("# a"), "\\# a");
  EXPECT_EQ(escaped_markdown("12. a"), "12\\. a");
  EXPECT_EQ(escaped_markdown("- a"), "\\- a");
  EXPECT_EQ(escaped_markdown("    a\n\nb"), "a  b");
  EXPECT_EQ(markdown_code("a`b"), "a\\`b");
  EXPECT_EQ(markdown_code("a|b"), "a\\|b");
}

TEST(Escapes, LatexMeansItself) {
  EXPECT_EQ(escaped_latex("\\input{x}"), "\\textbackslash{}input\\{x\\}");
  EXPECT_EQ(escaped_latex("a&b%c$d#e_f"), "a\\&b\\%c\\$d\\#e\\_f");
  EXPECT_EQ(escaped_latex("~^<>|"),
            "\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}\\textbar{}");
  EXPECT_EQ(escaped_latex("--'' ?`"), "-{}-'{}' ?{}`");
  EXPECT_EQ(escaped_latex("[2cm]"), "{}[2cm]");
  EXPECT_EQ(escaped_latex("*"), "{}*");
  EXPECT_EQ(escaped_latex("a\n\nb"), "a  b");
}

}  // namespace
}  // namespace bermuda
