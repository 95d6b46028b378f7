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
