#include "bermuda/bench/grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

using testing::ElementsAre;

TEST(Grid, IsSpeltOut) {
  const Grid grid = parse_grid(R"(
title = "T"
metric = "macro_f1"
folds = [0, 3]
[data.second]
path = "x"
[data.first]
task = "triangles"
candidates = 100
options = { families = ["knn", "radius"], min_nodes = 8 }
filter = false
[[run]]
methods = ["a", "b"]
[[run]]
methods = "c"
data = "first"
folds = "1-2"
folding = "grouped"
expected_minutes = 2.5
options = { rate = 0.001, flag = true }
vary = { width = [1, 2], depth = ["x", "y"] }
[paper]
source = "P"
[paper.first]
a = 50
)",
                               "some/file.toml");
  EXPECT_EQ(grid.name, "file");
  EXPECT_EQ(grid.metric, TableMetric::kMacroF1);
  ASSERT_EQ(grid.data.size(), 2U);
  EXPECT_EQ(grid.data[0].name, "second");  // as they stand in the file, not by name
  EXPECT_EQ(grid.data[1].task_options.at("families"), "knn,radius");
  EXPECT_FALSE(grid.data[1].filter);
  ASSERT_EQ(grid.cells.size(), 8U);
  EXPECT_EQ(grid.cells[1].row, "a");
  EXPECT_EQ(grid.cells[1].data, "first");
  EXPECT_THAT(grid.cells[0].folds, ElementsAre(0, 3));
  EXPECT_EQ(grid.cells[4].row, "c depth=x width=1");
  EXPECT_EQ(grid.cells[7].row, "c depth=y width=2");
  EXPECT_THAT(grid.cells[7].folds, ElementsAre(1, 2));
  EXPECT_EQ(grid.cells[0].folding, Folding::kUsual);
  EXPECT_EQ(grid.cells[7].folding, Folding::kGrouped);
  EXPECT_EQ(grid.cells[7].options.at("rate"), "0.001");
  EXPECT_EQ(grid.cells[7].options.at("flag"), "on");
  EXPECT_EQ(grid.cells[7].options.at("width"), "2");
  EXPECT_EQ(grid.cells[0].expected_minutes, 1);
  EXPECT_EQ(grid.cells[7].expected_minutes, 2.5);
  EXPECT_EQ(grid.published.at("first").at("a"), 50);
}

TEST(Grid, SeedsAndColumnsThatTakeTheirRuns) {
  const std::string head =
      "seeds = 2\nfolds = \"0-1\"\n[data.plain]\npath = \"x\"\n[data.shuffled]\npath = \"y\"\n"
      "[[run]]\nmethods = [\"a\"]\nvary = { width = [1, 2] }\ndata = \"plain\"\nseed = 5\n"
      "[[run]]\nmethods = [\"b\"]\nseeds = 3\nname = \"c\"\n";
  const Grid grid = parse_grid(
      head + "[[run]]\nmethods = [\"a\"]\ndata = \"shuffled\"\nsame_as = \"plain\"\n", "g.toml");
  ASSERT_EQ(grid.cells.size(), 6U);
  EXPECT_EQ(grid.cells[0].seeds, 2U);
  EXPECT_EQ(grid.cells[2].seeds, 3U);
  EXPECT_EQ(grid.cells[2].runs_on(), "plain");
  const GridCell& taken = grid.cells[5];
  EXPECT_EQ(taken.row, "a width=2");
  EXPECT_EQ(taken.data, "shuffled");
  EXPECT_EQ(taken.runs_on(), "plain");
  EXPECT_EQ(taken.seed, 5U);
  EXPECT_EQ(taken.options.at("width"), "2");
  EXPECT_EQ(taken.place, 5);
  Grid some = grid;
  keep_only(some, "a*");
  ASSERT_EQ(some.data.size(), 1U) << "nobody runs on the other";

  const auto error_of = [&](const std::string& run) -> std::string {
    try {
      parse_grid(head + "[[run]]\n" + run, "g.toml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(error_of("methods = 'b'\ndata = 'shuffled'\nsame_as = 'plain'"),
              HasSubstr("'c' on shuffled a second time"));
  EXPECT_THAT(error_of("methods = 'd'\ndata = 'shuffled'\nsame_as = 'plain'"),
              HasSubstr("found 'd', expected a method that a [[run]] has on plain"));
  EXPECT_THAT(error_of("methods = 'a'\ndata = 'plain'\nsame_as = 'plain'"),
              HasSubstr("same_as without another column"));
  EXPECT_THAT(error_of("methods = 'a'\nsame_as = 'plain'"),
              HasSubstr("same_as without another column"));
  EXPECT_THAT(error_of("methods = 'a'\ndata = 'shuffled'\nsame_as = 'shufled'"),
              HasSubstr("did you mean"));
  EXPECT_THAT(error_of("methods = 'a'\ndata = 'shuffled'\nsame_as = 'plain'\nfolds = '0'"),
              HasSubstr("found 'folds'"));
  EXPECT_THAT(error_of("methods = 'x'\nseeds = 0"), HasSubstr("a number from 1 to 1000"));
  EXPECT_THAT(error_of("methods = 'x'\nseeds = 1.5"), HasSubstr("a number from 1 to 1000"));
}

TEST(Grid, TheEarlierNameOfExpectedMinutes) {
  const std::string text = "[data.d]\npath = \"x\"\n[[run]]\nmethods = \"a\"\nminutes = 3\n";
  try {
    parse_grid(text, "g.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "g.toml:5: found 'minutes', expected expected_minutes, as it is called now: it "
                 "only orders the runs");
  }
  EXPECT_EQ(parse_stored_grid(text, "g.toml").cells[0].expected_minutes, 3);
}

TEST(Grid, NumbersOfManyDigits) {
  const auto grid_with = [](const std::string& line, const std::string& figure = "1") {
    return parse_grid("[data.d]\ntask = 'triangles'\n" + line + "\n[[run]]\nmethods = 'a'\n" +
                          "[paper.d]\na = " + figure + "\n",
                      "g");
  };
  // Neither is a double.
  EXPECT_EQ(grid_with("seed = 9007199254740993").data[0].seed, 9007199254740993U);
  EXPECT_EQ(grid_with("", "9007199254740993").published.at("d").at("a"), 9007199254740992.0);
  for (const char* wrong : {"candidates = 9223372036854775807", "seed = 9223372036854775807",
                            "candidates = nan", "seed = -9223372036854775807"}) {
    EXPECT_THROW(grid_with(wrong), InputError) << wrong;
  }
  EXPECT_THROW(grid_with("", "nan"), InputError);
  EXPECT_THROW(grid_with("", "inf"), InputError);
}

TEST(Grid, FoldsAreListed) {
  EXPECT_THAT(parse_folds("0-2,5, 2"), ElementsAre(0, 1, 2, 5));
  for (const char* wrong : {"", "x", "3-1", "0-10", "-1", "1-2-3", "1,"}) {
    EXPECT_THROW(parse_folds(wrong), UsageError) << wrong;
  }
}

TEST(Grid, OnlyKeepsRowsAndTheirData) {
  Grid grid = parse_grid(
      "[data.x]\npath='x'\n[data.y]\npath='y'\n[[run]]\nmethods=['tf','gin']\ndata='x'\n"
      "[[run]]\nmethods=['gin']\ndata='y'\nname='mine'\n",
      "g");
  Grid by_method = grid;
  keep_only(by_method, "gin");
  EXPECT_EQ(by_method.cells.size(), 2U);
  keep_only(grid, "t*, min?");
  EXPECT_EQ(grid.cells.size(), 2U);
  EXPECT_EQ(grid.cells[1].row, "mine");
  keep_only(grid, "mine");
  ASSERT_EQ(grid.data.size(), 1U);
  EXPECT_EQ(grid.data[0].name, "y");
  EXPECT_THROW(keep_only(grid, "svm"), UsageError);
}

TEST(Grid, OnesThatComeWithTheProgramAreRead) {
  const std::string folder = std::string(BERMUDA_SOURCE_DIR) + "/configs/";
  const Grid table1 = parse_grid(read_file(folder + "table1.toml"), "table1.toml");
  std::size_t published = 0;
  for (const GridCell& cell : table1.cells) {
    EXPECT_EQ(cell.folds.size(), 10U);
    if (!table1.published.contains(cell.data)) continue;  // the paper has no shuffled order
    published += table1.published.at(cell.data).contains(cell.row) ? 1U : 0U;
  }
  EXPECT_EQ(published, 32U);  // all that the paper has
  // Each row has a figure in every column, its own or another's.
  for (const GridCell& cell : table1.cells) {
    const auto in_column = [&](const GridCell& other) {
      return other.row == cell.row && other.data == "clique-distance-shuffled";
    };
    EXPECT_TRUE(std::ranges::any_of(table1.cells, in_column)) << cell.row;
  }
  EXPECT_EQ(parse_grid(read_file(folder + "table2.toml"), "table2.toml").cells.size(), 14U);
  EXPECT_EQ(parse_grid(read_file(folder + "controls.toml"), "controls.toml").cells.size(), 20U);
  EXPECT_EQ(parse_grid(read_file(folder + "quick.toml"), "quick.toml").cells.size(), 5U);
  const Grid regimes = parse_grid(read_file(folder + "regimes.toml"), "regimes.toml");
  EXPECT_EQ(regimes.cells.size(), 11U * 6U);
  double hours = 0;
  for (const GridCell& cell : regimes.cells) {
    hours += cell.expected_minutes * static_cast<double>(cell.folds.size() * cell.seeds) / 60;
  }
  EXPECT_LT(hours, 6);
  for (const GridData& data : regimes.data) {
    EXPECT_EQ(data.asks.size(), 3U) << data.name;
  }
}

TEST(Grid, SizesOfTheTestSplit) {
  const auto parsed = [](const std::string& lines) {
    return parse_grid("[data.d]\n" + lines + "\n[[run]]\nmethods=['m']\n", "g.toml").data[0];
  };
  EXPECT_FALSE(parsed("task='triangles'").test_nodes);
  EXPECT_EQ(parsed("task='triangles'\ntest_nodes='20:40'").test_nodes, (NodeRange{20, 40}));
  EXPECT_THROW(parsed("path='x'\ntest_nodes='20:40'"), InputError);
  EXPECT_THROW(parsed("task='triangles'\ntest_nodes='20:40'\nfilter=false"), InputError);
  EXPECT_THROW(parsed("task='triangles'\ntest_nodes='20:40'\nunfiltered_test=true"), InputError);
  EXPECT_THROW(parsed("task='triangles'\ntest_nodes='40:20'"), UsageError);
  EXPECT_THROW(parsed("task='triangles'\ntest_nodes=20"), InputError);
}

TEST(Grid, ControlsAreReadAndRefusedWhereTheyMakeNoSense) {
  const auto parsed = [](const std::string& lines) {
    return parse_grid("[data.d]\n" + lines + "\n[[run]]\nmethods=['m']\n", "g.toml").data[0];
  };
  EXPECT_FALSE(parsed("task='triangles'").controls.any());
  const GridControls all =
      parsed("task='triangles'\nshuffle_nodes=true\npermute_labels=true\nunfiltered_test=true")
          .controls;
  EXPECT_TRUE(all.shuffle_nodes && all.permute_labels && all.unfiltered_test);
  EXPECT_TRUE(parsed("path='x'\npermute_labels=true").controls.permute_labels);
  for (const char* wrong :
       {"path='x'\nunfiltered_test=true", "task='triangles'\nunfiltered_test=true\nfilter=false"}) {
    try {
      parsed(wrong);
      FAIL() << wrong;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("g.toml:3: found unfiltered_test for data"));
    }
  }
  EXPECT_THROW(parsed("path='x'\nshuffle_nodes='yes'"), InputError);
}

constexpr const char* kAsks = R"(
[ask.renumbered]
rounds = 3
[ask.twins]
pairs = "degrees"
count = 5
[data.tri]
task = "triangles"
options = { max_nodes = 9 }
[data.tri.ask]
renumbered = false
[data.tri.ask.twice]
options = { min_nodes = 21, max_nodes = 40 }
[data.tri.ask.twins]
pairs = "wl-2"
[data.other]
task = "triangles"
[data.file]
path = "x"
ask.twins = false
[[run]]
methods = ["m"]
)";

TEST(Grid, AsksAllDataSetsButForWhatTheySayThemselves) {
  const Grid grid = parse_grid(kAsks, "g.toml");
  const std::vector<GridAsk>& own = grid.data[0].asks;
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].name, "twice");
  EXPECT_EQ(own[0].task_options.at("max_nodes"), "40");
  EXPECT_EQ(own[0].count, 1000U);
  EXPECT_EQ(own[0].line, 12);
  EXPECT_EQ(own[1].pairs, "wl-2");
  EXPECT_EQ(own[1].count, 1000U) << "its own, and nothing of the other's";
  const std::vector<GridAsk>& others = grid.data[1].asks;
  ASSERT_EQ(others.size(), 2U);
  EXPECT_EQ(others[0].rounds, 3);
  EXPECT_EQ(others[1].pairs, "degrees");
  EXPECT_EQ(others[1].count, 5U);
  ASSERT_EQ(grid.data[2].asks.size(), 1U) << "no task makes twins for it";
}

TEST(Grid, RefusesToAskWhatCannotBe) {
  const auto refused = [](const std::string& data, const std::string& says) {
    try {
      parse_grid("[data.tri]\n" + data + "\n[[run]]\nmethods = ['m']\n", "g.toml");
      ADD_FAILURE() << data;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(says)) << data;
    }
  };
  const std::string task = "task = 'triangles'\n";
  refused(task + "ask.x = 3", "g.toml:3: found something else, expected a table");
  refused(task + "ask.x = false", "expected one that [ask] has");
  refused(task + "ask.x = {}", "nothing to ask");
  refused(task + "ask.x = { rounds = 0 }", "expected a number from 1 to 100");
  refused(task + "ask.x = { rounds = 2, count = 3 }", "more than one thing to ask");
  refused(task + "ask.x = { round = 2 }", "did you mean rounds?");
  refused(task + "ask.x = { count = 3 }", "an even number");
  refused(task + "ask.x = { pairs = 3 }", "a text");
  refused(task + "permute_labels = true\nask.x = { rounds = 2 }", "permuted labels");
  refused("path = 'x'\nask.x = { count = 4 }", "for data by its path");
  std::string many = task;
  for (int i = 0; i < 9; ++i) many += "ask.x" + std::to_string(i) + " = { rounds = 1 }\n";
  refused(many, "9 asked sets, expected at most 8");
}

}  // namespace
}  // namespace bermuda
