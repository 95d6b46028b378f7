// Claim: 200,000 candidates on one core at least 100 (goal 200) times faster than the original
// scripts, clique-distance under 300 MB.  Usage: generate_benchmark TASK [PARAMETER VALUE]...
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/verify/verify.hpp"
#include "measure.hpp"

namespace {

constexpr std::size_t kCandidates = 200000;
// CPU seconds of the original scripts, same kind of machine.
const std::map<std::string, double> kOriginals = {{"triangles", 133}, {"clique-distance", 111}};

void check_answer(bermuda::Task& task) {
  const auto sample = bermuda::generate_candidates(task, 1, 2000, {});
  const auto report = bermuda::verify_dataset(sample, {}, {});
  if (!report.problems.empty()) throw bermuda::Error(report.problems.front().detail);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bermuda;
  const std::string name = argc > 1 ? argv[1] : "triangles";
  const auto task = make_task(name);
  const ParameterSet parameters = task->parameters();
  for (int i = 2; i + 1 < argc; i += 2) parameters.get(argv[i]).set(argv[i + 1]);
  check_answer(*task);

  const double start = benchmarks::cpu_seconds();
  const DataSet data = generate_candidates(*task, 1, kCandidates, {});
  const double generated = benchmarks::cpu_seconds();
  const auto folder = std::filesystem::temp_directory_path() / "bermuda-generate-benchmark";
  write_dataset(data, folder, true);
  const double written = benchmarks::cpu_seconds();
  std::filesystem::remove_all(folder);

  fmt::print("{}: {} graphs, one thread\n", name, kCandidates);
  fmt::print("  generate {:.2f} s CPU, write {:.2f} s CPU\n", generated - start,
             written - generated);
  if (const auto original = kOriginals.find(name); original != kOriginals.end()) {
    fmt::print("  original script {} s: {:.0f} x faster, {:.0f} x with writing\n", original->second,
               original->second / (generated - start), original->second / (written - start));
  }
  fmt::print("  peak memory {:.0f} MB\n", benchmarks::peak_megabytes());
}
