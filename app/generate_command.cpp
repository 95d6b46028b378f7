#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/spread.hpp"
#include "bermuda/probe/isomorphs.hpp"
#include "summary.hpp"
#include "task_commands.hpp"

namespace bermuda::app {
namespace {

/// Drops the graphs of `data` that are isomorphic to one of `other`; returns how many those were.
std::size_t drop_isomorphs(DataSet& data, const DataSet& other, const Execution& execution) {
  std::vector<const Sample*> samples = other.all();
  const std::vector<const Sample*> own = data.all();
  samples.insert(samples.end(), own.begin(), own.end());
  const std::vector<std::size_t> class_of = isomorphism_classes(samples, execution);
  // Classes are numbered as they appear: the first ones are those of `other`.
  const auto first = class_of.begin() + static_cast<std::ptrdiff_t>(other.size());
  const std::size_t known =
      first == class_of.begin() ? 0 : *std::max_element(class_of.begin(), first) + 1;
  auto next = first;
  std::size_t dropped = 0;
  for (Split& split : data.splits) {
    dropped += std::erase_if(split.samples, [&](const Sample&) { return *next++ < known; });
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

  bool uses_team() const override { return true; }

  int run(Session& session) override {
    Team& team = session.team();
    if (team.in_charge()) check_output(common_.output, common_.force);
    const DataSetFigures figures =
        without_.empty() ? write_all(session, team) : write_others(session, team);
    if (!team.in_charge()) return 0;
    session.result(summary_text(figures) + fmt::format("written to {}\n", common_.output),
                   summary_json(figures));
    return 0;
  }

 private:
  DataSetFigures write_all(Session& session, Team& team) {
    DataSetFigures head = describe_candidates(task(), common_.seed, count_);
    std::optional<SplitWriter> writer;
    if (team.in_charge()) writer.emplace(std::move(head), common_.output, common_.force);
    generate_parts(task(), common_.seed, count_, session.execution(), team,
                   [&](const EncodedSplit& part) { writer->add(part); });
    return writer ? writer->finish() : DataSetFigures();
  }

  DataSetFigures write_others(Session& session, Team& team) {
    EncodedDataSet candidates =
        generate_candidates(task(), common_.seed, count_, session.execution(), team);
    if (!team.in_charge()) return {};
    candidates = leave_out(decode_dataset(candidates), session);
    write_dataset(candidates, common_.output, common_.force);
    return candidates.figures;
  }

  EncodedDataSet leave_out(DataSet data, Session& session) const {
    const std::size_t dropped = drop_isomorphs(data, read_dataset(without_), session.execution());
    session.note(fmt::format("{} of {} graphs are in {} and left out", dropped, count_, without_));
    if (dropped == count_) {
      throw UsageError(fmt::format("--without: all {} graphs are in {}", count_, without_));
    }
    return encode_dataset(data);
  }

  std::size_t count_ = 200000;
  std::string without_;
};

}  // namespace

std::unique_ptr<Command> make_generate() { return std::make_unique<GenerateCommand>(); }

}  // namespace bermuda::app
