#include <fmt/format.h>

#include "bermuda/generate/task.hpp"
#include "command.hpp"

namespace bermuda::app {
namespace {

class TasksCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "tasks", "List the tasks and their parameters",
                            "  bermuda tasks\n"
                            "  bermuda tasks --json\n");
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    std::string text;
    auto json = nlohmann::ordered_json::array();
    for (const TaskInfo& info : tasks()) {
      const std::unique_ptr<Task> task = info.make();
      const Settings settings = task->settings();
      const std::vector<std::string> meanings = task->class_meanings();
      text += fmt::format("{}: {}\n", info.name, info.summary);
      for (std::size_t c = 0; c < meanings.size(); ++c) {
        text += fmt::format("  class {}: {}\n", c, meanings[c]);
      }
      text += settings_text(settings);
      json.push_back({{"name", info.name},
                      {"summary", info.summary},
                      {"classes", meanings},
                      {"parameters", settings_json(settings)}});
    }
    session.result(text, {{"tasks", json}});
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_tasks() { return std::make_unique<TasksCommand>(); }

}  // namespace bermuda::app
