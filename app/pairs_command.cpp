#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/pairs.hpp"
#include "selection.hpp"
#include "summary.hpp"
#include "task_commands.hpp"

namespace bermuda::app {
namespace {

/// `pairs TASK` makes twins, `pairs of DATA` looks for the nearest twin of each graph.
class PairsCommand : public TaskCommand {
 public:
  void declare(CLI::App& program) override {
    declare_tasks(program, "pairs",
                  "Make twins: graphs of different class that agree in degrees or colours",
                  "--same degree-pairs --count 1000 -o twins --seed 1", [this](CLI::App* command) {
                    add_output(command, "Folder to make");
                    add_same(command, "degrees,degree-pairs,wl-1,wl-2,wl-3", same_);
                    add_number(command, "--count", count_, 1, kMostPairs, "How many pairs");
                    add_work_options(command);
                  });
    declare_nearest(*program.get_subcommand("pairs"));
  }

  int run(Session& session) override {
    check_output(common_.output, common_.force);
    return data_.empty() ? make_twins(session) : find_nearest(session);
  }

 private:
  static void add_same(CLI::App* command, const char* choices, std::string& place) {
    command
        ->add_option(
            "--same", place,
            fmt::format(
                "What twins agree in: degrees; also which degrees edges join; colours after "
                "H rounds of Weisfeiler-Leman, H = 1..{}",
                Sameness::kMostRounds))
        ->capture_default_str()
        ->type_name("WHAT")
        // Tells only: there are more rounds.
        ->check(CLI::Validator(fmt::format("{{{}}}", choices)));
  }

  void declare_nearest(CLI::App& parent) {
    const std::string examples =
        "  bermuda pairs of D1 -o nearest --split test\n"
        "  bermuda pairs of D1 -o nearest --same degrees --most-changes 1\n";
    CLI::App* command = add(parent, "of", "the nearest twin of each graph of a data set", examples);
    command->group("Of a data set");
    add_data(command, data_);
    add_output(command, "Folder to make");
    add_same(command, "none,degrees,degree-pairs,wl-1,wl-2,wl-3", nearest_same_);
    selection_.add_split(command);
    add_number(
        command, "--most-changes", most_changes_, 1, 4,
        "Look no further: switches of two edges, or with --same none edges added or removed");
    add_number(command, "--most-graphs", most_graphs_, 1, 1'000'000'000,
               "Changed graphs to ask about before a graph is given up");
    add_work_options(command);
    parent.footer(parent.get_footer() + examples);
  }

  int make_twins(Session& session) {
    const DataSet data = make_pairs(task(), Sameness::parse("--same", same_), common_.seed, count_,
                                    session.execution());
    return write(data, "", session);
  }

  int find_nearest(Session& session) {
    NearestOptions options;
    options.same = Sameness::parse("--same", nearest_same_, true);
    options.most_changes = static_cast<int>(most_changes_);
    options.most_graphs = most_graphs_;
    DataSet data = read_dataset(data_, reading(session));
    if (!selection_.split.empty()) {
      (void)selection_.of(data, data_);  // refuses one that is not there
      std::erase_if(data.splits,
                    [&](const Split& split) { return split.name != selection_.split; });
    }
    const auto task = recorded_task(data.provenance, data_);
    NearestReport report;
    const DataSet pairs =
        nearest_pairs(*task, data, options, common_.seed, report, session.execution());
    std::string text = fmt::format("nearest twins of {} graphs:", data.size());
    for (const auto& [changes, count] : report.found) {
      text += fmt::format(" {} at {} change{},", count, changes, changes == 1 ? "" : "s");
    }
    text += fmt::format(" {} farther than {}, {} given up\n", report.farther, options.most_changes,
                        report.given_up);
    return write(pairs, text, session);
  }

  int write(const DataSet& data, const std::string& text, Session& session) {
    write_dataset(data, common_.output, common_.force);
    const DataSetFigures figures = figures_of(data);
    session.result(text + summary_text(figures) + fmt::format("written to {}\n", common_.output),
                   summary_json(figures));
    return 0;
  }

  std::uint64_t count_ = 1000;
  std::string same_ = "degrees";
  std::string nearest_same_ = "none";
  std::string data_;
  Selection selection_;
  std::uint64_t most_changes_ = 2;
  std::uint64_t most_graphs_ = 200'000;
};

}  // namespace

std::unique_ptr<Command> make_pairs_command() { return std::make_unique<PairsCommand>(); }

}  // namespace bermuda::app
