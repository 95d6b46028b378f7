// A method of one's own, as a plug-in: what share of a graph's nodes has 0, 1, 2, ... neighbours?
// A graph gets the class whose mean profile is nearest.
#include <algorithm>
#include <memory>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/plugin.hpp"

namespace {

using namespace bermuda;
using Profile = std::vector<double>;

class DegreeProfile : public Method {
 public:
  std::string_view name() const override { return "degree-profile"; }

  ParameterSet parameters() override {
    ParameterSet set;
    set.add("max-degree", max_degree_, 1, 1000, "larger degrees count as this one");
    return set;
  }

  FitReport fit(const FitTask& task, const Execution& execution) override {
    centroids_.assign(static_cast<std::size_t>(task.classes), Profile(width(), 0.0));
    std::vector<double> graphs(centroids_.size(), 0.0);
    const Stage stage(execution, "fit", task.train.size());
    for (const Sample* sample : task.train) {
      execution.check_stop();
      const auto label = static_cast<std::size_t>(sample->label);
      const Profile profile = profile_of(sample->graph);
      for (std::size_t i = 0; i < width(); ++i) centroids_[label][i] += profile[i];
      graphs[label] += 1;
      stage.advance(1);
    }
    for (std::size_t label = 0; label < graphs.size(); ++label) {
      for (double& share : centroids_[label]) share /= std::max(graphs[label], 1.0);
    }
    FitReport report;
    const auto said = predict(task.validation, execution);
    report.validation_accuracy = measure(task.validation, said, task.classes).accuracy;
    return report;
  }

  std::vector<Prediction> predict(Samples samples, const Execution& execution) const override {
    std::vector<Prediction> predictions;
    for (const Sample* sample : samples) {
      execution.check_stop();
      const Profile profile = profile_of(sample->graph);
      Prediction prediction;
      for (const Profile& centroid : centroids_) {
        prediction.scores.push_back(-squared_distance(profile, centroid));
      }
      const auto best = std::max_element(prediction.scores.begin(), prediction.scores.end());
      prediction.label = static_cast<int>(best - prediction.scores.begin());
      predictions.push_back(std::move(prediction));
    }
    return predictions;
  }

  void save(ByteWriter& out) const override {
    out.number(static_cast<int>(centroids_.size()));
    for (const Profile& centroid : centroids_) out.array(centroid);
  }

  void load(ByteReader& in) override {
    centroids_.resize(static_cast<std::size_t>(in.number_in(2, 1'000'000, "number of classes")));
    for (Profile& centroid : centroids_) {
      centroid = in.array<double>();
      if (centroid.size() != width()) throw BytesError("a profile of another width");
    }
  }

 private:
  std::size_t width() const { return static_cast<std::size_t>(max_degree_) + 1; }

  Profile profile_of(const Graph& graph) const {
    Profile profile(width(), 0.0);
    for (const int degree : graph.degrees()) {
      profile[static_cast<std::size_t>(std::min(degree, max_degree_))] += 1.0 / graph.node_count();
    }
    return profile;
  }

  static double squared_distance(const Profile& a, const Profile& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
  }

  int max_degree_ = 20;
  std::vector<Profile> centroids_;  // one per class
};

}  // namespace

BERMUDA_PLUGIN(registry) {
  registry.add({"degree-profile", "Nearest mean of degree histograms (example plug-in)",
                [] { return std::make_unique<DegreeProfile>(); }});
}
