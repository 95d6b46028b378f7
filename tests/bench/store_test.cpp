#include "bermuda/bench/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "bermuda/bench/records.hpp"
#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest()
      : folder_(fs::temp_directory_path() / ("bermuda-store-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~StoreTest() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "s.sqlite"; }

  static Grid grid() {
    return parse_grid("[data.tri]\npath='x'\n[[run]]\nmethods=['m']\nfolds='0-1'\n", "g.toml");
  }

  static std::vector<PlannedRun> runs() {
    std::vector<PlannedRun> planned(2);
    for (int fold = 0; fold < 2; ++fold) {
      auto& run = planned[static_cast<std::size_t>(fold)];
      run.row = "m";
      run.spec = {"m", {{"width", 3}}, "tri", "abc", fold, 1};
      run.spec.folding = Folding::kGrouped;
    }
    return planned;
  }

  static RunResult result() {
    RunResult result;
    result.epochs = 2;
    result.validation_accuracy = 0.5;
    result.test = {2, 0.5, 0.25, 0.75, {{1, 0}, {1, 0}}};
    result.chosen = {{"C", 3}};
    result.curve = {{1, 0.1, 0.7, 0.5, 0.6, 0.5, 1}, {2, 0.1, 0.6, 0.5, 0.5, 0.5, 1}};
    result.answers = {{0, 0, 0}, {1, 0, 1}};
    result.last = LastEpoch{{2, 1, 1, 1, {{1, 0}, {0, 1}}}, {{0, 0, 0}, {1, 1, 1}}};
    result.seconds = 1.5;
    return result;
  }

  fs::path folder_;
};

TEST_F(StoreTest, ARunIsClaimedOnceAndFinished) {
  Store store(file(), Store::Mode::kCreate);
  store.plan(grid(), "bermuda bench g", runs());
  const std::string key = runs()[0].spec.key();
  EXPECT_TRUE(store.claim(key, "one"));
  {
    Store other(file(), Store::Mode::kWrite);
    EXPECT_FALSE(other.claim(key, "two"));
    EXPECT_THAT(other.owners(), testing::ElementsAre("one"));
  }
  store.finish(key, result());
  EXPECT_FALSE(store.claim(key, "one"));
  const RunRecord run = store.runs()[0];
  EXPECT_EQ(run.state, RunState::kDone);
  EXPECT_EQ(run.spec.key(), key);
  RunResult expected = result();
  RunResult stored = run.result;
  stored.curve = store.curve(run.id);
  stored.answers = store.answers(run.id);
  stored.last->answers = store.answers(run.id, WhichEpoch::kLast);
  EXPECT_EQ(to_json(stored).dump(), to_json(expected).dump());
  store.plan(grid(), "again", runs());
  EXPECT_EQ(store.runs().size(), 2U);
  EXPECT_EQ(store.runs()[0].state, RunState::kDone);
}

TEST_F(StoreTest, KeepsWhatWasAskedAndAnswered) {
  std::vector<PlannedRun> planned = runs();
  planned[0].spec.asks = {{"twins", "def", true, 0}, {"renumbered", "", false, 3}};
  const std::string key = planned[0].spec.key();
  RunResult expected = result();
  expected.asked = {{"twins", {4, 0.75, 0.7, 0.8, {{2, 0}, {1, 1}}}, 1, {}},
                    {"renumbered", {6, 1, 1, 1, {{3, 0}, {0, 3}}}, {}, 2}};
  Store store(file(), Store::Mode::kCreate);
  store.plan(grid(), "c", planned);
  store.finish(key, expected);
  const Records records = read_records(store, {.curves = true});
  EXPECT_EQ(records.runs.at(1).spec.key(), key);
  EXPECT_EQ(to_json(records.runs.at(1).result), to_json(expected));
  const std::string exported = export_json(records).dump();
  EXPECT_EQ(export_json(parse_export(exported, "x")).dump(), exported);
  const std::string csv = export_csv(records);
  EXPECT_THAT(csv,
              testing::HasSubstr(
                  ",key,twins accuracy,twins both_right,renumbered accuracy,renumbered changed"));
  EXPECT_THAT(csv, testing::HasSubstr(key + ",0.75,0.5,1,0.3333333333333333\n"));
  EXPECT_THAT(csv, testing::HasSubstr(planned[1].spec.key() + ",,,,\n"));
}

TEST_F(StoreTest, AResultReplacesAllOfTheOneBefore) {
  Store store(file(), Store::Mode::kCreate);
  store.plan(grid(), "bermuda bench g", runs());
  const std::string key = runs()[0].spec.key();
  store.finish(key, result());
  RunResult shorter = result();
  shorter.epochs = 1;
  shorter.curve.pop_back();
  store.finish(key, shorter);
  EXPECT_EQ(store.curve(store.runs()[0].id).size(), 1U);
  EXPECT_NO_THROW(read_records(store, {.curves = true}));
}

// A cell must not be the mean of runs that are not alike.
TEST_F(StoreTest, PlacesWhoseRunsAreNoLongerAskedForAreForgotten) {
  const std::string head = "[data.tri]\npath='x'\n[[run]]\nmethods=['m']\n";
  const auto asked = [&](const std::string& more) { return parse_grid(head + more, "g.toml"); };
  const auto planned = [](int folds, int width, const std::string& checksum) {
    std::vector<PlannedRun> all;
    for (int fold = 0; fold < folds; ++fold) {
      all.push_back({.row = "m", .spec = {"m", {{"width", width}}, "tri", checksum, fold, 1}});
    }
    return all;
  };
  Store store(file(), Store::Mode::kCreate);
  const auto places = [&] { return store.entries(store.grids()[0].id).size(); };
  store.plan(asked("folds='0-3'\n"), "", planned(4, 3, "abc"));
  for (const PlannedRun& run : planned(4, 3, "abc")) store.finish(run.spec.key(), result());
  // The same again, of some folds only.
  store.plan(asked("folds='0-3'\n"), "", planned(2, 3, "abc"));
  EXPECT_EQ(places(), 4U);
  // Other options of these folds; of other data.
  store.plan(asked("folds='0-3'\n"), "", planned(2, 4, "abc"));
  EXPECT_EQ(places(), 2U);
  store.plan(asked("folds='0-3'\n"), "", planned(1, 4, "def"));
  EXPECT_EQ(places(), 1U);
  // The runs are still there for whoever asks for them.
  store.plan(asked("folds='0-3'\n"), "", planned(4, 3, "abc"));
  EXPECT_EQ(places(), 4U);
  EXPECT_EQ(store.runs()[3].state, RunState::kDone);
  // A configuration that says something else of the row; of the data: nothing planned is left.
  store.plan(asked("folds='0-3'\noptions={width=3}\n"), "", {});
  EXPECT_EQ(places(), 0U);
  store.plan(asked("folds='0-3'\noptions={width=3}\n"), "", planned(4, 3, "abc"));
  Grid other = parse_grid(
      "[data.tri]\npath='y'\n[[run]]\nmethods=['m']\nfolds='0-3'\n"
      "options={width=3}\n",
      "g.toml");
  store.plan(other, "", {});
  EXPECT_EQ(places(), 0U);
  // Fewer folds: what was not done is not waited for.
  store.plan(other, "", planned(4, 5, "abc"));
  store.finish(planned(1, 5, "abc")[0].spec.key(), result());
  store.finish(planned(2, 5, "abc")[1].spec.key(), result());
  store.plan(parse_grid("[data.tri]\npath='y'\n[[run]]\nmethods=['m']\nfolds='0'\n"
                        "options={width=3}\n",
                        "g.toml"),
             "", planned(1, 5, "abc"));
  EXPECT_EQ(places(), 2U);
}

TEST_F(StoreTest, FailedAndReleasedRunsCanBeClaimedAgain) {
  Store store(file(), Store::Mode::kCreate);
  store.plan(grid(), "c", runs());
  const std::string first = runs()[0].spec.key();
  const std::string second = runs()[1].spec.key();
  ASSERT_TRUE(store.claim(first, "one"));
  ASSERT_TRUE(store.claim(second, "one"));
  store.fail(first, "why");
  EXPECT_EQ(store.runs()[0].error, "why");
  EXPECT_TRUE(store.claim(first, "two"));
  store.release_all("one");
  EXPECT_THAT(store.owners(), testing::ElementsAre("two"));
  EXPECT_TRUE(store.claim(second, "two"));
}

TEST_F(StoreTest, WritesTogetherHappenOrDoNot) {
  Store store(file(), Store::Mode::kCreate);
  store.plan(grid(), "c", runs());
  EXPECT_THROW(store.together(true,
                              [&] {
                                store.claim(runs()[0].spec.key(), "one");
                                throw Error("on the way");
                              }),
               Error);
  EXPECT_THAT(store.owners(), testing::IsEmpty());
  EXPECT_TRUE(store.claim(runs()[0].spec.key(), "one"));
}

TEST_F(StoreTest, KeepsTheGraphsThatAreTestedOn) {
  DataSet data;
  data.name = "tri";
  data.class_names = {"0", "1"};
  const Graph triangle(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}, {7, 8, 9, 7});
  data.splits = {{"train", {{"a", 0, Graph(2, {}), {}, -1, ""}}},
                 {"test", {{"b", 1, triangle, {{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}}, -1, ""}}}};
  Store store(file(), Store::Mode::kCreate);
  const std::int64_t id = store.put_data(data, "path", "sum", {"none", "one"});
  EXPECT_EQ(store.put_data(data, "path", "sum", {}), id);
  const std::vector<Sample> graphs = store.graphs(id);
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(graphs[0], data.splits[1].samples[0]);
  store.put_audit(id, {{"probes", 3}});
  const DataRecord record = store.data_sets()[0];
  EXPECT_EQ(record.audit.at("probes"), 3);
  EXPECT_EQ(record.meanings[1], "one");
  EXPECT_EQ(record.splits[1].at("mean_edges"), 4);
}

TEST_F(StoreTest, GraphsThatDifferInEdgeLabelsAreNoTwins) {
  const auto path = [](std::vector<int> labels) {
    return Sample{"", 0, Graph(3, {{0, 1}, {1, 2}}, {6, 6, 6}, std::move(labels)), {}, -1, ""};
  };
  DataSet data;
  data.name = "bonds";
  data.class_names = {"0"};
  data.splits = {{"all", {path({1, 1}), path({1, 2}), path({2, 1}), path({2, 2})}}};
  Store store(file(), Store::Mode::kCreate);
  const std::int64_t id = store.put_data(data, "path", "sum", {});
  EXPECT_EQ(store.graphs(id), data.splits[0].samples);
  const Records records = read_records(store, {.twins = Execution{}});
  EXPECT_EQ(records.twins.at("sum"), TwinPlaces({{1, 2}}));
}

TEST_F(StoreTest, AnExportIsSmallAndBringsEverythingBack) {
  Store store(file(), Store::Mode::kCreate);
  store.plan(grid(), "c", runs());
  RunResult long_one = result();
  long_one.epochs = 150;
  long_one.curve.clear();
  long_one.answers.clear();
  std::uint32_t noise = 1;
  const auto next = [&] { return (noise = noise * 1664525 + 1013904223) >> 8; };
  for (int epoch = 1; epoch <= 150; ++epoch) {
    const auto share = [&] { return next() % 9000 / 9000.0; };
    long_one.curve.push_back({epoch, 1e-3 * share(), share(), share(), share(), share(), share()});
  }
  long_one.test = long_one.last->test = {1000, 0, 0.5, 0.5, {{0, 0}, {0, 0}}};
  long_one.last->answers.clear();
  for (int place = 0; place < 1000; ++place) {
    const int truth = static_cast<int>(next() % 2);
    for (auto* side : {&long_one.answers, &long_one.last->answers}) {
      const int said = next() % 5 == 0 ? 1 - truth : truth;
      side->push_back({place, said, truth});
      Metrics& test = side == &long_one.answers ? long_one.test : long_one.last->test;
      ++test.confusion[static_cast<std::size_t>(truth)][static_cast<std::size_t>(said)];
      test.accuracy += said == truth ? 0.001 : 0;
    }
  }
  store.claim(runs()[0].spec.key(), "one");
  store.finish(runs()[0].spec.key(), long_one);
  const Records records = read_records(store, {.curves = true});
  const std::string text = export_json(records).dump(1);
  EXPECT_LT(text.size(), 8000U) << "with the other run, which has not begun, and the grid";
  const Records again = parse_export(text, "f");
  const RunResult& back = again.runs.begin()->second.state == RunState::kDone
                              ? again.runs.begin()->second.result
                              : again.runs.rbegin()->second.result;
  EXPECT_EQ(back.curve.size(), 150U);
  EXPECT_NEAR(back.curve[77].train_loss, long_one.curve[77].train_loss, 1e-6);
  EXPECT_EQ(compact_answers(back.answers), compact_answers(long_one.answers));
  EXPECT_EQ(compact_answers(back.last->answers), compact_answers(long_one.last->answers));
  EXPECT_EQ(export_json(again).dump(1), text);
}

TEST_F(StoreTest, OthersFilesAreRefused) {
  EXPECT_THROW(Store(file(), Store::Mode::kRead), UsageError);
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_THROW(Store(folder_ / "no" / "s.sqlite", Store::Mode::kCreate), UsageError);
  EXPECT_THROW(parse_export("{}", "f"), InputError);
  EXPECT_THROW(parse_export("[", "f"), InputError);
  EXPECT_THROW(parse_export(R"({"bermuda_results": 1, "grids": 3, "runs": []})", "f"), InputError);
}

}  // namespace
}  // namespace bermuda
