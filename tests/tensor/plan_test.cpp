#include "bermuda/tensor/plan.hpp"

#include "helpers.hpp"

namespace bermuda::tensor {
namespace {

Mode topology(const std::string& name, const std::string& table = "") {
  return {name, ModeKind::kTopology, {}, table};
}

Mode label(const std::string& name, std::vector<std::string> on, const std::string& table = "") {
  return {name, ModeKind::kLabel, std::move(on), table};
}

/// `edge* j> i=`: label embeddings, mode products, the main embedding; `:table` where it has
/// another name than the mode.
std::string in_short(const Plan& plan) {
  std::string text;
  for (const Step& step : plan.steps) {
    text += (text.empty() ? "" : " ") + step.mode;
    text += step.kind == StepKind::kModeProduct      ? ">"
            : step.kind == StepKind::kLabelEmbedding ? "*"
                                                     : "=";
    if (step.table != step.mode) text += ":" + step.table;
  }
  return text;
}

TEST(Plan, OfAGraph) {
  const Plan plan = make_plan(graph_modes(), "i");
  EXPECT_EQ(plan.main, "i");
  EXPECT_EQ(plan.modes, (std::vector<std::string>{"i", "j", "label_i", "label_j", "edge"}));
  EXPECT_EQ(plan.steps, (std::vector<Step>{{StepKind::kLabelEmbedding, "edge", "edge"},
                                           {StepKind::kLabelEmbedding, "label_j", "label_j"},
                                           {StepKind::kModeProduct, "j", "i"},
                                           {StepKind::kLabelEmbedding, "label_i", "label_i"},
                                           {StepKind::kMainEmbedding, "i", "i"}}));
  EXPECT_EQ(describe(plan.steps[0]), "label embedding of edge with table edge");
  EXPECT_EQ(describe(plan.steps[2]), "mode product of j with table i");
  EXPECT_EQ(describe(plan.steps[4]), "main embedding of i with table i");
}

TEST(Plan, TheOtherModeAsTheMainOne) {
  const Plan plan = make_plan(graph_modes(), "j");
  EXPECT_EQ(plan.modes, (std::vector<std::string>{"j", "i", "label_i", "label_j", "edge"}));
  EXPECT_EQ(in_short(plan), "edge* label_i* i>:j label_j* j=");
}

TEST(Plan, OrderOfDeclarationAmongTopologyModesAndLabels) {
  // Labels before topology modes: rule 2 moves them back, keeping their order.
  const std::vector<Mode> modes = {label("x", {"b", "c"}), topology("c"), label("y", {"c"}),
                                   topology("a"), topology("b")};
  const Plan plan = make_plan(modes, "a");
  EXPECT_EQ(plan.modes, (std::vector<std::string>{"a", "c", "b", "x", "y"}));
  EXPECT_EQ(in_short(plan), "x* b>:a y* c>:a a=");
}

TEST(Plan, WithoutLabels) {
  EXPECT_EQ(in_short(make_plan({topology("i"), topology("j")}, "i")), "j>:i i=");
  EXPECT_EQ(in_short(make_plan({topology("a"), topology("b"), topology("c"), topology("d")}, "c")),
            "d>:c b>:c a>:c c=");
}

TEST(Plan, OneTopologyMode) {
  EXPECT_EQ(in_short(make_plan({topology("i"), label("l", {"i"})}, "i")), "l* i=");
}

TEST(Plan, NamedTables) {
  EXPECT_EQ(in_short(make_plan({topology("i", "E"), topology("j"), label("l", {"i"}, "atom"),
                                label("m", {"j"}, "atom")},
                               "i")),
            "m*:atom j>:E l*:atom i=:E");
  EXPECT_EQ(
      in_short(make_plan({topology("user"), topology("film", "film"), topology("friend")}, "user")),
      "friend>:user film> user=");
}

TEST(Plan, LabelsOfLabels) {
  // m hangs on l, and l on j: both go before j, m first.
  EXPECT_EQ(in_short(make_plan({topology("i"), topology("j"), label("l", {"j"}), label("m", {"l"})},
                               "i")),
            "m* l* j>:i i=");
  // m hangs on i directly as well; still before l is dropped.
  EXPECT_EQ(in_short(make_plan({topology("i"), topology("j"), label("l", {"j"}),
                                label("m", {"i", "l"}), label("n", {"i"})},
                               "i")),
            "m* l* j>:i n* i=");
  EXPECT_EQ(in_short(make_plan({topology("i"), topology("j"), label("l", {"i"}), label("m", {"l"})},
                               "i")),
            "j>:i m* l* i=");
}

TEST(Plan, EveryModeOnceAndLabelsBeforeWhatTheyDependOn) {
  RandomStream random(23, Purpose::kTest, 1);
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::vector<Mode> modes;
    const int topologies = random.between(1, 4);
    for (int t = 0; t < topologies; ++t) modes.push_back(topology("t" + std::to_string(t)));
    for (int l = random.between(0, 4); l > 0; --l) {
      std::vector<std::string> on;
      for (const Mode& mode : modes) {
        if (random.below(3) == 0) on.push_back(mode.name);
      }
      if (on.empty()) on.push_back("t0");
      modes.push_back(label("l" + std::to_string(l), on));
    }
    const std::string main = "t" + std::to_string(random.between(0, topologies - 1));
    const Plan plan = make_plan(modes, main);
    ASSERT_EQ(plan.steps.size(), modes.size());
    EXPECT_EQ(plan.steps.back().mode, main);
    const auto when = [&](const std::string& name) {
      return std::find_if(plan.steps.begin(), plan.steps.end(),
                          [&](const Step& step) { return step.mode == name; }) -
             plan.steps.begin();
    };
    for (const Mode& mode : modes) {
      ASSERT_LT(when(mode.name), static_cast<std::ptrdiff_t>(modes.size())) << mode.name;
      if (mode.kind == ModeKind::kTopology) continue;
      for (const std::string& on : mode.depends_on) EXPECT_LT(when(mode.name), when(on));
      // As late as possible: no product comes between a label and the first step that it must
      // precede.
      std::ptrdiff_t due = static_cast<std::ptrdiff_t>(modes.size());
      for (const std::string& on : mode.depends_on) due = std::min(due, when(on));
      for (std::ptrdiff_t s = when(mode.name) + 1; s < due; ++s) {
        EXPECT_EQ(plan.steps[static_cast<std::size_t>(s)].kind, StepKind::kLabelEmbedding);
      }
    }
  }
}

struct Refused {
  std::string name;
  std::vector<Mode> modes;
  std::string main;
  std::string expected;
};

class PlanRefusals : public testing::TestWithParam<Refused> {};

TEST_P(PlanRefusals, SayWhatWasFound) {
  EXPECT_EQ(refusal([] { make_plan(GetParam().modes, GetParam().main); }), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlanRefusals,
    testing::Values(
        Refused{"NoMode", {}, "i", "found no topology mode among 0 modes, expected at least one"},
        Refused{"NoTopologyMode",
                {label("l", {"l"})},
                "l",
                "found no topology mode among 1 modes, expected at least one"},
        Refused{
            "NoName", {topology("i"), topology("")}, "i", "mode 1: found no name, expected one"},
        Refused{"SameName",
                {topology("i"), topology("j"), label("i", {"j"})},
                "j",
                "found two modes named 'i', expected different names"},
        Refused{"UnknownMain",
                {topology("i"), topology("j")},
                "k",
                "found main mode 'k', expected one of the modes"},
        Refused{"MainIsALabel",
                {topology("i"), label("l", {"i"})},
                "l",
                "found main mode 'l', a label, expected a topology mode"},
        Refused{"TopologyDepends",
                {topology("i"), {"j", ModeKind::kTopology, {"i"}, ""}},
                "i",
                "topology mode 'j': found dependence on 'i', expected none: only labels depend "
                "on modes"},
        Refused{"DependsOnNothing",
                {topology("i"), label("l", {})},
                "i",
                "label 'l': found dependence on no mode, expected at least one"},
        Refused{"DependsOnUnknown",
                {topology("i"), label("l", {"i", "k"})},
                "i",
                "label 'l': found dependence on 'k', expected one of the modes"},
        Refused{"DependsOnItself",
                {topology("i"), label("l", {"i", "l"})},
                "i",
                "label 'l': found dependence on itself, expected other modes"},
        Refused{"DependsOnALaterLabel",
                {topology("i"), label("l", {"m"}), label("m", {"i"})},
                "i",
                "label 'l': found dependence on label 'm' after it, expected the label to be "
                "declared after those it depends on"},
        Refused{"CircleOfTwo",
                {topology("i"), label("l", {"m"}), label("m", {"l"})},
                "i",
                "labels 'l' and 'm': found that each depends on the other, expected no circle"},
        Refused{"CircleOfThree",
                {topology("i"), label("l", {"i", "n"}), label("m", {"l"}), label("n", {"m"})},
                "i",
                "labels 'l' and 'n': found that each depends on the other, expected no "
                "circle"}),
    [](const testing::TestParamInfo<Refused>& refused) { return refused.param.name; });

}  // namespace
}  // namespace bermuda::tensor
