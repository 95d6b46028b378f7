#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <tuple>

#include "bermuda/bench/bench.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/method/answers_table.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/pair_score.hpp"
#include "bermuda/report/graph_bins.hpp"
#include "bermuda/statistics/intervals.hpp"
#include "command.hpp"
#include "run_text.hpp"
#include "selection.hpp"

namespace bermuda::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBins = 6;

class ScoreCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "score", "Score answers that were given elsewhere, by any program",
            "  bermuda score answers.tsv D1 --split test\n"
            "  bermuda score answers.tsv MUTAG --json\n"
            "  bermuda score answers.tsv D1 --store my.sqlite --row mine --fold 0\n");
    command
        ->add_option("ANSWERS", answers_,
                     "Table of answers: id, tab, class; more columns and # lines are left out")
        ->required()
        ->type_name("");
    add_data(command, data_);
    selection_.add_split(command);
    CLI::Option* store =
        command
            ->add_option("--store", store_,
                         "Write the answers down as a run of this store, for a row that its grid "
                         "has with recorded = true (docs/programs.md)")
            ->type_name("FILE")
            ->excludes("--split");
    command->add_option("--row", place_.row, "Which row")->type_name("NAME")->needs(store);
    store->needs("--row");
    command
        ->add_option("--grid", place_.grid,
                     "Which grid of the store, where several have the row (default: the only one)")
        ->type_name("NAME")
        ->needs(store);
    command->add_option("--fold", place_.fold, "Which fold was tested")
        ->check(CLI::Range(0, kEvaluationFolds - 1))
        ->capture_default_str()
        ->type_name("F")
        ->needs(store);
    command
        ->add_option("--asked", asked_,
                     "Answers to what the grid asks beside the test graphs: its name, the table of "
                     "answers and the data set; of renumbered test graphs one table per round "
                     "(may be repeated)")
        ->type_name("NAME ANSWERS DATA")
        ->needs(store);
    command->add_option("--seconds", seconds_, "How long it took to learn, for the record")
        ->type_name("S")
        ->needs(store);
    add_seed(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    const DataSet data = read_dataset(data_, reading(session));
    const std::string table = read_file(answers_);
    std::vector<const Sample*> samples;
    std::string written;
    Json recorded_asked = Json::array();
    if (store_.empty()) {
      samples = samples_of(selection_.of(data, data_));
    } else {
      place_.seed = common_.seed;
      Store store(store_, Store::Mode::kWrite);
      std::list<DataSet> asked_data;
      std::vector<AskedAnswers> asked;
      for (const auto& [name, file, path] : asked_) {
        asked_data.push_back(read_dataset(path, reading(session)));
        asked.push_back({name, {read_file(file), file}, &asked_data.back()});
      }
      const RunRecord run = record_answers(store, data, place_, {table, answers_}, asked, seconds_,
                                           session.execution());
      for (const AskedResult& one : run.result.asked) recorded_asked.push_back(to_json(one));
      samples = fold_parts(data, place_.fold, run.spec.folding, session.execution()).test;
      written = fmt::format("recorded in {} as {}, fold {}\n", store_, place_.row, place_.fold);
    }
    const std::vector<Prediction> predictions =
        parse_answers_table(table, answers_, samples, data.all(), data.class_names);
    std::vector<int> said;
    for (const Prediction& prediction : predictions) said.push_back(prediction.label);
    const Metrics metrics =
        measure(samples, predictions, static_cast<int>(data.class_names.size()));
    const Json parts = breakdown(samples, said);
    Json json = told_json(metrics);
    json["classes"] = data.class_names;
    json["accuracy_interval"] = interval_json(right_of(samples, said), samples.size());
    json["by"] = parts;
    const auto pairs = score_pairs(data, samples, predictions);
    if (pairs) json["pairs"] = pairs->to_json();
    if (!store_.empty()) json["store"] = store_;
    if (!recorded_asked.empty()) json["asked"] = recorded_asked;
    session.result(text(metrics, data, parts, json["accuracy_interval"]) +
                       (pairs ? pairs->text() : "") + written,
                   json);
    return 0;
  }

 private:
  static std::size_t right_of(const std::vector<const Sample*>& samples,
                              const std::vector<int>& said) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == samples[i]->label ? 1U : 0U;
    return right;
  }

  static Json interval_json(std::size_t right, std::size_t count) {
    const Interval interval = wilson_interval(right, count);
    return {interval.low, interval.high};
  }

  /// Accuracy by the size of graphs and, where witnesses tell it, by distance.
  static Json breakdown(const std::vector<const Sample*>& samples, const std::vector<int>& said) {
    std::vector<int> nodes;
    std::vector<int> distances;
    for (const Sample* sample : samples) {
      nodes.push_back(sample->graph.node_count());
      distances.push_back(sample->witness.empty() ? 0 : witness_distance(sample->witness));
    }
    Json by = Json::object();
    const auto add = [&](const char* name, const Bins& bins) {
      std::vector<std::size_t> counts(bins.names.size());
      std::vector<std::size_t> right(bins.names.size());
      for (std::size_t i = 0; i < said.size(); ++i) {
        ++counts[bins.bin_of[i]];
        right[bins.bin_of[i]] += said[i] == samples[i]->label ? 1U : 0U;
      }
      Json& list = by[name] = Json::array();
      for (std::size_t b = 0; b < bins.names.size(); ++b) {
        list.push_back(
            {{"range", bins.names[b]},
             {"graphs", counts[b]},
             {"accuracy", static_cast<double>(right[b]) / static_cast<double>(counts[b])},
             {"interval", interval_json(right[b], counts[b])}});
      }
    };
    add("nodes", quantile_bins(nodes, kMostBins));
    if (std::ranges::any_of(distances, [](int distance) { return distance > 0; })) {
      add("distance", value_bins(distances, kMostBins));
    }
    return by;
  }

  static std::string interval_text(const Json& interval) {
    return fmt::format("95 % interval {:.1f} - {:.1f}", interval.at(0).get<double>() * 100,
                       interval.at(1).get<double>() * 100);
  }

  std::string text(const Metrics& metrics, const DataSet& data, const Json& parts,
                   const Json& interval) const {
    std::string text = fmt::format("{} on {} graphs: ", answers_, metrics.count) +
                       metrics_text(metrics, data.class_names);
    text += fmt::format("accuracy: {}\n", interval_text(interval));
    for (const auto& [name, bins] : parts.items()) {
      for (const Json& bin : bins) {
        text +=
            fmt::format("{:>8} {:<10} {:>6} graphs  {:5.1f} %  {}\n", name,
                        bin.at("range").get<std::string>(), bin.at("graphs").get<std::size_t>(),
                        bin.at("accuracy").get<double>() * 100, interval_text(bin.at("interval")));
      }
    }
    return text;
  }

  std::string answers_;
  std::string data_;
  Selection selection_;
  std::string store_;
  RecordedPlace place_;
  std::vector<std::tuple<std::string, std::string, std::string>> asked_;
  double seconds_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_score() { return std::make_unique<ScoreCommand>(); }

}  // namespace bermuda::app
