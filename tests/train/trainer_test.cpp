#include "bermuda/train/trainer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "bermuda/core/error.hpp"
#include "bermuda/method/model_file.hpp"
#include "bermuda/method/plugin.hpp"
#include "bermuda/train/neural_method.hpp"
#include "small_fits.hpp"

namespace bermuda::train {
namespace {

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  std::vector<Sample> samples_ = rings_and_paths(60);
  std::vector<const Sample*> all_ = pointers(samples_);
};

TEST_P(EveryMethod, LearnsRepeatablyAndSurvivesItsModelFile) {
  const auto method = make(GetParam(), 60);
  const FitReport report = method->fit({all_, all_, 2, 3}, {});
  EXPECT_EQ(report.epochs, 60);
  EXPECT_EQ(report.curve.size(), 60u);
  if (GetParam().find("+d") != std::string::npos || GetParam().starts_with("tf")) {
    EXPECT_GT(report.curve.back().train_accuracy, 0.9);
  }

  const auto again = make(GetParam(), 60);
  again->fit({all_, all_, 2, 3}, {});
  EXPECT_TRUE(bytes_of(*method) == bytes_of(*again));
  const auto other = make(GetParam(), 60);
  other->fit({all_, all_, 2, 4}, {});
  EXPECT_TRUE(bytes_of(*method) != bytes_of(*other));

  const Model model = decode_model(encode_model(*method, {"a", "b"}), "model", registry());
  const auto before = method->predict(all_, {});
  const auto after = model.method->predict(all_, {});
  ASSERT_EQ(before.size(), all_.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].scores, after[i].scores);
    EXPECT_NEAR(before[i].scores[0] + before[i].scores[1], 1, 1e-6);
  }
}

TEST_P(EveryMethod, TakesGraphsWithoutNodes) {
  for (const std::size_t every : {1U, 3U}) {
    std::vector<Sample> samples = rings_and_paths(60);
    for (std::size_t i = 0; i < samples.size(); i += every) samples[i].graph = Graph(0, {});
    const std::vector<const Sample*> all = pointers(samples);
    const auto method = make(GetParam(), 2);
    const FitReport report = method->fit({all, all, 2, 3}, {});
    EXPECT_TRUE(std::isfinite(report.curve.back().train_loss));
    for (const Prediction& prediction : method->predict(all, {})) {
      EXPECT_NEAR(prediction.scores[0] + prediction.scores[1], 1, 1e-6);
    }
  }
}

TEST_P(EveryMethod, StopsInTheMiddleOfALargeGraph) {
  constexpr int kNodes = 3000;
  std::vector<Edge> edges;
  for (int v = 0; v + 1 < kNodes; ++v) edges.push_back({v, v + 1});
  for (Sample& sample : samples_) sample.graph = Graph(kNodes, edges);
  std::atomic<bool> stop{false};
  const std::jthread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop = true;
  });
  EXPECT_THROW(make(GetParam(), 10'000)->fit({all_, all_, 2, 3}, {.stop = &stop}), Interrupted);
}

TEST_P(EveryMethod, GoesOnFromACheckpointAsIfNeverStopped) {
  const auto whole = make(GetParam(), 9);
  const FitReport expected = whole->fit({all_, all_, 2, 3}, {});
  MemoryJournal journal;
  for (const int stop : {1, 4, 8}) {
    journal.stop_after = stop;
    const auto part = make(GetParam(), 9);
    EXPECT_THROW(part->fit({all_, all_, 2, 3, &journal}, {}), Interrupted);
    EXPECT_EQ(journal.records.size(), static_cast<std::size_t>(stop));
  }
  journal.stop_after = -1;
  const auto rest = make(GetParam(), 9);
  const FitReport report = rest->fit({all_, all_, 2, 3, &journal}, {});
  EXPECT_TRUE(bytes_of(*whole) == bytes_of(*rest));
  EXPECT_EQ(report.best_epoch, expected.best_epoch);
  EXPECT_EQ(report.curve.size(), 9u);
}

TEST_P(EveryMethod, CompressionChangesRoundingOnly) {
  const auto method = make(GetParam());
  method->fit({all_, all_, 2, 3}, {});
  const auto plain = make(GetParam());
  plain->parameters().get("no-compression").set("on");
  const std::string bytes = bytes_of(*method);
  ByteReader in(bytes);
  plain->load(in);
  const auto a = method->predict(all_, {});
  const auto b = plain->predict(all_, {});
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].scores[0], b[i].scores[0], 1e-4);
}

TEST_P(EveryMethod, DamagedWeightsAreRefused) {
  const auto method = make(GetParam(), 1);
  method->fit({all_, all_, 2, 3}, {});
  const std::string bytes = bytes_of(*method);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 40) {
    ByteReader in(std::string_view(bytes).substr(0, cut));
    EXPECT_THROW(make(GetParam())->load(in), Error) << cut;
  }
  RandomStream random(3, Purpose::kTest);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k < 4; ++k) {
      damaged[random.below(48)] = static_cast<char>(random.below(256));
    }
    try {
      ByteReader in(damaged);
      make(GetParam())->load(in);
    } catch (const Error&) {  // refused, or by chance a model: never a crash
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod,
                         testing::Values("gcn", "gcn+d", "gcn-sym+d", "gin", "gin+d+id", "gat",
                                         "gat+d", "gat+d+id", "tf+am", "tf+am3", "tf-is+am",
                                         "fcnn"),
                         [](const testing::TestParamInfo<std::string>& name) {
                           std::string text = name.param;
                           std::ranges::replace(text, '+', '_');
                           std::ranges::replace(text, '-', '_');
                           return text;
                         });

TEST(UniformFeatures, MeansAndAttentionAnswerOneClass) {
  const std::vector<Sample> samples = rings_and_paths(60);
  const auto all = pointers(samples);
  for (const char* name : {"gcn", "gat"}) {
    for (const char* no_compression : {"off", "on"}) {
      const auto method = make(name, 10);
      method->parameters().get("no-compression").set(no_compression);
      method->fit({all, all, 2, 1}, {});
      const auto predictions = method->predict(all, {});
      // Rows of one product may round differently; nothing else may differ.
      for (const Prediction& prediction : predictions) {
        EXPECT_EQ(prediction.label, predictions.front().label) << name;
        EXPECT_NEAR(prediction.scores[0], predictions.front().scores[0], 1e-5) << name;
      }
    }
  }
}

TEST(Dropout, IsAFunctionOfTheSeedAndCanBeResumed) {
  const std::vector<Sample> samples = rings_and_paths(60);
  const auto all = pointers(samples);
  const auto with_dropout = [](const std::string& name, const char* share) {
    auto method = make(name, 6);
    method->parameters().get("dropout").set(share);
    return method;
  };
  for (const char* name : {"gcn+d", "gin", "gat+d", "tf+am"}) {
    const auto whole = with_dropout(name, "0.3");
    whole->fit({all, all, 2, 3}, {});
    const auto none = with_dropout(name, "0");
    none->fit({all, all, 2, 3}, {});
    EXPECT_TRUE(bytes_of(*whole) != bytes_of(*none));
    MemoryJournal journal;
    journal.stop_after = 3;
    EXPECT_THROW(with_dropout(name, "0.3")->fit({all, all, 2, 3, &journal}, {}), Interrupted);
    journal.stop_after = -1;
    const auto rest = with_dropout(name, "0.3");
    rest->fit({all, all, 2, 3, &journal}, {});
    EXPECT_TRUE(bytes_of(*whole) == bytes_of(*rest)) << name;
    // Answers are given without it.
    const auto first = whole->predict(all, {});
    const auto second = whole->predict(all, {});
    EXPECT_EQ(first.front().scores, second.front().scores);
  }
}

TEST(IndexShuffling, CopiesAreResumedAndRoundsAreAveraged) {
  const std::vector<Sample> samples = rings_and_paths(60);
  const auto all = pointers(samples);
  const auto with_copies = [](const char* copies) {
    auto method = make("tf+am", 6);
    method->parameters().get("copies").set(copies);
    return method;
  };
  const auto whole = with_copies("3");
  whole->fit({all, all, 2, 3}, {});
  const auto single = with_copies("1");
  single->fit({all, all, 2, 3}, {});
  EXPECT_TRUE(bytes_of(*whole) != bytes_of(*single));
  MemoryJournal journal;
  journal.stop_after = 3;
  EXPECT_THROW(with_copies("3")->fit({all, all, 2, 3, &journal}, {}), Interrupted);
  journal.stop_after = -1;
  const auto rest = with_copies("3");
  rest->fit({all, all, 2, 3, &journal}, {});
  EXPECT_TRUE(bytes_of(*whole) == bytes_of(*rest));

  whole->parameters().get("eval-shuffles").set("1");
  const auto one_round = whole->predict(all, {});
  whole->parameters().get("eval-shuffles").set("5");
  const auto five_rounds = whole->predict(all, {});
  const auto again = whole->predict(all, {});
  double apart = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(five_rounds[i].scores, again[i].scores);
    EXPECT_NEAR(five_rounds[i].scores[0] + five_rounds[i].scores[1], 1, 1e-6);
    apart = std::max(apart, std::abs(five_rounds[i].scores[0] - one_round[i].scores[0]));
    // The graphs that are asked about together do not matter.
    const auto alone = whole->predict(std::span(all).subspan(i, 1), {});
    EXPECT_NEAR(alone.front().scores[0], five_rounds[i].scores[0], 1e-5);
  }
  EXPECT_GT(apart, 1e-4);
}

// Rings that differ in their labels only.
TEST(Labels, OfNodesAndEdgesAreLearnedAndSurviveTheModelFile) {
  std::vector<Sample> samples;
  for (int i = 0; i < 60; ++i) {
    const int n = 4 + i / 4 % 5;
    std::vector<Edge> edges;
    for (int v = 0; v < n; ++v) edges.push_back({v, (v + 1) % n});
    std::vector<int> node_labels(static_cast<std::size_t>(n), 3);
    std::vector<int> edge_labels(static_cast<std::size_t>(n), 8);
    const bool by_edges = i % 4 < 2;
    if (i % 2 == 1) (by_edges ? edge_labels : node_labels).front() = 5;
    samples.emplace_back();
    samples.back().graph = Graph(n, edges, node_labels, edge_labels);
    samples.back().label = i % 2;
  }
  const auto all = pointers(samples);
  for (const char* name : {"tf+am", "fcnn"}) {
    const auto method = make(name, 60);
    const FitReport report = method->fit({all, all, 2, 3}, {});
    // A core tensor of shuffled indices says little.
    EXPECT_GT(report.curve.back().train_accuracy, name == std::string("fcnn") ? 0.5 : 0.9);
    const Model model = decode_model(encode_model(*method, {"a", "b"}), "model", registry());
    // Labels that training never saw, and none at all, are answered too.
    std::vector<Sample> strange = {samples[0], samples[1], samples[2]};
    strange[1].graph = Graph(3, {{0, 1}, {1, 2}}, {3, 4, 5}, {9, 8});
    strange[2].graph = Graph(3, {{0, 1}, {1, 2}});
    for (const auto& some : {all, pointers(strange)}) {
      const auto before = method->predict(some, {});
      const auto after = model.method->predict(some, {});
      for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(before[i].scores, after[i].scores);
        EXPECT_NEAR(before[i].scores[0] + before[i].scores[1], 1, 1e-6);
      }
    }
  }
}

TEST(Trainer, StopsWhenTheLossExplodes) {
  const std::vector<Sample> samples = rings_and_paths(60);
  const auto all = pointers(samples);
  const auto method = make("gin+d", 50);
  method->parameters().get("learning-rate").set("1000");
  MemoryJournal journal;
  try {
    method->fit({all, all, 2, 1, &journal}, {});
    FAIL() << "it went on";
  } catch (const DivergedError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--learning-rate"));
    EXPECT_TRUE(!(error.loss() < 1e6));
  }
  // The checkpoint, if any, is from before.
  for (const EpochRecord& record : journal.records) {
    EXPECT_TRUE(std::isfinite(record.validation_loss));
  }
}

TEST(Trainer, ARateThatIsTooLowFromTheStartIsRefused) {
  const std::vector<Sample> samples = rings_and_paths(60);
  const auto all = pointers(samples);
  const auto method = make("gcn+d");
  method->parameters().get("learning-rate").set("1e-6");
  EXPECT_THROW(method->fit({all, all, 2, 1}, {}), UsageError);
}

TEST(Trainer, DamagedCheckpointsAreRefused) {
  const std::vector<Sample> samples = rings_and_paths(60);
  const auto all = pointers(samples);
  MemoryJournal journal;
  make("gcn+d", 2)->fit({all, all, 2, 1, &journal}, {});
  const std::string good = journal.last;
  for (std::size_t cut = 1; cut < good.size(); cut += 1 + good.size() / 50) {
    journal.last = good.substr(0, cut);
    EXPECT_THROW(make("gcn+d", 4)->fit({all, all, 2, 1, &journal}, {}), Error) << cut;
  }
  journal.last = good + "x";
  EXPECT_THROW(make("gcn+d", 4)->fit({all, all, 2, 1, &journal}, {}), Error);
}

TEST(Plugin, SidecarAgreesWithTheLibrary) {
  EXPECT_THAT(check_plugin(BERMUDA_PLUGIN_FOLDER "/bermuda_neural.methods.json"),
              testing::IsEmpty());
}

}  // namespace
}  // namespace bermuda::train
