#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/generate/pairs.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/pair_score.hpp"
#include "bermuda/method/relabelling.hpp"
#include "bermuda/report/regime_map.hpp"
#include "bermuda/run/folder.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "trained_model.hpp"

namespace bermuda::app {
namespace {

constexpr std::size_t kMostAsked = 20'000'000;  // all are held at once

class RegimesCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "regimes", "Where does a trained model break? Sizes, densities, distances",
            "  bermuda regimes run --nodes 8:80 --degree 2:4\n"
            "  bermuda regimes gin_run gat_run --nodes 8:40:4 -o map.html\n"
            "  bermuda regimes run --nodes 14:60 --distance 2:9 --graphs 500 --json\n");
    command
        ->add_option("RUN", runs_, "Run folders that train made, or model files: one map for each")
        ->required()
        ->type_name("");
    axis(command, "--nodes", nodes_, "Numbers of nodes to ask about: FROM:TO or FROM:TO:STEP");
    axis(command, "--degree", degree_,
         "Mean degrees, the middles of bands that touch: FROM:TO, 1 apart, or FROM:TO:STEP");
    axis(command, "--distance", distance_, "Distances, for tasks that have them");
    add_number(command, "--graphs", graphs_, 2, 1'000'000, "Fresh graphs per field");
    command
        ->add_option("--data", data_,
                     "What the models were trained on: its task, parameters and ranges (default: "
                     "as the model file tells)")
        ->type_name("DATA");
    command
        ->add_option("--task", task_,
                     "Task to ask about, at its own settings (default: that of training)")
        ->check(CLI::IsMember(names()))
        ->type_name("TASK");
    command
        ->add_option("--relabel", relabel_,
                     "How often to ask again with nodes renumbered at random; 0: not at all")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("--twins", twins_,
                     "Ask also about this many pairs of graphs of different class that agree in "
                     "--same; 0: none")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("--same", same_,
                     "What twins agree in: degrees, degree-pairs or wl-H (colours after H rounds)")
        ->capture_default_str()
        ->type_name("WHAT");
    command
        ->add_option("-o,--output", common_.output, "File to make: a page (.html) or JSON (.json)")
        ->type_name("FILE");
    command->add_flag("--run-command", run_command_,
                      "Let the model of a program run its command, which comes with it");
    add_max_nodes(command);
    add_work_options(command);
  }

  int run(Session& session) override {
    check_ending();
    if (!common_.output.empty()) check_output(common_.output, common_.force);
    read_grid();
    const std::size_t asked =
        grid_.regimes().size() * graphs_ * (1 + static_cast<std::size_t>(relabel_));
    if (asked > kMostAsked) {
      throw UsageError(
          fmt::format("{} fields of {} graphs, each asked about {} times, are {} "
                      "questions; at most {} can be",
                      grid_.regimes().size(), graphs_, 1 + relabel_, asked, kMostAsked));
    }
    const Sameness same = Sameness::parse("--same", same_);
    std::vector<Model> models;
    for (const std::string& run : runs_) {
      models.push_back(read_model(run, methods()));
      allow_command(*models.back().method, run, run_command_);
    }
    if (!data_.empty()) trained_on_ = read_dataset(data_, reading(session));
    const std::unique_ptr<Task> task = task_of(models, session);
    for (std::size_t i = 0; i < models.size(); ++i) check_classes(models[i], runs_[i], *task);
    const RegimeGraphs graphs =
        make_regime_graphs(*task, grid_, common_.seed, graphs_, session.execution());
    if (graphs.data.size() == 0) {
      throw UsageError(fmt::format("no field has a graph: {}", graphs.cells[0].empty_because));
    }
    std::optional<DataSet> pairs;
    if (twins_ > 0) {
      pairs = make_pairs(*task, same, common_.seed, static_cast<std::size_t>(twins_),
                         session.execution());
    }
    std::vector<RegimeMap> maps;
    for (std::size_t i = 0; i < models.size(); ++i) {
      maps.push_back(ask(models[i], graphs, pairs, *task, session));
      maps.back().name = name_of(models, i);
    }
    nlohmann::ordered_json json = {{"task", task->name()},
                                   {"parameters", task->settings().values()},
                                   {"seed", common_.seed},
                                   {"graphs_per_field", graphs_},
                                   {"models", nlohmann::ordered_json::array()}};
    for (const RegimeMap& map : maps) json["models"].push_back(to_json(map));
    std::string text = regimes_text(maps);
    if (!common_.output.empty()) {
      write_output(common_.output, output_of(maps, json), common_.force);
      text += fmt::format("\nwritten to {}\n", common_.output);
    }
    session.result(text, json);
    return 0;
  }

 private:
  static void axis(CLI::App* command, const char* name, std::string& place, const char* help) {
    command->add_option(name, place, help)->type_name("RANGE");
  }

  static std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const TaskInfo& info : tasks()) all.emplace_back(info.name);
    return all;
  }

  std::string ending() const { return std::filesystem::path(common_.output).extension().string(); }

  void check_ending() const {
    constexpr std::array kEndings = {".html", ".json"};
    if (common_.output.empty() || std::ranges::find(kEndings, ending()) != kEndings.end()) return;
    throw UsageError(fmt::format("--output: found {}, expected a name that ends in .html or .json",
                                 in_quotes(common_.output)));
  }

  void read_grid() {
    if (nodes_.empty() && degree_.empty() && distance_.empty()) {
      throw UsageError("no axis to ask along: give --nodes, --degree or --distance");
    }
    if (!nodes_.empty()) grid_.nodes = parse_whole_axis("--nodes", nodes_);
    if (!degree_.empty()) parse_degree_axis("--degree", degree_, grid_);
    if (!distance_.empty()) grid_.distances = parse_whole_axis("--distance", distance_);
  }

  /// The task that all models learnt, as its data was made; --data and --task come first.
  std::unique_ptr<Task> task_of(const std::vector<Model>& models, Session& session) const {
    if (!task_.empty()) return make_task(task_);
    if (trained_on_) return recorded_task(trained_on_->provenance, data_);
    std::unique_ptr<Task> task;
    for (std::size_t i = 0; i < models.size(); ++i) {
      const auto& training = models[i].training;
      if (!training || training->task.empty()) {
        throw UsageError(fmt::format(
            "{}: its model does not say for which task; --task or --data tells", runs_[i]));
      }
      auto own =
          recorded_task({{"task", training->task}, {"parameters", training->parameters}}, runs_[i]);
      if (training->parameters.empty()) {
        session.note(
            fmt::format("note: {}: its model does not tell the parameters of {}; the "
                        "usual ones are taken (--data tells others)",
                        runs_[i], training->task));
      }
      if (task &&
          (task->name() != own->name() || task->class_meanings() != own->class_meanings())) {
        throw UsageError(
            fmt::format("{} and {} answer different questions; --task or --data tells "
                        "which to ask",
                        runs_[0], runs_[i]));
      }
      if (!task) task = std::move(own);
    }
    return task;
  }

  /// Classes of tasks are "0" and "1".
  static void check_classes(const Model& model, const std::string& run, const Task& task) {
    for (const char* name : {"0", "1"}) {
      if (std::ranges::find(model.class_names, name) != model.class_names.end()) continue;
      throw UsageError(
          fmt::format("{}: its model has no class {}, which {} has", run, name, task.name()));
    }
  }

  /// Everything in one go: a program as a method is started once.
  RegimeMap ask(const Model& model, const RegimeGraphs& graphs, const std::optional<DataSet>& pairs,
                const Task& task, Session& session) const {
    const Execution execution = execution_for(*model.method, common_, session);
    const std::vector<const Sample*> fresh = graphs.data.all();
    std::vector<const Sample*> asked = fresh;
    std::vector<std::vector<Sample>> rounds;
    for (int round = 0; round < relabel_; ++round) {
      rounds.push_back(renumbered_samples(fresh, round, common_.seed, execution));
      for (const Sample& sample : rounds.back()) asked.push_back(&sample);
    }
    const std::size_t before_pairs = asked.size();
    std::vector<const Sample*> twins;
    if (pairs) twins = pairs->all();
    asked.insert(asked.end(), twins.begin(), twins.end());
    std::vector<Prediction> said = model.method->predict(asked, execution);
    check_predictions(said, asked.size(), static_cast<int>(model.class_names.size()));
    std::vector<int> labels;
    for (std::size_t i = 0; i < fresh.size(); ++i) labels.push_back(class_of(model, said[i]));
    RegimeMap map = measure_regimes(graphs, grid_, labels, range_of(model, task));
    map.method = model.method->name();
    if (relabel_ > 0) {
      std::size_t changed = 0;
      for (std::size_t i = fresh.size(); i < before_pairs; ++i) {
        changed += said[i].label != said[i % fresh.size()].label ? 1U : 0U;
      }
      map.relabelling =
          static_cast<double>(changed) / static_cast<double>(before_pairs - fresh.size());
    }
    if (pairs) {
      said.erase(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(before_pairs));
      for (Prediction& one : said) one.label = class_of(model, one);
      map.twins = score_pairs(*pairs, twins, said);
      map.twins_agree_in = same_;  // as it was parsed: there is one way to write it
    }
    return map;
  }

  /// The task's number of what the model said; -1 for a class of its own.
  static int class_of(const Model& model, const Prediction& prediction) {
    const std::string& name = model.class_names[static_cast<std::size_t>(prediction.label)];
    return name == "0" ? 0 : name == "1" ? 1 : -1;
  }

  TrainedRange range_of(const Model& model, const Task& task) const {
    if (trained_on_) return trained_range(*trained_on_, task);
    TrainedRange range;
    if (!model.training || !task_.empty()) return range;  // of another task its graphs say nothing
    range.nodes = {model.training->min_nodes, model.training->max_nodes};
    if (model.training->min_degree && model.training->max_degree) {
      range.degree = {*model.training->min_degree, *model.training->max_degree};
    }
    return range;
  }

  /// The method, and where several runs are of one, the folder too.
  std::string name_of(const std::vector<Model>& models, std::size_t place) const {
    const std::string_view method = models[place].method->name();
    const auto same = std::ranges::count_if(
        models, [&](const Model& model) { return model.method->name() == method; });
    if (same == 1) return std::string(method);
    return fmt::format("{} ({})", method, runs_[place]);
  }

  std::string output_of(const std::vector<RegimeMap>& maps,
                        const nlohmann::ordered_json& json) const {
    if (ending() == ".html") return regimes_page(maps);
    nlohmann::ordered_json file = {{"bermuda_regimes", 1}};  // src/core/ours.cpp looks for it
    file.update(json);
    return file.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }

  std::vector<std::string> runs_;
  std::string nodes_;
  std::string degree_;
  std::string distance_;
  std::uint64_t graphs_ = 200;
  std::string data_;
  std::string task_;
  int relabel_ = 1;
  int twins_ = 0;
  std::string same_ = "degrees";
  bool run_command_ = false;
  RegimeGrid grid_;
  std::optional<DataSet> trained_on_;
};

}  // namespace

std::unique_ptr<Command> make_regimes() { return std::make_unique<RegimesCommand>(); }

}  // namespace bermuda::app
