#include <gtest/gtest.h>

#include "bermuda/generate/generate.hpp"
#include "bermuda/kernel/register.hpp"
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

}  // namespace
}  // namespace bermuda
