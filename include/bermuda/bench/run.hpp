#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// Goes up when a change of the program makes any method's results differ: stored runs of before
/// are then no longer taken for today's.
inline constexpr int kResultVersion = 1;

/// One run: everything that its result depends on.
struct RunSpec {
  std::string method;
  nlohmann::ordered_json options = nlohmann::ordered_json::object();  ///< ParameterSet::values()
  std::string data;                                                   ///< name, for people
  std::string data_checksum;                                          ///< data_checksum() of it
  int fold = 0;
  std::uint64_t seed = 1;

  /// SHA-256 of all that but the name.
  std::string key() const;
  std::string text() const;  ///< "gcn+d on triangles, fold 0"
};

/// What was said of one test graph.
struct Answer {
  int place = 0;  ///< of the graph in tested_samples()
  int said = 0;   ///< the class it was given
  int truth = 0;  ///< the class it has
};

/// What a run found. Two runs of the same key differ only in what is below the line.
struct RunResult {
  int epochs = 1;
  int best_epoch = 1;
  double validation_accuracy = 0;
  Metrics test;
  std::size_t train_graphs = 0;
  std::size_t validation_graphs = 0;
  nlohmann::ordered_json chosen = nlohmann::ordered_json::object();
  std::vector<EpochRecord> curve;
  std::vector<Answer> answers;  ///< one a test graph
  // ---
  double seconds = 0;
  double cpu_seconds = 0;
  std::string host;
  std::string program_version;
};

/// Over class names, names of splits, ids, classes and graphs. O(size of the data).
std::string data_checksum(const DataSet& data);

/// The graphs that some fold tests on: the split "test" where there is one beside "train", else
/// all.
std::vector<const Sample*> tested_samples(const DataSet& data);

/// The method with the options set. Throws UsageError for options that it does not know.
std::unique_ptr<Method> make_method(const MethodRegistry& methods, const std::string& name,
                                    const nlohmann::ordered_json& options);

/// Fits and tests. While it runs, and after an interruption, `checkpoint` holds where it is; a
/// checkpoint of the same run that stands there is taken up, anything else there is replaced.
/// The file is left for the caller to remove once the result is safe.
RunResult execute_run(const RunSpec& spec, const DataSet& data, const MethodRegistry& methods,
                      const std::filesystem::path& checkpoint, const Execution& execution);

/// What `method`, fitted, says of the test graphs.
void test_method(const Method& method, const DataSet& data, const FoldParts& parts,
                 const Execution& execution, RunResult& result);

nlohmann::ordered_json to_json(const RunSpec& spec);
nlohmann::ordered_json to_json(const RunResult& result);
RunSpec run_spec_of(const nlohmann::ordered_json& json);
RunResult run_result_of(const nlohmann::ordered_json& json);

}  // namespace bermuda
