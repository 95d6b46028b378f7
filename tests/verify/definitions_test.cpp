// The two lists agree, and so do generators and definitions: whatever task is added.
#include <algorithm>

#include "bermuda/generate/generate.hpp"
#include "bermuda/verify/definition.hpp"
#include "verify/expectations.hpp"

namespace bermuda {
namespace {

TEST(Definitions, OfEveryTaskInTheSameOrder) {
  std::string names;
  for (const TaskInfo& task : tasks())
    names += (names.empty() ? "" : ", ") + std::string(task.name);
  EXPECT_EQ(verify::defined_tasks(), names);
  EXPECT_EQ(verify::make_definition("squares"), nullptr);
}

TEST(Definitions, HaveParametersOfTheTask) {
  for (const verify::DefinitionInfo& info : verify::definitions()) {
    const auto definition = info.make();
    const auto task = make_task(info.task);
    const Settings defined = definition->settings();
    const Settings generated = task->settings();
    for (const Setting& setting : defined.all()) {
      EXPECT_EQ(setting.value(), generated.get(setting.name).value())
          << info.task << " " << setting.name;
    }
  }
}

TEST(Definitions, HoldForWhatIsGenerated) {
  for (const TaskInfo& info : tasks()) {
    const DataSet data = generate_candidates(*info.make(), 11, 400, {});
    const VerifyReport report = test::verified(data);
    EXPECT_EQ(test::listed(report), "") << info.name;
    EXPECT_EQ(report.classes_checked, 400u) << info.name;
    EXPECT_GE(report.witnesses_checked, 200u) << info.name;
    EXPECT_EQ(data.class_names.size(), info.make()->class_meanings().size());
  }
}

TEST(Definitions, HoldForWhatTasksAnswer) {
  for (const TaskInfo& info : tasks()) {
    const auto task = info.make();
    DataSet data = generate_candidates(*task, 13, 400, {});
    for (Sample& sample : data.splits[0].samples) {
      const auto answer = task->answer(sample.graph);
      ASSERT_TRUE(answer) << info.name << " " << sample.id;
      EXPECT_EQ(answer->label, sample.label) << info.name << " " << sample.id;
      EXPECT_EQ(answer->witness.empty(), sample.witness.empty()) << info.name << " " << sample.id;
      sample.witness = answer->witness;
    }
    EXPECT_EQ(test::listed(test::verified(data)), "") << info.name;
  }
}

// Graphs of all sorts, most of them of no class: generated ones with an edge less or more.
TEST(Definitions, AgreeWithTasksOnAnyGraph) {
  for (const TaskInfo& info : tasks()) {
    const auto task = info.make();
    const DataSet generated = generate_candidates(*task, 14, 200, {});
    RandomStream random(14, Purpose::kTest);
    DataSet data;
    data.class_names = {"0", "1"};
    data.splits = {{"all", {}}};
    std::string expected;
    for (const Sample& sample : generated.splits[0].samples) {
      std::vector<Edge> edges = sample.graph.edges();
      const int nodes = sample.graph.node_count();
      edges.erase(edges.begin() + random.between(0, sample.graph.edge_count() - 1));
      const int u = random.between(0, nodes - 2);
      const int v = random.between(u + 1, nodes - 1);
      if (!sample.graph.has_edge(u, v)) edges.push_back({u, v});
      const Graph graph(nodes, std::move(edges));
      const auto answer = task->answer(graph);
      for (int label = 0; label < 2; ++label) {
        const std::string id = sample.id + std::to_string(label);
        const bool is_right = answer && answer->label == label;
        data.splits[0].samples.push_back(
            {id, label, graph, is_right ? answer->witness : Witness(), Sample::kNoHits, ""});
        if (!is_right) expected += id + " ";
      }
    }
    std::string found;
    for (const Problem& problem : test::verified(data, {std::string(info.name), {}}).problems) {
      EXPECT_EQ(problem.kind, "class") << info.name << " " << problem.id << " " << problem.detail;
      found += problem.id + " ";
    }
    EXPECT_EQ(found, expected) << info.name;
  }
}

TEST(Definitions, KnowARightGraphInTheWrongClass) {
  for (const TaskInfo& info : tasks()) {
    DataSet data = generate_candidates(*info.make(), 12, 20, {});
    for (Sample& sample : data.splits[0].samples) sample.label = 1 - sample.label;
    const VerifyReport report = test::verified(data);
    EXPECT_EQ(report.problems.size(), 20u) << info.name;
    EXPECT_TRUE(std::ranges::all_of(report.problems, [](const Problem& problem) {
      return problem.kind == "class" && problem.detail.find("expected ") != std::string::npos;
    })) << test::listed(report);
  }
}

}  // namespace
}  // namespace bermuda
