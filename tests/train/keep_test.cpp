#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_fits.hpp"

namespace bermuda::train {
namespace {

class Kept : public testing::Test {
 protected:
  std::unique_ptr<Method> with(const std::string& name, int epochs,
                               const std::vector<std::pair<const char*, const char*>>& options) {
    auto method = make(name, epochs);
    for (const auto& [option, value] : options) method->parameters().get(option).set(value);
    return method;
  }

  // Some classes are wrong, so that no epoch has everything right.
  std::vector<Sample> samples_ = [] {
    std::vector<Sample> all = rings_and_paths(80);
    for (std::size_t i = 0; i < all.size(); i += 7) all[i].label = 1 - all[i].label;
    return all;
  }();
  std::vector<const Sample*> all_ = pointers(samples_);
  Samples train_ = std::span(all_).first(50);
  Samples validation_ = std::span(all_).subspan(50);
};

TEST_F(Kept, IsTheEpochThatTheOptionNames) {
  for (const char* keep : {"accuracy", "loss", "last"}) {
    const auto method = with("gin+d", 12, {{"keep", keep}});
    const FitReport report = method->fit({train_, validation_, 2, 3}, {});
    const auto better = [&](const EpochRecord& a, const EpochRecord& b) {
      if (keep == std::string("last")) return a.epoch > b.epoch;
      if (keep == std::string("accuracy") && a.validation_accuracy != b.validation_accuracy) {
        return a.validation_accuracy > b.validation_accuracy;
      }
      return a.validation_loss < b.validation_loss;
    };
    const EpochRecord& expected = *std::ranges::min_element(report.curve, better);
    EXPECT_EQ(report.best_epoch, expected.epoch) << keep;
    EXPECT_EQ(report.validation_accuracy, expected.validation_accuracy);
    // It is what the method then answers with.
    const auto said = method->predict(validation_, {});
    double right = 0;
    for (std::size_t i = 0; i < said.size(); ++i) right += said[i].label == validation_[i]->label;
    EXPECT_NEAR(right / static_cast<double>(said.size()), expected.validation_accuracy, 1e-9);
  }
}

// The last epoch's answers are those of a fit that keeps it.
TEST_F(Kept, TheLastEpochAnswersToo) {
  for (const char* average : {"0", "0.9"}) {
    const auto kept = with("gin+d", 12, {{"average", average}, {"norm-batches", "3"}});
    const FitReport report = kept->fit({train_, validation_, 2, 3}, {});
    ASSERT_LT(report.best_epoch, report.epochs);
    const auto before = kept->predict(all_, {});
    const auto at_end = kept->predict_last(all_, {});
    ASSERT_EQ(at_end.size(), all_.size());
    const auto last =
        with("gin+d", 12, {{"average", average}, {"norm-batches", "3"}, {"keep", "last"}});
    last->fit({train_, validation_, 2, 3}, {});
    EXPECT_THAT(last->predict_last(all_, {}), testing::IsEmpty());
    const auto expected = last->predict(all_, {});
    const auto after = kept->predict(all_, {});
    bool same = true;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      EXPECT_EQ(at_end[i].scores, expected[i].scores);
      EXPECT_EQ(before[i].scores, after[i].scores);
      same = same && before[i].scores == at_end[i].scores;
    }
    EXPECT_FALSE(same);
  }
}

TEST_F(Kept, AveragesAndMeasuredNormsGoOnFromACheckpoint) {
  for (const char* name : {"gcn+d", "gat+d", "tf+am", "fcnn"}) {
    const std::vector<std::pair<const char*, const char*>> options = {
        {"average", "0.95"}, {"norm-batches", "4"}, {"decoupled-decay", "0.1"}};
    const auto whole = with(name, 7, options);
    whole->fit({train_, validation_, 2, 3}, {});
    MemoryJournal journal;
    for (const int stop : {2, 5, 7}) {
      journal.stop_after = stop;
      EXPECT_THROW(with(name, 7, options)->fit({train_, validation_, 2, 3, &journal}, {}),
                   Interrupted);
    }
    journal.stop_after = -1;
    const auto rest = with(name, 7, options);
    rest->fit({train_, validation_, 2, 3, &journal}, {});
    EXPECT_TRUE(bytes_of(*whole) == bytes_of(*rest)) << name;
    const auto expected = whole->predict_last(all_, {});
    const auto found = rest->predict_last(all_, {});
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(expected[i].scores, found[i].scores);
    for (const auto& [option, value] : options) {
      auto others = options;
      for (auto& [name_of_other, other] : others) {
        if (name_of_other == option) other = "0";
      }
      const auto without = with(name, 7, others);
      without->fit({train_, validation_, 2, 3}, {});
      EXPECT_TRUE(bytes_of(*whole) != bytes_of(*without)) << name << ' ' << option;
    }
  }
}

// A network that never learns (rate next to nothing) has running statistics of its first batches;
// measured ones are those of all, so validation sees what training saw.
TEST_F(Kept, MeasuredNormsAreThoseOfTheTrainingGraphs) {
  const auto measured = with("gin+d", 1,
                             {{"learning-rate", "1e-9"},
                              {"least-rate", "1e-9"},
                              {"batch-size", "50"},
                              {"norm-batches", "1"}});
  const auto running =
      with("gin+d", 1, {{"learning-rate", "1e-9"}, {"least-rate", "1e-9"}, {"batch-size", "50"}});
  const auto apart = [&](Method& method) {
    const EpochRecord epoch = method.fit({train_, train_, 2, 3}, {}).curve.front();
    return std::abs(epoch.train_loss - epoch.validation_loss);
  };
  EXPECT_LT(apart(*measured), 0.1 * apart(*running));
}

}  // namespace
}  // namespace bermuda::train
