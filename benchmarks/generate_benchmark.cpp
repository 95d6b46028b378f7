// Claim: 200,000 candidates on one core, written to disk, 200 times faster than the original
// scripts, under 300 MB.  Usage: generate_benchmark TASK [PARAMETER VALUE]...
// `count 2000000` among the parameters asks for so many, and writes them only.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/encoded.hpp"
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

std::string compared(const std::string& name, std::size_t count, double seconds) {
  const auto original = kOriginals.find(name);
  if (original == kOriginals.end() || count != kCandidates) return "";
  return fmt::format(", {:.0f} x faster than the original script ({} s)",
                     original->second / seconds, original->second);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bermuda;
  const std::string name = argc > 1 ? argv[1] : "triangles";
  const auto task = make_task(name);
  const ParameterSet parameters = task->parameters();
  std::size_t count = kCandidates;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "count") {
      count = std::stoul(argv[i + 1]);
    } else {
      parameters.get(argv[i]).set(argv[i + 1]);
    }
  }
  check_answer(*task);

  // As the command does it: in parts, which are written as they come.
  const auto folder = std::filesystem::temp_directory_path() / "bermuda-generate-benchmark";
  const double start = benchmarks::cpu_seconds();
  SplitWriter writer(describe_candidates(*task, 1, count), folder, true);
  generate_parts(*task, 1, count, {}, [&](const EncodedSplit& part) { writer.add(part); });
  const std::size_t graphs = writer.finish().graphs();
  const double written = benchmarks::cpu_seconds() - start;
  std::filesystem::remove_all(folder);
  fmt::print("{}: {} graphs, one thread\n", name, graphs);
  fmt::print("  generate and write {:.3f} s CPU{}, peak memory {:.0f} MB\n", written,
             compared(name, count, written), benchmarks::peak_megabytes());
  if (count > kCandidates) return 0;

  const double again = benchmarks::cpu_seconds();
  const DataSet data = generate_candidates(*task, 1, count, {});
  const double generated = benchmarks::cpu_seconds() - again;
  fmt::print("  generate into memory {:.3f} s CPU{}, peak memory {:.0f} MB\n", generated,
             compared(name, count, generated), benchmarks::peak_megabytes());
}
