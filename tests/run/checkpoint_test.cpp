#include "bermuda/run/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"
#include "bermuda/method/frame.hpp"

namespace bermuda {
namespace {

/// A method that makes epochs: its state is the sum of their numbers, times the step.
struct Adder {
  int step = 2;
  int max_epochs = 9;
  bool twice = false;

  ParameterSet parameters() {
    ParameterSet set;
    set.add("step", step, 1, 100, "what to add")
        .add("max-epochs", max_epochs, 1, 100, "when to stop")
        .only_stops()
        .add("twice", twice, "whether");
    return set;
  }
  RunSpec spec() {
    return {"adder", parameters().values(), "data", "", 3, 7, "", std::string(64, 'a')};
  }
};

class Memory : public Journal {
 public:
  std::string last_checkpoint() override {
    return bytes.empty() ? "" : decode_checkpoint(bytes, "memory").state;
  }
  void save(std::string_view state, std::span<const EpochRecord> epochs) override {
    bytes = encode_checkpoint(
        {Adder().spec(), static_cast<int>(epochs.size()), 0.5, std::string(state)});
  }
  std::string bytes;
};

int fit(Journal& journal, int stop_after) {
  int sum = 0;
  std::vector<EpochRecord> epochs;
  if (const std::string last = journal.last_checkpoint(); !last.empty()) {
    ByteReader in(last);
    sum = in.number<int>();
    epochs.resize(in.number<std::uint64_t>());
  }
  while (epochs.size() < 9 && epochs.size() < static_cast<std::size_t>(stop_after)) {
    epochs.push_back({});
    sum += 2 * static_cast<int>(epochs.size());
    ByteWriter out;
    out.number(sum);
    out.number(static_cast<std::uint64_t>(epochs.size()));
    journal.save(out.bytes(), epochs);
  }
  return sum;
}

TEST(Checkpoint, AFitGoesOnWhereItStopped) {
  Memory whole;
  Memory stopped;
  EXPECT_EQ(fit(whole, 100), 90);
  fit(stopped, 4);
  EXPECT_EQ(fit(stopped, 100), 90);
  EXPECT_EQ(whole.bytes, stopped.bytes);
}

TEST(Checkpoint, ComesBackAsItWas) {
  Adder adder;
  const Checkpoint written = {adder.spec(), 12, 3.25, std::string("state\0with\nall", 14)};
  const Checkpoint read = decode_checkpoint(encode_checkpoint(written), "file");
  EXPECT_EQ(read.state, written.state);
  EXPECT_EQ(read.epochs, 12);
  EXPECT_EQ(read.seconds, 3.25);
  EXPECT_EQ(read.spec.data, "data");
  EXPECT_THAT(fit_differences(read.spec, written.spec, adder.parameters().settings(), "checkpoint"),
              ::testing::IsEmpty());
}

TEST(Checkpoint, FilesOfEarlierProgramsAreRead) {
  ByteWriter out;
  out.text(
      R"({"method":"adder","program_version":"0.1.0","data":"d","data_checksum":"abc","fold":3,)"
      R"("seed":7,"options":{"step":2},"epochs":4,"seconds":1.5})");
  out.text("state");
  const Checkpoint read = decode_checkpoint(seal("checkpoint", 1, out.bytes()), "file");
  EXPECT_EQ(read.spec.fit_checksum, "abc");
  EXPECT_EQ(read.spec.options.at("step"), 2);
  EXPECT_EQ(read.spec.initial, "");
  EXPECT_EQ(read.epochs, 4);
  EXPECT_EQ(read.state, "state");
}

TEST(Checkpoint, DamageAtAnyPlaceIsNoticed) {
  Adder adder;
  const std::string good = encode_checkpoint({adder.spec(), 1, 1, "some bytes of a state"});
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_THROW(decode_checkpoint(bad, "file"), InputError) << i;
    EXPECT_THROW(decode_checkpoint(good.substr(0, i), "file"), InputError) << i;
  }
  EXPECT_THROW(decode_checkpoint(good + "x", "file"), InputError);
}

TEST(Checkpoint, OtherKindsAndVersionsAreNamed) {
  const auto message = [](const std::string& bytes) -> std::string {
    try {
      decode_checkpoint(bytes, "file");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("bermuda-checkpoint 2\nxyz"), ::testing::HasSubstr("format '2'"));
  EXPECT_THAT(message("bermuda-model 1\nxyz"), ::testing::HasSubstr("a checkpoint file"));
}

TEST(FitDifferences, NameWhatDiffers) {
  Adder before;
  Adder after;
  after.step = 5;
  after.twice = true;
  after.max_epochs = 50;
  RunSpec now = after.spec();
  EXPECT_THAT(fit_differences(before.spec(), now, after.parameters().settings(), "checkpoint"),
              ::testing::ElementsAre("--step: checkpoint has 2, now 5",
                                     "--twice: checkpoint has off, now on"));
  now = before.spec();
  now.seed = 8;
  now.fold = 4;
  now.fit_checksum = std::string(64, 'b');
  EXPECT_THAT(fit_differences(before.spec(), now, before.parameters().settings(), "run"),
              ::testing::ElementsAre("--fold: run has 3, now 4", "--seed: run has 7, now 8"));
  now.fold = 3;
  now.seed = 7;
  now.folding = Folding::kGrouped;
  EXPECT_THAT(fit_differences(before.spec(), now, before.parameters().settings(), "run"),
              ::testing::ElementsAre("--folding: run has usual, now grouped"));
  now.folding = Folding::kUsual;
  EXPECT_THAT(fit_differences(before.spec(), now, before.parameters().settings(), "run"),
              ::testing::ElementsAre("data: run is of other graphs named data"));
  now.data = "other";
  EXPECT_THAT(fit_differences(before.spec(), now, before.parameters().settings(), "run"),
              ::testing::ElementsAre("data: run has data, now other"));
  now.fit_checksum = before.spec().fit_checksum;  // the same graphs in a folder that was renamed
  EXPECT_THAT(fit_differences(before.spec(), now, before.parameters().settings(), "run"),
              ::testing::IsEmpty());
  now.method = "subtracter";
  EXPECT_THAT(fit_differences(before.spec(), now, before.parameters().settings(), "run"),
              ::testing::ElementsAre("method: run has adder, now subtracter"));
}

TEST(FitDifferences, AnOptionLeftOpenIsNoDifference) {
  std::optional<int> batch_size;
  ParameterSet parameters;
  parameters.add("batch-size", batch_size, 1, 9, "graphs", "as the recipe says");
  RunSpec now = {"m", parameters.values(), "data", "", 0, 1};
  RunSpec earlier = now;
  earlier.options["batch_size"] = 0;
  EXPECT_THAT(fit_differences(earlier, now, parameters.settings(), "checkpoint"),
              ::testing::IsEmpty());
  now.options["batch_size"] = 3;
  EXPECT_THAT(fit_differences(earlier, now, parameters.settings(), "checkpoint"),
              ::testing::ElementsAre("--batch-size: checkpoint has 0, now 3"));
}

TEST(SamplesChecksum, DependsOnEverything) {
  Sample base;
  base.id = "a";
  base.graph = Graph(3, {{0, 1}, {1, 2}}, {1, 1, 2}, {0, 1});
  const auto checksum = [](const Sample& sample) {
    const Sample* const samples[] = {&sample};
    return samples_checksum(samples, {});
  };
  std::vector<Sample> others(6, base);
  others[0].id = "b";
  others[1].label = 1;
  others[2].graph = Graph(3, {{0, 1}, {0, 2}}, {1, 1, 2}, {0, 1});
  others[3].graph = Graph(3, {{0, 1}, {1, 2}}, {1, 2, 2}, {0, 1});
  others[4].graph = Graph(3, {{0, 1}, {1, 2}}, {1, 1, 2}, {1, 1});
  others[5].graph.set_attributes(1, {1, 2, 3});
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_NE(checksum(others[i]), checksum(base)) << i;
  }
  Sample same = base;
  same.origin = "elsewhere";
  EXPECT_EQ(checksum(same), checksum(base));
  const Sample* const samples[] = {&base};
  EXPECT_NE(samples_checksum(samples, {}), samples_checksum({}, samples));
}

}  // namespace
}  // namespace bermuda
