#include "bermuda/probe/filter.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/graph/canonical.hpp"

namespace bermuda {
namespace {

DataSet candidates(std::size_t count, const char* name = "triangles") {
  const auto task = make_task(name);
  Execution execution;
  execution.threads = 2;
  return generate_candidates(*task, 9, count, execution);
}

FilterOptions small_options() {
  FilterOptions options;
  options.train = 600;
  options.valid = 100;
  options.test = 100;
  return options;
}

FilterResult run(const FilterOptions& options, int threads = 2, std::uint64_t seed = 1) {
  Execution execution;
  execution.threads = threads;
  return filter_dataset(candidates(6000), options, seed, execution);
}

TEST(Filter, SizesBalanceAndBuckets) {
  const FilterResult result = run(small_options());
  ASSERT_EQ(result.data.splits.size(), 3U);
  const std::vector<std::pair<std::string, std::size_t>> expected = {
      {"train", 600}, {"valid", 100}, {"test", 100}};
  for (std::size_t s = 0; s < 3; ++s) {
    const Split& split = result.data.splits[s];
    EXPECT_EQ(split.name, expected[s].first);
    EXPECT_EQ(split.samples.size(), expected[s].second);
    const auto counts = result.data.class_counts(split);
    EXPECT_EQ(counts[0], counts[1]);
    std::size_t misses = 0;
    for (const Sample& sample : split.samples) {
      ASSERT_GE(sample.hits, 0);
      ASSERT_LE(sample.hits, 4);
      misses += sample.hits == 0 ? 1 : 0;
    }
    EXPECT_EQ(misses, split.samples.size() * 9 / 10);
  }
  EXPECT_TRUE(result.report.refills.empty());
  std::size_t kept = 0;
  for (const std::size_t count : result.report.kept_histogram) kept += count;
  EXPECT_EQ(kept, 800U);
}

TEST(Filter, NoIsomorphsAcrossSplitsUnlessAllowed) {
  const auto across = [](const DataSet& data) {
    std::set<std::string> earlier;
    std::size_t count = 0;
    for (const Split& split : data.splits) {
      std::set<std::string> here;
      for (const Sample& sample : split.samples) {
        const std::string form = canonical_form(sample.graph);
        count += earlier.contains(form) ? 1U : 0U;
        here.insert(form);
      }
      earlier.merge(here);
    }
    return count;
  };
  const FilterResult strict = run(small_options());
  EXPECT_EQ(across(strict.data), 0U);
  EXPECT_EQ(strict.report.isomorphs_across, 0U);
  FilterOptions loose = small_options();
  loose.allow_isomorphs = true;
  const FilterResult allowed = run(loose);
  EXPECT_GT(across(allowed.data), 0U);
  EXPECT_EQ(allowed.report.isomorphs_across, across(allowed.data));
}

TEST(Filter, SameForAnyNumberOfThreadsDifferentForAnotherSeed) {
  const FilterResult one = run(small_options(), 1);
  const FilterResult two = run(small_options(), 2);
  EXPECT_EQ(one.data.splits, two.data.splits);
  EXPECT_EQ(one.data.provenance, two.data.provenance);
  EXPECT_NE(one.data.splits, run(small_options(), 2, 2).data.splits);
}

TEST(Filter, CandidatesThatNobodyHoldsAreFilteredTheSame) {
  const FilterOptions options = small_options();
  const FilterResult held = run(options, 1);
  const auto task = make_task("triangles");
  for (const int threads : {1, 3}) {
    Execution execution;
    execution.threads = threads;
    const auto source = candidate_source(*task, 9, 6000);
    const FilterResult made = filter_samples(source.get(), options, 1, execution);
    EXPECT_EQ(made.data.splits, held.data.splits);
    EXPECT_EQ(made.data.provenance, held.data.provenance);
    EXPECT_EQ(made.data.name, held.data.name);
    EXPECT_EQ(made.data.class_names, held.data.class_names);
  }
}

TEST(Filter, EveryItemIsValidatedFourTimesAndHitsAreRight) {
  // Size decides the class: the classifier must be right and sure on every item, every time.
  DataSet data;
  data.class_names = {"0", "1"};
  data.splits.push_back({"all", {}});
  for (int i = 0; i < 400; ++i) {
    Sample sample;
    sample.id = std::to_string(i);
    sample.label = i / 3 % 2;
    std::vector<Edge> edges;
    for (int v = 1; v < (sample.label == 1 ? 9 : 5); ++v) edges.push_back({v - 1, v});
    sample.graph = Graph(sample.label == 1 ? 9 : 5, edges);
    data.splits[0].samples.push_back(std::move(sample));
  }
  const auto samples = data.all();
  FilterOptions options;
  const HitCounts counts = count_hits(samples, options, {});
  for (const int hits : counts.hits) EXPECT_EQ(hits, 4);
  EXPECT_EQ(counts.figures.accuracy, 1.0);
  EXPECT_EQ(counts.figures.coverage, 1.0);
  EXPECT_EQ(counts.figures.confident_accuracy, 1.0);
  options.train_folds = 9;
  for (const int hits : count_hits(samples, options, {}).hits) EXPECT_EQ(hits, 1);
}

TEST(Filter, ShortBucketsAreRefilledAndSaidSo) {
  FilterOptions options = small_options();
  options.easy_share = 0.9;
  options.train = 4000;
  const FilterResult result = run(options);
  EXPECT_FALSE(result.report.refills.empty());
  for (const Split& split : result.data.splits) {
    const auto counts = result.data.class_counts(split);
    EXPECT_EQ(counts[0], counts[1]);
  }
}

TEST(Filter, MissesOnlyTakesMissesOnly) {
  FilterOptions options = small_options();
  options.easy_share = 0;
  for (const Split& split : run(options).data.splits) {
    for (const Sample& sample : split.samples) EXPECT_EQ(sample.hits, 0);
  }
  options.train = 5600;
  EXPECT_THROW(run(options), UsageError);
}

TEST(Filter, RefusesWhatCannotBe) {
  FilterOptions odd = small_options();
  odd.valid = 101;
  EXPECT_THROW(run(odd), UsageError);
  FilterOptions large = small_options();
  large.train = 10000;
  EXPECT_THROW(run(large), UsageError);
  FilterOptions folds = small_options();
  folds.train_folds = 10;
  EXPECT_THROW(run(folds), UsageError);
  DataSet three = candidates(2000);
  three.class_names.push_back("2");
  EXPECT_THROW(filter_dataset(std::move(three), small_options(), 1, {}), UsageError);
}

TEST(Filter, MakesTheUndermannedClassifierUseless) {
  for (const char* name : {"triangles", "clique-distance"}) {
    FilterOptions options;
    options.train = 2000;
    options.valid = 200;
    options.test = 200;
    Execution execution;
    execution.threads = 2;
    const FilterResult result = filter_dataset(candidates(40000, name), options, 1, execution);
    EXPECT_GT(result.report.before.accuracy, 0.62) << name;
    EXPECT_LT(result.report.after.accuracy, 0.60) << name;
  }
}

}  // namespace
}  // namespace bermuda
