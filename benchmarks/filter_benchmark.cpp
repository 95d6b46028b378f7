// Claim: filtering 200,000 candidates to 12,000 on one core is at least 70 (goal 100) times faster
// than the original (scikit-learn's saga, 10 rounds), under 1 GB.
// Usage: filter_benchmark TASK [MATRIX_FILE]: with a file name, also writes the feature matrix in
// svmlight format for benchmarks/peers/logistic_saga.py.
#include <fmt/format.h>
#include <fmt/os.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/probe/features.hpp"
#include "bermuda/probe/filter.hpp"
#include "measure.hpp"

namespace {

constexpr std::size_t kCandidates = 200000;
constexpr double kOriginal = 705;  // CPU seconds of the original on triangles

void write_matrix(const bermuda::DataSet& data, const char* path) {
  const auto samples = data.all();
  const bermuda::PresenceRows rows = bermuda::undermanned_features(samples, {});
  auto file = fmt::output_file(path);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    file.print("{}", samples[i]->label);
    for (const std::uint32_t column : rows.row(i)) file.print(" {}:1", column);
    file.print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bermuda;
  const std::string name = argc > 1 ? argv[1] : "triangles";
  const auto task = make_task(name);
  DataSet candidates = generate_candidates(*task, 1, kCandidates, {});
  if (argc > 2) write_matrix(candidates, argv[2]);

  const double start = benchmarks::cpu_seconds();
  FilterOptions options;
  const FilterResult result = filter_dataset(std::move(candidates), options, 1, {});
  const double seconds = benchmarks::cpu_seconds() - start;

  for (const Split& split : result.data.splits) {
    const auto counts = result.data.class_counts(split);
    if (counts[0] != counts[1]) throw Error("classes are not balanced");
  }
  if (result.report.isomorphs_across != 0) throw Error("isomorphs across splits");
  fmt::print("{}: {} candidates to {}, one thread\n", name, kCandidates, result.data.size());
  fmt::print("  filter {:.2f} s CPU, original {} s (triangles): {:.0f} x faster\n", seconds,
             kOriginal, kOriginal / seconds);
  fmt::print("  accuracy {:.4f} before, {:.4f} after\n", result.report.before.accuracy,
             result.report.after.accuracy);
  fmt::print("  peak memory {:.0f} MB, generation included\n", benchmarks::peak_megabytes());
}
