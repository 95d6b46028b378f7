#include <fmt/format.h>

#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
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
                    command->add_option("--count", count_, "How many graphs (an even number)")
                        ->capture_default_str()
                        ->type_name("N");
                    add_seed(command);
                    add_threads(command);
                    add_force(command);
                    add_json(command);
                    add_quiet(command);
                  });
  }

  int run(Session& session) override {
    check_output(common_.output, common_.force);
    const DataSet data = generate_candidates(task(), common_.seed, count_, session.execution());
    write_dataset(data, common_.output, Format::kNative, common_.force);
    session.result(summary_text(data) + fmt::format("written to {}\n", common_.output),
                   summary_json(data));
    return 0;
  }

 private:
  std::size_t count_ = 200000;
};

}  // namespace

std::unique_ptr<Command> make_generate() { return std::make_unique<GenerateCommand>(); }

}  // namespace bermuda::app
