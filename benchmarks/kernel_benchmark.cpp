// Claims: WL features and SVM of one NCI1 fold at least 10 times faster than GraKeL and SVC, of
// 10,000 triangles graphs at least 50 times; sampled graphlets at least 200 times; exact
// 5-graphlets of 10,000 triangles graphs within 2 s; svm-wl on 10,000 graphs under 500 MB.
// Usage: kernel_benchmark [NCI1_FOLDER [GRAM_FILE]]: with a file name, also writes the NCI1 fold's
// kernel matrix for benchmarks/peers/svc_precomputed.py.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/graph/graphlets.hpp"
#include "bermuda/kernel/feature_map.hpp"
#include "bermuda/linear/linear_trainer.hpp"
#include "bermuda/method/evaluation.hpp"
#include "measure.hpp"

namespace {

using namespace bermuda;

// GraKeL 0.1.11 on one core of this kind of machine, the faster figure of each range, in seconds.
constexpr double kGrakelNci1 = 4.3 + 0.17;
constexpr double kGrakelTriangles = 16;
constexpr double kGrakelSampling = 23;

void write_gram(const FeatureRows& rows, const std::vector<int>& labels, const std::string& path) {
  const std::vector<double> gram = gram_matrix(rows, rows);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw Error(path + ": cannot write");
  std::vector<double> classes(labels.begin(), labels.end());
  std::fwrite(classes.data(), sizeof(double), classes.size(), file);
  std::fwrite(gram.data(), sizeof(double), gram.size(), file);
  std::fclose(file);
}

void wl_and_svm(const char* name, const std::vector<const Sample*>& samples, double peer,
                const std::string& gram_file) {
  std::vector<int> labels;
  for (const Sample* sample : samples) labels.push_back(sample->label);
  std::vector<std::size_t> all(samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const double start = benchmarks::cpu_seconds();
  const auto map = make_wl_features({5, 5, false});
  FeatureRows rows = map->fit(samples, {}).front();
  normalise(rows);
  const double features = benchmarks::cpu_seconds();
  const LinearTrainer trainer(rows, labels, 2);
  const LinearModel model =
      trainer.train(all, {.loss = Loss::kSquaredHinge, .cost = 1, .tolerance = 0.1});
  const double trained = benchmarks::cpu_seconds();
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double norm = 0;
    for (const auto& entry : rows.row(i)) norm += entry.value * entry.value;
    if (std::abs(norm - 1) > 1e-9) throw Error("a row is not normalised");
  }
  fmt::print(
      "{}: {} graphs, WL h = 5: features {:.3f} s, SVM (C = 1) {:.3f} s CPU; GraKeL and "
      "SVC {:.2f} s: {:.0f} x\n",
      name, samples.size(), features - start, trained - features, peer, peer / (trained - start));
  if (!gram_file.empty()) write_gram(rows, labels, gram_file);
}

}  // namespace

int main(int argc, char** argv) {
  const auto task = make_task("triangles");
  const DataSet triangles = generate_candidates(*task, 1, 10000, {});
  wl_and_svm("triangles", triangles.all(), kGrakelTriangles, "");
  fmt::print("  peak memory {:.0f} MB\n", benchmarks::peak_megabytes());

  const std::vector<const Sample*> all = triangles.all();
  const std::vector<const Sample*> thousand(all.begin(), all.begin() + 1000);
  double start = benchmarks::cpu_seconds();
  make_graphlet_features({.size = 5, .samples = 200})->fit(thousand, {});
  const double sampled = benchmarks::cpu_seconds() - start;
  fmt::print(
      "graphlet sampling, k = 5, 200 samples, 1000 graphs: {:.3f} s CPU; GraKeL {} s: {:.0f} "
      "x\n",
      sampled, kGrakelSampling, kGrakelSampling / sampled);

  start = benchmarks::cpu_seconds();
  std::uint64_t found = 0;
  for (const Sample* sample : all) {
    const auto counts = count_connected_graphlets(sample->graph, 5);
    found += std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  fmt::print("exact 5-graphlets, 10000 graphs: {:.3f} s CPU, {} found\n",
             benchmarks::cpu_seconds() - start, found);

  if (argc > 1) {
    const DataSet nci1 = read_dataset(argv[1]);
    FoldParts parts = fold_parts(nci1, 0);
    parts.train.insert(parts.train.end(), parts.validation.begin(), parts.validation.end());
    wl_and_svm("NCI1 fold 0", parts.train, kGrakelNci1, argc > 2 ? argv[2] : "");
  }
}
