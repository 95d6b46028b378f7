#include "bermuda/core/parameter.hpp"

#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

struct Options : Configurable {
  int count = 3;
  double share = 0.5;
  bool on = false;
  std::string kind = "a";
  std::vector<std::string> kinds = {"a"};
  std::vector<double> radii = {0.1, 0.2};

  ParameterSet parameters() override {
    ParameterSet set;
    set.add("a-count", count, 1, 9, "how many")
        .add("share", share, 0, 1, "what share")
        .add("on", on, "whether")
        .add("kind", kind, {"a", "b"}, "which")
        .add("kinds", kinds, {"a", "b"}, "which ones")
        .add("radii", radii, 0, 1, "how far");
    return set;
  }
};

TEST(Parameter, StoresWhatItParses) {
  Options settings;
  const ParameterSet set = settings.parameters();
  set.get("a-count").set("7");
  set.get("share").set("0.25");
  set.get("on").set("on");
  set.get("kind").set("b");
  set.get("kinds").set("b,a");
  set.get("radii").set("0.5, 1");
  EXPECT_EQ(settings.count, 7);
  EXPECT_EQ(settings.share, 0.25);
  EXPECT_TRUE(settings.on);
  EXPECT_EQ(settings.kind, "b");
  EXPECT_EQ(settings.kinds, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(settings.radii, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(
      set.values().dump(),
      R"({"a_count":7,"share":0.25,"on":true,"kind":"b","kinds":["b","a"],"radii":[0.5,1.0]})");
}

TEST(Parameter, RefusesWithNameValueAndRange) {
  Options settings;
  const ParameterSet set = settings.parameters();
  const std::pair<const char*, const char*> bad[] = {
      {"a-count", "0"}, {"a-count", "10"}, {"a-count", "x"}, {"a-count", ""},  {"share", "nan"},
      {"share", "1.5"}, {"on", "maybe"},   {"kind", "c"},    {"kinds", "a,c"}, {"kinds", "a,a"},
      {"radii", "2"},   {"radii", "0.1,"}, {"kinds", ""}};
  for (const auto& [name, text] : bad) {
    try {
      set.get(name).set(text);
      FAIL() << name << " took " << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(settings.count, 3);
  EXPECT_THROW(set.get("nothing"), UsageError);
}

TEST(Parameter, MayBeLeftOpen) {
  std::optional<int> batch;
  std::optional<double> rate;
  ParameterSet set;
  set.add("batch", batch, 1, 9, "graphs per step", "as the recipe says: 8 or 2")
      .add("rate", rate, 0, 1, "step size", "as the recipe says: 0.1");
  EXPECT_TRUE(set.get("batch").is_open());
  EXPECT_EQ(set.get("batch").value_text(), "as the recipe says: 8 or 2");
  EXPECT_EQ(set.get("batch").range_text(), "1..9");
  EXPECT_EQ(set.values().dump(), R"({"batch":null,"rate":null})");
  set.get("batch").set("4");
  set.get("rate").set("0.5");
  EXPECT_EQ(batch, 4);
  EXPECT_FALSE(set.get("batch").is_open());
  EXPECT_EQ(set.get("rate").value_text(), "0.5");
  EXPECT_EQ(set.values().dump(), R"({"batch":4,"rate":0.5})");
  EXPECT_THROW(set.get("batch").set("0"), UsageError);
  EXPECT_THROW(set.get("rate").set(""), UsageError);
}

TEST(Parameter, IsShownByAConstObject) {
  Options options;
  options.parameters().get("a-count").set("5");
  const Configurable& shown = options;
  EXPECT_EQ(shown.settings().get("a_count").value(), 5);
  EXPECT_EQ(shown.settings().values(), options.parameters().values());
  EXPECT_THROW(shown.settings().get("nothing"), UsageError);
}

TEST(Parameter, OnlyTheLastOneIsMarkedAsAStop) {
  int epochs = 1;
  int width = 1;
  ParameterSet set;
  set.add("max-epochs", epochs, 1, 9, "when to stop")
      .only_stops()
      .add("width", width, 1, 9, "how wide");
  EXPECT_TRUE(set.get("max-epochs").only_stops);
  EXPECT_FALSE(set.get("width").only_stops);
}

}  // namespace
}  // namespace bermuda
