#include <pybind11/stl.h>

#include <array>

#include "array.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/method/relabelling.hpp"
#include "bermuda/report/regime_map.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"
#include "settings.hpp"

namespace bermuda::python {
namespace {

/// What `bermuda regimes` asks: fresh graphs of each regime, then the same with nodes renumbered,
/// all without classes, witnesses and ids that tell.
class Regimes {
 public:
  Regimes(const std::string& task_name, const Options& options, const Graphs* trained_on,
          std::vector<int> nodes, std::vector<double> degrees, double degree_step,
          std::vector<int> distances, std::size_t count, std::uint64_t seed, int rounds,
          const Work& work)
      : grid_{std::move(nodes), std::move(degrees), degree_step, std::move(distances)} {
    const std::unique_ptr<Task> task = trained_on == nullptr
                                           ? make_task(task_name)
                                           : recorded_task(trained_on->data->provenance, task_name);
    set_options(std::array{task->parameters()}, options);
    if (trained_on != nullptr) trained_ = trained_range(*trained_on->data, *task);
    DataSet asked = long_call(work, [&](const Execution& execution) {
      graphs_ = make_regime_graphs(*task, grid_, seed, count, execution);
      const std::vector<const Sample*> fresh = graphs_.data.all();
      if (fresh.empty())
        throw UsageError("no field has a graph: " + graphs_.cells[0].empty_because);
      DataSet questions;
      questions.name = graphs_.data.name;
      questions.class_names = graphs_.data.class_names;
      Split& split = questions.splits.emplace_back(Split{"all", {}});
      for (const Sample* sample : fresh) {
        Sample& question = split.samples.emplace_back();
        question.graph = sample->graph;
      }
      for (int round = 0; round < rounds; ++round) {
        for (Sample& sample : renumbered_samples(fresh, round, seed, execution)) {
          split.samples.push_back(std::move(sample));
        }
      }
      for (std::size_t i = 0; i < split.samples.size(); ++i) {
        split.samples[i].id = "Q" + std::to_string(i);
        split.samples[i].label = Sample::kNoClass;
      }
      return questions;
    });
    asked_ = std::make_unique<Graphs>(std::move(asked));
  }

  const Graphs& asked() const { return *asked_; }

  /// (JSON, text, pictures, page)
  py::tuple measure(const py::buffer& labels, const std::string& name) const {
    const Input<std::int64_t> given(labels);
    const std::size_t fresh = graphs_.data.size();
    if (given.values().size() != asked_->size()) {
      throw UsageError(std::to_string(given.values().size()) + " answers to " +
                       std::to_string(asked_->size()) + " graphs");
    }
    std::vector<int> said;
    for (const std::int64_t label : given.values()) {
      said.push_back(label == 0 || label == 1 ? static_cast<int>(label) : -1);
    }
    RegimeMap map = measure_regimes(graphs_, grid_, std::span(said).first(fresh), trained_);
    map.name = name;
    if (said.size() > fresh) {
      std::size_t changed = 0;
      for (std::size_t i = fresh; i < said.size(); ++i) changed += said[i] != said[i % fresh];
      map.relabelling = static_cast<double>(changed) / static_cast<double>(said.size() - fresh);
    }
    std::vector<std::string> pictures;
    for (const HeatMap& heat : heat_maps(map)) pictures.push_back(heat_map_svg(heat));
    const std::array maps = {map};
    using Json = nlohmann::ordered_json;
    return py::make_tuple(to_json(map).dump(-1, ' ', false, Json::error_handler_t::replace),
                          printable_lines(regimes_text(maps)), pictures, regimes_page(maps));
  }

 private:
  RegimeGrid grid_;
  TrainedRange trained_;
  RegimeGraphs graphs_;
  std::unique_ptr<Graphs> asked_;
};

}  // namespace

void bind_regimes(py::module_& module) {
  py::class_<Regimes>(module, "Regimes")
      .def(py::init<const std::string&, const Options&, const Graphs*, std::vector<int>,
                    std::vector<double>, double, std::vector<int>, std::size_t, std::uint64_t, int,
                    const Work&>())
      .def_property_readonly("asked", &Regimes::asked)
      .def("measure", &Regimes::measure);
  module.def("whole_axis", [](const std::string& name, const std::string& text) {
    return parse_whole_axis(name, text);
  });
  module.def("degree_axis", [](const std::string& name, const std::string& text) {
    RegimeGrid grid;
    parse_degree_axis(name, text, grid);
    return py::make_tuple(grid.degrees, grid.degree_step);
  });
}

}  // namespace bermuda::python
