#include <fmt/format.h>

#include <unordered_set>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/graph/canonical.hpp"
#include "summary.hpp"
#include "task_commands.hpp"

namespace bermuda::app {
namespace {

/// Drops the graphs of `data` that are isomorphic to one of `other`; returns how many those were.
std::size_t drop_isomorphs(DataSet& data, const DataSet& other, const Execution& execution) {
  const auto forms_of = [&](const std::vector<const Sample*>& samples) {
    std::vector<std::string> forms(samples.size());
    parallel_for(execution, samples.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) forms[i] = canonical_form(samples[i]->graph);
    });
    return forms;
  };
  const std::vector<std::string> others = forms_of(other.all());
  const std::unordered_set<std::string> known(others.begin(), others.end());
  const std::vector<std::string> forms = forms_of(data.all());
  std::size_t next = 0;
  std::size_t dropped = 0;
  for (Split& split : data.splits) {
    dropped +=
        std::erase_if(split.samples, [&](const Sample&) { return known.contains(forms[next++]); });
  }
  return dropped;
}

class GenerateCommand : public TaskCommand {
 public:
  void declare(CLI::App& program) override {
    declare_tasks(program, "generate", "Make candidate graphs for a task, with their witnesses",
                  "-o candidates --count 20000 --seed 1", [this](CLI::App* command) {
                    add_output(command, "Folder to make");
                    command->add_option("--count", count_, "How many graphs (an even number)")
                        ->capture_default_str()
                        ->type_name("N");
                    command
                        ->add_option("--without", without_,
                                     "Leave out graphs that are isomorphic to one of this data set")
                        ->type_name("DATA");
                    add_seed(command);
                    add_threads(command);
                    add_force(command);
                    add_json(command);
                    add_quiet(command);
                  });
  }

  int run(Session& session) override {
    check_output(common_.output, common_.force);
    DataSet data = generate_candidates(task(), common_.seed, count_, session.execution());
    if (!without_.empty()) {
      const std::size_t dropped = drop_isomorphs(data, read_dataset(without_), session.execution());
      session.note(
          fmt::format("{} of {} graphs are in {} and left out", dropped, count_, without_));
      if (dropped == count_) {
        throw UsageError(fmt::format("--without: all {} graphs are in {}", count_, without_));
      }
    }
    write_dataset(data, common_.output, Format::kNative, common_.force);
    session.result(summary_text(data) + fmt::format("written to {}\n", common_.output),
                   summary_json(data));
    return 0;
  }

 private:
  std::size_t count_ = 200000;
  std::string without_;
};

}  // namespace

std::unique_ptr<Command> make_generate() { return std::make_unique<GenerateCommand>(); }

}  // namespace bermuda::app
