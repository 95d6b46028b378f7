#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bermuda/generate/task.hpp"
#include "command.hpp"

namespace bermuda::app {

/// A command with one subcommand per task, each with that task's parameters as options.
class TaskCommand : public Command {
 protected:
  using AddOptions = std::function<void(CLI::App*)>;
  void declare_tasks(CLI::App& program, const std::string& name, const std::string& description,
                     const std::string& example_options, const AddOptions& add_options);
  Task& task() const { return *task_; }  ///< the one that the user named

 private:
  std::vector<std::unique_ptr<Task>> tasks_;
  Task* task_ = nullptr;
};

}  // namespace bermuda::app
