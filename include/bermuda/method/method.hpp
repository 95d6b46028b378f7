#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/parameter.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/bytes.hpp"

namespace bermuda {

using Samples = std::span<const Sample* const>;

/// What a method says of one graph.
struct Prediction {
  int label = 0;
  std::vector<double> scores;  ///< one a class, larger means likelier; probabilities where it can
};

/// What fitting found out, beside the model itself.
struct FitReport {
  int epochs = 1;
  int best_epoch = 1;
  double validation_accuracy = 0;
  nlohmann::ordered_json details = nlohmann::ordered_json::object();  ///< e.g. the chosen C
};

/// A classifier of graphs, kernel or neural. Made by its factory, set up through parameters(), then
/// either fitted or loaded, then asked.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  /// The options, bound to this object: they feed the command line, configurations and docs.
  virtual ParameterSet parameters() = 0;
  /// Learns from train; validation is for choices (C, epochs), never test data. The same input and
  /// seed give the same model for any number of threads.
  virtual FitReport fit(Samples train, Samples validation, int classes, std::uint64_t seed,
                        const Execution& execution) = 0;
  virtual std::vector<Prediction> predict(Samples samples, const Execution& execution) const = 0;
  /// Everything that predict() needs, but the options: these are kept beside it.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
};

struct MethodInfo {
  std::string name;
  std::string summary;
  /// Test accuracy in the paper, per cent, triangles and clique-distance; negative: not there.
  double paper_triangles = -1;
  double paper_clique_distance = -1;
  std::function<std::unique_ptr<Method>()> make;
};

/// The methods that a program knows. Modules add theirs by a call, e.g.
/// register_kernel_methods(registry); nothing registers itself.
class MethodRegistry {
 public:
  /// Throws UsageError when the name is taken.
  void add(MethodInfo info);
  const std::vector<MethodInfo>& all() const { return methods_; }
  /// Throws UsageError that lists the methods when there is none of this name.
  const MethodInfo& get(std::string_view name) const;

 private:
  std::vector<MethodInfo> methods_;
};

}  // namespace bermuda
