#include "bermuda/nn/gnn.hpp"
#include "bermuda/train/neural_method.hpp"
#include "register.hpp"

namespace bermuda::train {
namespace {

enum class Kind { kGcn, kGcnSym, kGin, kGat };

class GnnMethod : public NeuralMethod {
 public:
  GnnMethod(std::string name, Kind kind, NodeFeatures features)
      : NeuralMethod(std::move(name), features), kind_(kind) {
    options_.symmetric = kind == Kind::kGcnSym;
    if (kind == Kind::kGin) options_.width = 110;
  }

 protected:
  void add_parameters(ParameterSet& set) override {
    set.add("layers", options_.layers, 1, 64, "rounds of message passing");
    set.add("dropout", options_.dropout, 0, 0.99,
            "share of what a layer gives that training drops; above 0 nothing is compressed");
    set.add("no-residual", no_residual_, "do not add what a layer began with to what it gives");
    if (kind_ == Kind::kGat) {
      set.add("heads", options_.heads, 1, 256, "of attention, in all layers but the last")
          .add("head-size", head_size_, 1, 4096, "numbers a head")
          .add("slope", options_.slope, 0, 1, "of LeakyReLU below zero");
    } else {
      set.add("width", options_.width, 1, 4096, "of a node's vector");
    }
  }

  std::shared_ptr<nn::Network> make_network(const nn::FeatureSpec& spec, int classes,
                                            nn::Initialiser& initialiser) const override {
    nn::GnnOptions options = options_;
    options.features = spec;
    options.classes = classes;
    options.engine = engine();
    options.width = width();
    options.residual = !no_residual_;
    if (kind_ == Kind::kGin) return nn::make_gin(options, initialiser);
    if (kind_ == Kind::kGat) return nn::make_gat(options, initialiser);
    return nn::make_gcn(options, initialiser);
  }

  double least_parameters() const override {
    return static_cast<double>(options_.layers) * width() * width();
  }

  Recipe recipe(bool tu) const override {
    Recipe recipe = NeuralMethod::recipe(tu);
    if (tu && kind_ == Kind::kGin) recipe.learning_rate = 7e-3;
    if (tu && (kind_ == Kind::kGcn || kind_ == Kind::kGcnSym)) recipe.learning_rate = 7e-4;
    return recipe;
  }

 private:
  int width() const { return kind_ == Kind::kGat ? options_.heads * head_size_ : options_.width; }

  Kind kind_;
  int head_size_ = 18;
  bool no_residual_ = false;
  nn::GnnOptions options_;
};

struct Family {
  Kind kind;
  const char* name;
  const char* what;
};

constexpr Family kFamilies[] = {
    {Kind::kGcn, "gcn", "graph convolutions, mean over neighbours"},
    {Kind::kGcnSym, "gcn-sym", "graph convolutions, normalised as by Kipf and Welling"},
    {Kind::kGin, "gin", "graph isomorphism network, sum over neighbours"},
    {Kind::kGat, "gat", "graph attention network"},
};

}  // namespace

void register_gnn_methods(MethodRegistry& registry) {
  for (const Family& family : kFamilies) {
    for (int variant = 0; variant < 3; ++variant) {
      const bool degree = variant > 0;
      const bool index = variant > 1;
      const std::string name =
          std::string(family.name) + (degree ? "+d" : "") + (index ? "+id" : "");
      const std::string summary =
          std::string(family.what) + (index    ? "; nodes know degree and index"
                                      : degree ? "; nodes know their degree"
                                               : "");
      registry.add(
          {name, summary, [name, kind = family.kind, features = NodeFeatures{degree, index}] {
             return std::make_unique<GnnMethod>(name, kind, features);
           }});
    }
  }
}

}  // namespace bermuda::train
