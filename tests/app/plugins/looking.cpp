// Methods that learn nothing and look at something simple: for the tests of explain and predict.
#include <algorithm>
#include <memory>

#include "bermuda/core/error.hpp"
#include "bermuda/method/plugin.hpp"

namespace {

using namespace bermuda;

class Looking : public Method {
 public:
  explicit Looking(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  ParameterSet parameters() override { return {}; }
  FitReport fit(const FitTask&, const Execution&) override { return {}; }
  void save(ByteWriter& out) const override { out.number(kNothing); }
  void load(ByteReader& in) override { in.number<int>(); }

  std::vector<Prediction> predict(Samples samples, const Execution&) const override {
    std::vector<Prediction> predictions;
    for (const Sample* sample : samples) {
      const int label = answer(sample->graph) ? 1 : 0;
      predictions.push_back({label, {score(), score()}});
    }
    return predictions;
  }

 protected:
  virtual bool answer(const Graph& graph) const = 0;
  virtual double score() const { return 0.5; }

 private:
  static constexpr int kNothing = 0;
  std::string name_;
};

int triangles_at(const Graph& graph, const Edge& edge) {
  int count = 0;
  for (int v = 0; v < graph.node_count(); ++v) {
    if (graph.has_edge(edge.u, v) && graph.has_edge(edge.v, v)) ++count;
  }
  return count;
}

class LooksEvenly : public Looking {
 public:
  LooksEvenly() : Looking("looks-evenly") {}

  Explanations explain(Samples samples, const ExplainOptions& options,
                       const Execution&) const override {
    Explanations found{"the same for all", {}};
    for (const int layer : options.layers) {
      if (layer > 2) throw UsageError("--layers: there are two");
      found.how += ", layer " + std::to_string(layer);
    }
    for (const Sample* sample : samples) {
      found.edge_weights.emplace_back(sample->graph.edges().size(), 0.25);
    }
    return found;
  }

 protected:
  bool answer(const Graph& graph) const override { return graph.node_count() % 2 == 0; }
};

class LooksAtTriangles : public Looking {
 public:
  LooksAtTriangles() : Looking("looks-at-triangles") {}

  Explanations explain(Samples samples, const ExplainOptions&, const Execution&) const override {
    Explanations found{"triangles an edge is in", {}};
    for (const Sample* sample : samples) {
      std::vector<double>& weights = found.edge_weights.emplace_back();
      for (const Edge& edge : sample->graph.edges()) {
        weights.push_back(triangles_at(sample->graph, edge));
      }
    }
    return found;
  }

 protected:
  bool answer(const Graph& graph) const override {
    return std::ranges::any_of(graph.edges(),
                               [&](const Edge& edge) { return triangles_at(graph, edge) > 0; });
  }
};

class LooksNowhereValid : public Looking {
 public:
  LooksNowhereValid() : Looking("looks-nowhere-valid") {}

  Explanations explain(Samples samples, const ExplainOptions&, const Execution&) const override {
    return {"nothing", std::vector<std::vector<double>>(samples.size(), {1.0})};
  }

 protected:
  bool answer(const Graph&) const override { return true; }
};

class LooksAtOrder : public Looking {
 public:
  LooksAtOrder() : Looking("looks-at-order") {}
  ParameterSet parameters() override {
    ParameterSet set;
    set.add("eval-shuffles", eval_shuffles_, 1, 100, "what it gives as score");
    return set;
  }

 protected:
  bool answer(const Graph& graph) const override {
    const std::vector<int> degrees = graph.degrees();
    return !degrees.empty() && degrees.front() == *std::ranges::max_element(degrees);
  }
  double score() const override { return eval_shuffles_; }

 private:
  int eval_shuffles_ = 4;
};

template <typename Made>
void add(MethodRegistry& registry, const char* name, const char* summary) {
  registry.add({name, summary, [] { return std::make_unique<Made>(); }});
}

}  // namespace

BERMUDA_PLUGIN(registry) {
  add<LooksEvenly>(registry, "looks-evenly", "All edges count the same (for tests)");
  add<LooksAtTriangles>(registry, "looks-at-triangles",
                        "Only edges of triangles count (for tests)");
  add<LooksNowhereValid>(registry, "looks-nowhere-valid", "Gives too few weights (for tests)");
  add<LooksAtOrder>(registry, "looks-at-order", "Is node 0 the one of largest degree? (for tests)");
}
