#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "bermuda/generate/generate.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/bytes.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {
namespace {

struct Outcome {
  double test_accuracy;
  std::vector<std::vector<double>> scores;
};

Outcome run(const std::string& name, const DataSet& data, int threads,
            const std::vector<std::pair<std::string, std::string>>& options = {}) {
  MethodRegistry registry;
  register_kernel_methods(registry);
  const auto method = registry.get(name).make();
  for (const auto& [key, value] : options) method->parameters().get(key).set(value);
  Execution execution;
  execution.threads = threads;
  const FoldParts parts = fold_parts(data, 0);
  method->fit({parts.train, parts.validation, 2, 1}, execution);
  const auto predictions = method->predict(parts.test, execution);
  Outcome outcome{measure(parts.test, predictions, 2).accuracy, {}};
  for (const Prediction& prediction : predictions) outcome.scores.push_back(prediction.scores);
  return outcome;
}

DataSet triangles(std::size_t count) {
  const auto task = make_task("triangles");
  return generate_candidates(*task, 3, count, {});
}

TEST(SvmMethods, SeeTrianglesOrNotAsTheyShould) {
  const DataSet data = triangles(1500);
  EXPECT_GT(run("svm-graphlet-exact", data, 2).test_accuracy, 0.999);
  EXPECT_GT(run("svm-graphlet", data, 2).test_accuracy, 0.97);
  EXPECT_LT(run("svm-labels", data, 2).test_accuracy, 0.75);
}

TEST(SvmMethods, SameForAnyNumberOfThreads) {
  const DataSet data = triangles(400);
  for (const char* name : {"svm-wl", "svm-graphlet", "svm-graphlet-exact", "svm-labels"}) {
    EXPECT_EQ(run(name, data, 1).scores, run(name, data, 2).scores) << name;
  }
  EXPECT_EQ(run("svm-wl", data, 1, {{"solver", "kernel"}}).scores,
            run("svm-wl", data, 2, {{"solver", "kernel"}}).scores);
}

TEST(SvmMethods, BothSolversReachAboutTheSame) {
  const DataSet data = triangles(1500);
  EXPECT_NEAR(run("svm-graphlet-exact", data, 2, {{"solver", "kernel"}}).test_accuracy,
              run("svm-graphlet-exact", data, 2).test_accuracy, 0.02);
}

constexpr std::array<const char*, 4> kMethods = {"svm-wl", "svm-graphlet", "svm-graphlet-exact",
                                                 "svm-labels"};

std::unique_ptr<Method> made(const std::string& name,
                             const std::vector<std::pair<std::string, std::string>>& options) {
  MethodRegistry registry;
  register_kernel_methods(registry);
  auto method = registry.get(name).make();
  for (const auto& [key, value] : options) method->parameters().get(key).set(value);
  return method;
}

/// What a method has learnt from the first graphs when others validate: all bytes of it.
std::string learnt(const std::string& name, Samples train, Samples validation, bool refit) {
  std::vector<std::pair<std::string, std::string>> options = {{"costs", "1"}};
  if (name == "svm-wl") options.insert(options.end(), {{"min-rounds", "2"}, {"max-rounds", "2"}});
  if (refit) options.emplace_back("refit", "on");
  const auto method = made(name, options);
  method->fit({train, validation, 2, 1}, {});
  ByteWriter out;
  method->save(out);
  return out.bytes();
}

TEST(SvmMethods, LearnFromTrainingDataAlone) {
  const DataSet data = triangles(300);
  const std::vector<const Sample*> all = data.all();
  const Samples train = Samples(all).first(200);
  const Samples one = Samples(all).subspan(200, 50);
  const Samples other = Samples(all).subspan(250);
  for (const char* name : kMethods) {
    EXPECT_EQ(learnt(name, train, one, false), learnt(name, train, other, false)) << name;
    EXPECT_NE(learnt(name, train, one, true), learnt(name, train, other, true)) << name;
    EXPECT_EQ(learnt(name, train, one, true), learnt(name, Samples(all).first(250), {}, false))
        << name;
  }
}

TEST(SvmMethods, TellTheValidationAccuracyOfTheModelThatTheyKeep) {
  const DataSet data = triangles(400);
  const FoldParts parts = fold_parts(data, 0);
  for (const char* name : kMethods) {
    const auto method = made(name, {});
    const FitReport report = method->fit({parts.train, parts.validation, 2, 1}, {});
    const auto said = method->predict(parts.validation, {});
    EXPECT_DOUBLE_EQ(report.validation_accuracy, measure(parts.validation, said, 2).accuracy)
        << name;
  }
}

/// How often class 1, which is rare and of which too little can be seen, is answered.
std::size_t rare_answers(const std::string& name, const std::string& no_weights) {
  DataSet data = triangles(600);
  std::vector<const Sample*> train;
  std::size_t ones = 0;
  for (const Sample* sample : data.all()) {
    if (sample->label == 0 || ++ones <= 30) train.push_back(sample);
  }
  const auto method = made(name, {{"costs", "1"}, {"no-class-weights", no_weights}});
  method->fit({train, {}, 2, 1}, {});
  const auto said = method->predict(data.all(), {});
  return static_cast<std::size_t>(
      std::ranges::count_if(said, [](const Prediction& p) { return p.label == 1; }));
}

TEST(SvmMethods, WeighClassesUnlessToldNotTo) {
  EXPECT_LT(rare_answers("svm-labels", "on"), 10U);
  EXPECT_GT(rare_answers("svm-labels", "off"), 100U);
}

}  // namespace
}  // namespace bermuda
