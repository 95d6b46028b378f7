#include "bermuda/kernel/register.hpp"

#include "svm_method.hpp"

namespace bermuda {
namespace {

constexpr const char* kNoNormalise = "do not divide a graph's features by their length";
constexpr const char* kRawCounts = "take counts as they are, not log(1 + count)";

class SvmWl : public SvmMethod {
 public:
  SvmWl() : SvmMethod("svm-wl") {}

 protected:
  void add_parameters(ParameterSet& set) override {
    set.add("min-rounds", options_.min_rounds, 0, kMostRounds, "fewest rounds h to choose from")
        .add("max-rounds", options_.max_rounds, 0, kMostRounds, "most rounds h to choose from")
        .add("edge-labels", options_.edge_labels, "let edge labels tell neighbours apart")
        .add("no-normalise", options_.raw_length, kNoNormalise);
  }
  std::unique_ptr<FeatureMap> make_map(std::uint64_t) const override {
    if (options_.min_rounds > options_.max_rounds) {
      throw UsageError("--min-rounds is larger than --max-rounds");
    }
    return make_wl_features(options_);
  }

 private:
  WlFeatureOptions options_;
};

class SvmGraphlet : public SvmMethod {
 public:
  SvmGraphlet() : SvmMethod("svm-graphlet") { options_.samples = 1000; }

 protected:
  void add_parameters(ParameterSet& set) override {
    set.add("size", options_.size, 3, 5, "k: nodes of a graphlet")
        .add("samples", options_.samples, 1, 10'000'000, "node sets drawn from each graph")
        .add("connected", options_.connected, "draw connected node sets only")
        .add("mixed-sizes", options_.mixed_sizes, "draw the size of each set from 3..k first")
        .add("raw-counts", options_.raw_counts, kRawCounts)
        .add("no-normalise", options_.raw_length, kNoNormalise);
  }
  std::unique_ptr<FeatureMap> make_map(std::uint64_t seed) const override {
    GraphletFeatureOptions options = options_;
    options.seed = seed;
    return make_graphlet_features(options);
  }

 private:
  GraphletFeatureOptions options_;
};

class SvmGraphletExact : public SvmMethod {
 public:
  SvmGraphletExact() : SvmMethod("svm-graphlet-exact") {}

 protected:
  void add_parameters(ParameterSet& set) override {
    set.add("size", options_.size, 3, 5, "k: connected graphlets of 3..k nodes are counted")
        .add("raw-counts", options_.raw_counts, kRawCounts)
        .add("no-normalise", options_.raw_length, kNoNormalise);
  }
  std::unique_ptr<FeatureMap> make_map(std::uint64_t) const override {
    return make_graphlet_features(options_);
  }

 private:
  GraphletFeatureOptions options_;
};

class SvmLabels : public SvmMethod {
 public:
  SvmLabels() : SvmMethod("svm-labels") {}

 protected:
  void add_parameters(ParameterSet&) override {}
  std::unique_ptr<FeatureMap> make_map(std::uint64_t) const override {
    return make_label_features();
  }
};

template <typename MethodType>
std::unique_ptr<Method> make() {
  return std::make_unique<MethodType>();
}

}  // namespace

void register_kernel_methods(MethodRegistry& registry) {
  registry.add({"svm-wl", "SVM on Weisfeiler-Leman subtree features", make<SvmWl>});
  registry.add({"svm-graphlet", "SVM on graphlets of sampled node sets", make<SvmGraphlet>});
  registry.add(
      {"svm-graphlet-exact", "SVM on counts of all connected graphlets", make<SvmGraphletExact>});
  registry.add({"svm-labels", "SVM on label histograms, blind to structure", make<SvmLabels>});
}

}  // namespace bermuda
