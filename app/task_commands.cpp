#include "task_commands.hpp"

#include <fmt/format.h>

namespace bermuda::app {

void TaskCommand::declare_tasks(CLI::App& program, const std::string& name,
                                const std::string& description, const std::string& example_options,
                                const AddOptions& add_options) {
  CLI::App* parent = program.add_subcommand(name, description);
  parent->require_subcommand(1);
  std::string examples;
  for (const TaskInfo& info : tasks()) {
    tasks_.push_back(info.make());
    Task* task = tasks_.back().get();
    const std::string example =
        fmt::format("  bermuda {} {} {}\n", name, info.name, example_options);
    CLI::App* command = add(*parent, std::string(info.name), std::string(info.summary), example);
    command->callback([this, task] {
      chosen_ = true;
      task_ = task;
    });
    add_options(command);
    add_parameters(command, task->parameters(), fmt::format("Task {}", info.name));
    examples += example;
  }
  parent->footer("Examples:\n" + examples);
}

}  // namespace bermuda::app
