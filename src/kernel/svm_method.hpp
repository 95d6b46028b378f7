#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bermuda/kernel/feature_map.hpp"
#include "bermuda/linear/linear_model.hpp"
#include "bermuda/method/method.hpp"

namespace bermuda {

/// A support vector machine on the rows of a feature map, cosine-normalised where it says so. C,
/// and the level of the map where it has several, are chosen by the accuracy on validation data
/// (ties: the smaller one). Then it learns from training data, and from validation data too with
/// `refit`.
class SvmMethod : public Method {
 public:
  std::string_view name() const override { return name_; }
  ParameterSet parameters() override;
  FitReport fit(const FitTask& task, const Execution& execution) override;
  std::vector<Prediction> predict(Samples samples, const Execution& execution) const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  int classes() const override { return map_ ? model_.classes : 0; }
  std::optional<Views> views(const ViewRequest& request, const Execution& execution) override;

 protected:
  explicit SvmMethod(std::string name) : name_(std::move(name)) {}
  /// Adds the feature map's own options, bound to members of the derived class.
  virtual void add_parameters(ParameterSet& set) = 0;
  virtual std::unique_ptr<FeatureMap> make_map(std::uint64_t seed) const = 0;

 private:
  struct Choice {
    int level = 0;
    double cost = 1;
    double accuracy = -1;
  };
  /// Of so many graphs to train on: "linear" or "kernel".
  std::string solver_for(std::size_t graphs) const;
  Choice choose(FeatureMap& map, Samples train, Samples validation, int classes,
                const Execution& execution) const;

  std::string name_;
  std::string solver_ = "auto";
  std::vector<double> costs_ = {1e-3, 1e-2, 1e-1, 1, 10, 100, 1000};
  bool no_class_weights_ = false;
  bool refit_ = false;

  std::uint64_t seed_ = 1;
  std::unique_ptr<FeatureMap> map_;
  LinearModel model_;
};

}  // namespace bermuda
