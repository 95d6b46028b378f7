#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/method.hpp"
#include "bermuda/run/asked.hpp"

namespace bermuda {

/// Goes up when a change of the program makes any method's results differ: stored runs of before
/// are then no longer taken for today's. 2: products, sums and attention of the graph neural
/// networks are added up in another order. 3: a run's random numbers follow from its fold too,
/// folds of data with a test split keep isomorphic graphs together, support vector machines fit on
/// the training part alone.
inline constexpr int kResultVersion = 3;

/// One run: everything that its result depends on. Two runs with the same key find the same.
struct RunSpec {
  std::string method;
  nlohmann::ordered_json options = nlohmann::ordered_json::object();  ///< Settings::values()
  std::string data;                                                   ///< name, for people
  std::string data_checksum;                                          ///< data_checksum() of it
  int fold = 0;
  std::uint64_t seed = 1;
  std::string initial = {};  ///< checksum of what the method began with; empty: from nothing
  /// fit_checksum() of data and fold: the graphs that the fit alone depends on. A checkpoint and
  /// the record of a run folder know their graphs by this.
  std::string fit_checksum = {};
  Folding folding = Folding::kUsual;  ///< as plain_folding() has it
  std::vector<Ask> asks = {};         ///< what its model is asked beside the test graphs

  /// SHA-256 of all of these but `data` and `fit_checksum`, and of the version.
  std::string key(int result_version = kResultVersion) const;
  /// "gcn+d on triangles, fold 0", with the seed where it is not 1. `called` stands for the method
  /// where a table has a name of its own for it, as for rows that differ by an option.
  std::string text(std::string_view called = {}) const;
};

/// The options as the key has them: sorted, and the same for records of earlier versions, where an
/// option that was left open had a number instead of null.
nlohmann::json options_of_key(const nlohmann::ordered_json& options);

/// What a method is given as its seed: another number for each fold, so that runs differ in first
/// weights, batches and index draws, not in their graphs alone.
std::uint64_t fit_seed(std::uint64_t seed, int fold);

/// The run of a method as it is set up now. `initial` is FitTask::initial.
RunSpec describe_run(const Method& method, const DataSet& data, int fold, std::uint64_t seed,
                     std::string_view initial = {}, Folding folding = Folding::kUsual,
                     const Execution& execution = {});

/// The method of the run with its options set. Throws UsageError for options that it does not know.
std::unique_ptr<Method> make_method(const MethodRegistry& methods, const RunSpec& spec);

/// SHA-256 over ids, classes and graphs. O(size of the data), as are the next two.
std::string samples_checksum(Samples train, Samples validation);
/// Over class names, names of splits, ids, classes and graphs.
std::string data_checksum(const DataSet& data);
/// Of the graphs that the fold trains and validates on.
std::string fit_checksum(const DataSet& data, int fold, Folding folding = Folding::kUsual,
                         const Execution& execution = {});

/// How `stored`, the run of a `what` ("checkpoint"), differs from one that is about to go on from
/// there; one text each, e.g. "--width: checkpoint has 146, now 110". Parameters that only say when
/// to stop may differ, and so may the data's name and its test graphs.
std::vector<std::string> fit_differences(const RunSpec& stored, const RunSpec& now,
                                         const Settings& settings, std::string_view what);

/// For messages between processes and for exports. Reading throws JSON's exceptions and JsonError.
nlohmann::ordered_json to_json(const RunSpec& spec);
RunSpec run_spec_of(const nlohmann::ordered_json& json);
std::uint64_t seed_of(const nlohmann::ordered_json& json);

/// For the files of an unfinished or finished fit (checkpoint, run.json), where "data_checksum" is
/// fit_checksum: test graphs may change without harm to a fit.
nlohmann::ordered_json fit_json(const RunSpec& spec);
RunSpec fit_spec_of(const nlohmann::ordered_json& json);

}  // namespace bermuda
