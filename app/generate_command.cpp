#include <fmt/format.h>

#include <optional>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/generate/generate.hpp"
#include "summary.hpp"
#include "task_commands.hpp"

namespace bermuda::app {
namespace {

class GenerateCommand : public TaskCommand {
 public:
  void declare(CLI::App& program) override {
    declare_tasks(program, "generate", "Make candidate graphs for a task, with their witnesses",
                  "-o candidates --count 20000 --seed 1", [this](CLI::App* command) {
                    add_output(command, "Folder to make");
                    add_number(command, "--count", count_, 2, kMostCandidates,
                               "How many graphs (an even number)");
                    command
                        ->add_option("--without", without_,
                                     "Leave out graphs that are isomorphic to one of this data set")
                        ->type_name("DATA");
                    add_work_options(command);
                  });
  }

  bool uses_team() const override { return true; }

  int run(Session& session) override {
    check_candidates("--count", count_);
    const Execution execution = session.shared_execution();
    if (execution.in_charge()) check_output(common_.output, common_.force);
    const DataSetFigures figures =
        without_.empty() ? write_all(execution) : write_others(session, execution);
    if (!execution.in_charge()) return 0;
    session.result(summary_text(figures) + fmt::format("written to {}\n", common_.output),
                   summary_json(figures));
    return 0;
  }

 private:
  DataSetFigures write_all(const Execution& execution) {
    DataSetFigures head = describe_candidates(task(), common_.seed, count_);
    std::optional<SplitWriter> writer;
    if (execution.in_charge()) writer.emplace(std::move(head), common_.output, common_.force);
    generate_parts(task(), common_.seed, count_, execution,
                   [&](const EncodedSplit& part) { writer->add(part); });
    return writer ? writer->finish() : DataSetFigures();
  }

  DataSetFigures write_others(Session& session, const Execution& execution) {
    DataSet data = generate_candidates(task(), common_.seed, count_, execution);
    if (!execution.in_charge()) return {};
    const std::size_t dropped =
        drop_isomorphs(data, read_dataset(without_, {.stop = execution}), execution);
    session.note(fmt::format("{} of {} graphs are in {} and left out", dropped, count_, without_));
    if (dropped == count_) {
      throw UsageError(fmt::format("--without: all {} graphs are in {}", count_, without_));
    }
    write_dataset(data, common_.output, common_.force);
    return figures_of(data);
  }

  std::uint64_t count_ = 200000;
  std::string without_;
};

}  // namespace

std::unique_ptr<Command> make_generate() { return std::make_unique<GenerateCommand>(); }

}  // namespace bermuda::app
