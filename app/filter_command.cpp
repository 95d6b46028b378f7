#include <fmt/format.h>

#include <memory>

#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "command.hpp"
#include "summary.hpp"

namespace bermuda::app {
namespace {

class FilterCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "filter", "Keep mostly what degree counts cannot solve, from any data set",
            "  bermuda filter candidates -o D1 --seed 1\n"
            "  bermuda filter MY_TU_FOLDER -o mine --train 800 --valid 100 --test 100\n");
    add_data(command, data_);
    add_output(command, "Folder to make");
    add_work_options(command);
    add_parameters(command, filter_.parameters(), "Filter");
  }

  bool uses_team() const override { return true; }

  int run(Session& session) override {
    const Execution execution = session.shared_execution();
    std::unique_ptr<SampleSource> candidates;
    if (execution.in_charge()) {
      check_output(common_.output, common_.force);
      candidates = open_dataset(data_, reading(session));
    }
    const FilterResult result = filter_samples(candidates.get(), filter_, common_.seed, execution);
    if (!execution.in_charge()) return 0;
    write_dataset(result.data, common_.output, common_.force);
    const DataSetFigures figures = figures_of(result.data);
    session.result(filter_text(result.report) + summary_text(figures) +
                       fmt::format("written to {}\n", common_.output),
                   summary_json(figures));
    return 0;
  }

 private:
  std::string data_;
  FilterOptions filter_;
};

}  // namespace

std::unique_ptr<Command> make_filter() { return std::make_unique<FilterCommand>(); }

}  // namespace bermuda::app
