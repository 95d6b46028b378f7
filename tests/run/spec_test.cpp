#include "bermuda/run/spec.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bermuda/core/file.hpp"
#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

TEST(RunSpec, KeyDependsOnAllThatTheResultDoes) {
  const RunSpec spec = {"gin", {{"width", 110}, {"rate", 0.1}}, "tri", "abc", 0, 1};
  RunSpec other = spec;
  other.data = "another name";
  other.options = {{"rate", 0.1}, {"width", 110}};
  EXPECT_EQ(other.key(), spec.key()) << "names of data and the order of options do not matter";
  std::set<std::string> keys = {spec.key()};
  const auto change = [&](auto edit) {
    RunSpec changed = spec;
    edit(changed);
    EXPECT_TRUE(keys.insert(changed.key()).second);
  };
  change([](RunSpec& s) { s.method = "gcn"; });
  change([](RunSpec& s) { s.options["width"] = 111; });
  change([](RunSpec& s) { s.options["depth"] = 1; });
  change([](RunSpec& s) { s.data_checksum = "abd"; });
  change([](RunSpec& s) { s.fold = 1; });
  change([](RunSpec& s) { s.seed = 2; });
  change([](RunSpec& s) { s.initial = "model"; });
  change([](RunSpec& s) { s.folding = Folding::kGrouped; });
  change([](RunSpec& s) { s.folding = Folding::kStratified; });
}

TEST(RunSpec, KeysAreThoseOfAlways) {
  RunSpec spec = {
      "gin",
      {{"width", 110}, {"rate", 0.1}, {"mode", "auto"}, {"on", false}, {"costs", {0.001, 1.0}}},
      "tri",
      "abc",
      3,
      7};
  EXPECT_EQ(spec.key(1), "15816ae9084a4b2e1fc23ab66795714d11c0bc080a0c137acb6f7ca290a39298");
  spec.fit_checksum = "follows from data and fold";
  EXPECT_EQ(spec.key(1), "15816ae9084a4b2e1fc23ab66795714d11c0bc080a0c137acb6f7ca290a39298");
  EXPECT_NE(spec.key(), spec.key(1)) << "results are no longer those of version 1";
}

TEST(RunSpec, OptionsThatCameLaterLeaveKeysAsTheyWere) {
  RunSpec spec = {"fcnn", {{"width", 128}}, "tri", "abc", 0, 1};
  const std::string before = spec.key();
  spec.options["input"] = "core";
  EXPECT_EQ(spec.key(), before);
  spec.options["input"] = "nodes";
  EXPECT_NE(spec.key(), before);
}

/// Runs of result version 1, without what came of them.
constexpr const char* kFirstRuns = "/tests/data/stores/keys_1.json";

nlohmann::ordered_json read_results(const std::string& file) {
  return nlohmann::ordered_json::parse(read_file(BERMUDA_SOURCE_DIR + file));
}

// A change of the code must not make others of the runs in docs/results unseen.
TEST(RunSpec, StoredRunsHaveTheKeysOfTheirVersion) {
  std::size_t runs = 0;
  for (const auto& [name, version] :
       {std::pair(kFirstRuns, 1), std::pair("/docs/results/quick.json", kResultVersion),
        std::pair("/docs/results/table1.json", kResultVersion),
        std::pair("/docs/results/table2.json", kResultVersion)}) {
    const nlohmann::ordered_json results = read_results(name);
    for (const auto& run : results.at("runs")) {
      EXPECT_EQ(run_spec_of(run).key(version), run.at("key")) << name;
      ++runs;
    }
  }
  EXPECT_GT(runs, 100U);
}

// As they were when 0 or -1 stood for an option that was left open.
TEST(RunSpec, AnOptionLeftOpenDoesNotChangeTheKey) {
  const nlohmann::ordered_json open = {
      {"batch_size", 0},         {"learning_rate", 0.0},   {"epochs", -1}, {"warm_up", -1},
      {"patience", 0},           {"least_rate", 0.0},      {"copies", 0},  {"gain", -1.0},
      {"embedding_scale", -1.0}, {"embedding_shift", -1.0}};
  std::set<std::string> seen;
  const nlohmann::ordered_json stored = read_results(kFirstRuns);
  for (const auto& run : stored.at("runs")) {
    RunSpec spec = run_spec_of(run);
    for (const auto& [name, value] : spec.options.items()) {
      if (!open.contains(name) || value != open.at(name)) continue;
      value = nullptr;
      seen.insert(name);
    }
    EXPECT_EQ(spec.key(1), run.at("key")) << spec.text();
  }
  EXPECT_EQ(seen.size(), open.size());
}

TEST(RunSpec, ComesBackFromJson) {
  RunSpec spec = {"gin", {{"width", 110}}, "tri", "abc", 3, 7};
  EXPECT_FALSE(to_json(spec).contains("initial")) << "exports stay as they were";
  EXPECT_FALSE(to_json(spec).contains("folding"));
  EXPECT_EQ(run_spec_of(to_json(spec)).key(), spec.key());
  spec.initial = "model";
  spec.folding = Folding::kGrouped;
  EXPECT_EQ(run_spec_of(to_json(spec)).key(), spec.key());
  spec.fit_checksum = "sum";
  const RunSpec stored = fit_spec_of(fit_json(spec));
  EXPECT_EQ(stored.fit_checksum, "sum");
  EXPECT_EQ(stored.initial, "model");
  EXPECT_EQ(stored.folding, Folding::kGrouped);
  EXPECT_EQ(stored.data_checksum, "");
  auto wrong = fit_json(spec);
  wrong["folding"] = "by hand";
  EXPECT_THROW(fit_spec_of(wrong), JsonError);
  wrong = fit_json(spec);
  wrong["options"] = {1, 2};
  EXPECT_THROW(fit_spec_of(wrong), nlohmann::ordered_json::exception);
}

TEST(DataChecksum, SeesEveryPart) {
  DataSet data;
  data.class_names = {"0", "1"};
  data.splits = {{"train", {{"a", 0, Graph(3, {{0, 1}}), {}, -1, ""}}}, {"test", {}}};
  std::set<std::string> sums = {data_checksum(data)};
  const auto change = [&](auto edit) {
    DataSet changed = data;
    edit(changed);
    EXPECT_TRUE(sums.insert(data_checksum(changed)).second);
  };
  change([](DataSet& d) { d.class_names[1] = "2"; });
  change([](DataSet& d) { d.splits[0].name = "valid"; });
  change([](DataSet& d) { d.splits[0].samples[0].id = "b"; });
  change([](DataSet& d) { d.splits[0].samples[0].label = 1; });
  change([](DataSet& d) { d.splits[0].samples[0].graph = Graph(3, {{0, 2}}); });
  change([](DataSet& d) { std::swap(d.splits[0].samples, d.splits[1].samples); });
}

}  // namespace
}  // namespace bermuda
