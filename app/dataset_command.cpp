#include <fmt/format.h>

#include <optional>

#include "bermuda/bench/sized_test.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "summary.hpp"
#include "task_commands.hpp"

namespace bermuda::app {
namespace {

class DatasetCommand : public TaskCommand {
 public:
  void declare(CLI::App& program) override {
    declare_tasks(program, "dataset",
                  "Make a filtered data set for a task: generate and filter, paper settings",
                  "-o D1 --seed 1", [this](CLI::App* command) {
                    add_output(command, "Folder to make");
                    add_number(command, "--candidates", candidates_, 2, kMostCandidates,
                               "How many graphs to generate before the filter");
                    command
                        ->add_option("--test-nodes", test_nodes_,
                                     "Test on graphs with other numbers of nodes, FROM:TO, which "
                                     "the filter chooses as well; train and valid stay")
                        ->type_name("RANGE");
                    add_work_options(command);
                    add_parameters(command, filter_.parameters(), "Filter");
                  });
  }

  bool uses_team() const override { return true; }

  int run(Session& session) override {
    const Execution execution = session.shared_execution();
    if (execution.in_charge()) check_output(common_.output, common_.force);
    check_candidates("--candidates", candidates_);
    const auto candidates = candidate_source(task(), common_.seed, candidates_);
    std::optional<NodeRange> sizes;
    if (!test_nodes_.empty()) {
      sizes = parse_sizes("--test-nodes", test_nodes_);
      if (filter_.test == 0) {
        throw UsageError("--test-nodes: found --test 0, expected test graphs to make");
      }
      task_of_sizes(task(), *sizes);  // says at once what cannot be
    }
    FilterResult result = filter_samples(candidates.get(), filter_, common_.seed, execution);
    std::optional<FilterReport> of_test;
    if (sizes) {
      of_test =
          test_on_sizes(result.data, task(), *sizes, common_.seed, candidates_, filter_, execution);
    }
    if (!execution.in_charge()) return 0;
    std::string filtered = filter_text(result.report);
    if (sizes) {
      filtered = fmt::format(
          "train and valid (with a test split of their sizes, which is not written):\n{}\n"
          "test, graphs of {} to {} nodes:\n{}\n",
          filtered, sizes->from, sizes->to, filter_text(*of_test));
    }
    write_dataset(result.data, common_.output, common_.force);
    const DataSetFigures figures = figures_of(result.data);
    session.result(
        filtered + summary_text(figures) + fmt::format("written to {}\n", common_.output),
        summary_json(figures));
    return 0;
  }

 private:
  std::uint64_t candidates_ = 200000;
  std::string test_nodes_;
  FilterOptions filter_;
};

}  // namespace

std::unique_ptr<Command> make_dataset() { return std::make_unique<DatasetCommand>(); }

}  // namespace bermuda::app
