#include "bermuda/report/collect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "bermuda/generate/task.hpp"
#include "collect_parts.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr int kTested = 40;

/// A store with both tasks and two methods: one knows everything, one always says 0.
class CollectModel : public ::testing::Test {
 protected:
  CollectModel()
      : folder_(fs::temp_directory_path() / ("bermuda_collect_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    grid_.name = "small";
    grid_.title = "Both tasks";
    grid_.text = "title = \"Both tasks\"";
    grid_.paper = "a paper";
    grid_.published["triangles"]["blind"] = 60;
  }
  ~CollectModel() override { fs::remove_all(folder_); }

  void add(Store& store, const std::string& task) {
    DataSet data;
    data.name = task;
    data.class_names = {"0", "1"};
    data.provenance = {{"task", task}, {"parameters", {{"min_nodes", 6}}}, {"seed", 3}};
    data.splits = {{"train", {}}, {"test", {}}};
    const std::unique_ptr<Task> maker = make_task(task);
    for (std::uint64_t i = 0; i < kTested; ++i) {
      data.splits[0].samples.push_back(maker->make(3, 1000 + i));
      data.splits[1].samples.push_back(maker->make(3, i));
    }
    const std::string checksum = data_checksum(data);
    store.put_data(data, "nowhere", checksum, {"no", "yes"});
    for (const char* row : {"blind", "knowing"}) {
      GridCell cell;
      cell.row = cell.method = row;
      cell.data = task;
      cell.folds = {0, 1};
      grid_.cells.push_back(cell);
      for (int fold = 0; fold < 2; ++fold) {
        PlannedRun run;
        run.row = row;
        run.place = static_cast<int>(runs_.size());
        run.spec.method = row;
        run.spec.data = task;
        run.spec.data_checksum = checksum;
        run.spec.fold = fold;
        runs_.push_back(run);
        results_.push_back(result(data, row == std::string("knowing")));
      }
    }
  }

  static RunResult result(const DataSet& data, bool knows) {
    RunResult result;
    result.host = "here";
    result.program_version = "1";
    result.train_graphs = kTested;
    result.test.confusion = {{0, 0}, {0, 0}};
    int place = 0;
    for (const Sample* sample : tested_samples(data)) {
      const int said = knows ? sample->label : 0;
      result.answers.push_back({place++, said, sample->label});
      ++result.test
            .confusion[static_cast<std::size_t>(sample->label)][static_cast<std::size_t>(said)];
    }
    result.test.count = result.answers.size();
    result.test.accuracy = knows ? 1 : 0.5;
    if (knows) {
      result.epochs = 2;
      result.curve = {{1, 0.1, 0.7, 0.5, std::numeric_limits<double>::quiet_NaN(), 0.5, 1},
                      {2, 0.1, 0.12345678, 1, 0.1, 1, 1}};
    }
    return result;
  }

  ordered_json collect(const ReportOptions& options = {.most_drawn = 1}) {
    Store store(folder_ / "store.sqlite", Store::Mode::kCreate);
    add(store, "triangles");
    add(store, "clique-distance");
    store.plan(grid_, "bermuda bench small", runs_);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::string key = runs_[i].spec.key();
      EXPECT_TRUE(store.claim(key, "test"));
      if (i == 1) {
        store.fail(key, "no luck");
      } else {
        store.finish(key, results_[i]);
      }
    }
    records_ = read_records(store, {.twins = Execution()});
    return collect_model(records_, &store, options, {});
  }

  fs::path folder_;
  Grid grid_;
  std::vector<PlannedRun> runs_;
  std::vector<RunResult> results_;
  Records records_;
};

TEST_F(CollectModel, HasEveryPart) {
  const ordered_json model = collect();
  EXPECT_EQ(model["title"], "Both tasks");
  ASSERT_THAT(model["tables"], SizeIs(1));
  EXPECT_EQ(model["tables"][0]["columns"], ordered_json({"triangles", "clique-distance"}));
  EXPECT_EQ(model["tables"][0]["rows"][0]["cells"][0]["difference"], -10);
  EXPECT_FALSE(model["comparisons"].empty());
  EXPECT_THAT(model["runs"], SizeIs(8));
  EXPECT_THAT(model["data"], SizeIs(2));
  EXPECT_THAT(records_.twins, SizeIs(2));
  EXPECT_EQ(model["settings"]["command"], "bermuda bench small");
  EXPECT_EQ(model["settings"]["hosts"], "here");
}

TEST_F(CollectModel, BothEpochs) {
  const ordered_json without = collect();
  EXPECT_FALSE(without["tables"][0].contains("last")) << "nobody kept another epoch than the last";
  EXPECT_EQ(without["epoch"], "kept");
  for (auto& [id, run] : records_.runs) {
    if (run.state != RunState::kDone || run.spec.method != "knowing") continue;
    LastEpoch& last = run.result.last.emplace();
    last.test = {kTested, 0.5, 0.5, 0.5, {{kTested / 2, 0}, {kTested / 2, 0}}};
    last.answers = run.result.answers;
    for (Answer& answer : last.answers) answer.said = 0;
  }
  const ordered_json model = collect_model(records_, nullptr, {.epoch = WhichEpoch::kLast}, {});
  EXPECT_EQ(model["epoch"], "last");
  const ordered_json& table = model["tables"][0];
  EXPECT_EQ(table["epoch"], "kept");
  EXPECT_EQ(table["rows"][1]["cells"][0]["mean"], 100);
  EXPECT_EQ(table["last"]["rows"][1]["cells"][0]["mean"], 50);
  EXPECT_EQ(table["last"]["rows"][1]["cells"][0]["runs"][1],
            ordered_json({{"fold", 1}, {"seed", 1}, {"figure", 50.0}}));
  EXPECT_EQ(model["comparisons"][0]["p"][0][1], 1) << "both say the same there";
  EXPECT_EQ(model["runs"][2]["last"]["accuracy"], 0.5);
  EXPECT_EQ(model["runs"][0]["last"], nullptr);
}

TEST_F(CollectModel, RunsWithCurvesAndErrors) {
  const ordered_json runs = collect()["runs"];
  EXPECT_EQ(runs[1]["error"], "no luck");
  EXPECT_FALSE(runs[1].contains("accuracy"));
  EXPECT_EQ(runs[0]["error"], nullptr);
  EXPECT_FALSE(runs[0].contains("curve")) << "one epoch is no curve";
  EXPECT_EQ(runs[2]["curve"]["validation_loss"], ordered_json({nullptr, 0.1}));
  EXPECT_EQ(runs[2]["curve"]["train_loss"], ordered_json({0.7, 0.1235}));
}

TEST_F(CollectModel, BreakdownsCountEveryGraphOnce) {
  const ordered_json parts = collect()["breakdowns"];
  ASSERT_THAT(parts, SizeIs(4));
  EXPECT_EQ(parts[1]["by"], "independent cycles");
  EXPECT_EQ(parts[3]["by"], "witness distance");
  for (const ordered_json& part : parts) {
    int all = 0;
    for (const ordered_json& count : part["counts"]) all += count.get<int>();
    EXPECT_EQ(all, kTested);
    EXPECT_EQ(part["methods"][1]["method"], "knowing");
    EXPECT_EQ(part["methods"][1]["right"], part["counts"]) << "two folds, yet each graph once";
  }
  // Far apart is class 1 from distance 4 on: there the method that always says 0 is wrong.
  const ordered_json& near_and_far = parts[3];
  for (std::size_t i = 0; i < near_and_far["bins"].size(); ++i) {
    const bool far = std::stoi(near_and_far["bins"][i].get<std::string>()) >= 4;
    EXPECT_EQ(near_and_far["methods"][0]["right"][i],
              far ? ordered_json(0) : near_and_far["counts"][i]);
  }
}

TEST_F(CollectModel, GalleryShowsWrongAnswersOnly) {
  const ordered_json gallery = collect({.most_drawn = 5})["gallery"];
  ASSERT_THAT(gallery, SizeIs(2)) << "the method that knows everything has nothing to show";
  for (const ordered_json& one : gallery) {
    EXPECT_EQ(one["method"], "blind");
    EXPECT_EQ(one["fold"], 0);
    EXPECT_EQ(one["wrong"], kTested / 2);
    EXPECT_EQ(one["tested"], kTested);
    ASSERT_THAT(one["graphs"], SizeIs(5));
    for (const ordered_json& graph : one["graphs"]) {
      EXPECT_EQ(graph["truth"], "1");
      EXPECT_EQ(graph["said"], "0");
      EXPECT_THAT(graph["svg"].get<std::string>(), StartsWith("<svg"));
      EXPECT_THAT(graph["svg"].get<std::string>(), HasSubstr("witness"));
    }
  }
}

TEST_F(CollectModel, CardsOfTheData) {
  const ordered_json card = collect()["data"][0];
  EXPECT_EQ(card["name"], "triangles");
  EXPECT_EQ(card["recipe"]["min_nodes"], 6);
  EXPECT_EQ(card["recipe"]["seed"], 3);
  EXPECT_EQ(card["filter"], nullptr);
  EXPECT_EQ(card["audit"], nullptr);
  EXPECT_THAT(card["examples"], SizeIs(2));
  EXPECT_THAT(card["splits"], SizeIs(2));
}

TEST_F(CollectModel, BeginsWithWhatWasFound) {
  const ordered_json model = collect();
  ASSERT_THAT(model["findings"], SizeIs(2));
  EXPECT_THAT(model["findings"][0].get<std::string>(),
              StartsWith("On triangles, knowing is the best of 2 methods with 100.0 %"));
  EXPECT_THAT(model["data"][0]["node_labels"], SizeIs(0)) << "graphs without labels";
}

TEST(LabelColours, GoToTheLabelsThatMostNodesHave) {
  std::vector<Sample> graphs(2);
  graphs[0].graph = Graph(10, {}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  graphs[1].graph = Graph(8, {}, {9, 8, 7, 6, 5, 4, 2, 1});
  const std::map<int, int> colours = colours_of_labels(graphs);
  EXPECT_THAT(colours, SizeIs(10));
  EXPECT_EQ(colours.at(0), -1);
  EXPECT_EQ(colours.at(3), -1);
  EXPECT_EQ(colours.at(1), 0);
  EXPECT_EQ(colours.at(9), 7);
  EXPECT_THAT(colours_of_labels({}), SizeIs(0));
}

TEST_F(CollectModel, LabelledGraphsShowTheirLabels) {
  TestedData data;
  data.graphs.resize(1);
  data.graphs[0].graph = Graph(3, {{0, 1}, {1, 2}}, {4, 6, 4});
  data.record.class_names = {"0"};
  data.label_colours = colours_of_labels(data.graphs);
  Drawer drawer;
  const ordered_json card = data_card(data, drawer);
  EXPECT_EQ(card["node_labels"],
            ordered_json({{{"label", 4}, {"colour", 0}}, {{"label", 6}, {"colour", 1}}}));
  const std::string svg = card["examples"][0]["svg"];
  EXPECT_THAT(svg, HasSubstr("class=\"node c1\""));
  EXPECT_THAT(svg, HasSubstr(">6</text>"));
}

TEST_F(CollectModel, ExportedRecordsDoWithoutTheStore) {
  collect();
  const Records back = parse_export(export_json(records_).dump(), "export.json");
  const ordered_json model = collect_model(back, nullptr, {.title = "Mine"}, {});
  EXPECT_EQ(model["title"], "Mine");
  EXPECT_THAT(model["tables"], SizeIs(1));
  EXPECT_THAT(model["runs"], SizeIs(8));
  EXPECT_TRUE(model["gallery"].empty());
  EXPECT_TRUE(model["data"].empty());
}

TEST(CollectModelOfNothing, HasATitle) {
  EXPECT_EQ(collect_model({}, nullptr, {}, {})["title"], "Bermuda report");
}

}  // namespace
}  // namespace bermuda
