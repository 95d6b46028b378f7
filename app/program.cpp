#include "program.hpp"

#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/version.hpp"
#include "outline.hpp"
#include "typing.hpp"

namespace bermuda::app {
namespace {

// In the order of the help.
constexpr std::unique_ptr<Command> (*kCommands[])() = {
    make_dataset, make_generate, make_pairs_command, make_filter,       make_info,
    make_verify,  make_audit,    make_convert,       make_draw,         make_fetch,
    make_tasks,   make_methods,  make_folds,         make_train,        make_predict,
    make_score,   make_explain,  make_regimes,       make_expressivity, make_bench,
    make_report,  make_help,     make_completion,    make_complete,     make_man,
    make_worker,
};

constexpr const char* kUnnamed = "Subcommands";  // CLI11's heading for those that have none

// Headings of the lists; errors and usage lines take their nouns from them.
void set_headings(CLI::App& tree) {
  for (CLI::App* command : tree.get_subcommands({})) {
    if (command->get_group() == kUnnamed) command->group("Commands");
    for (CLI::App* one : command->get_subcommands({})) {
      if (one->get_group() == kUnnamed) {
        one->group(command->get_name() == kMethodsCommand ? "Methods" : "Tasks");
      }
    }
  }
}

}  // namespace

Program::Program(std::vector<std::string> words)
    : words_(std::move(words)),
      tree_("Tells whether a model, or a data set, is really about graph topology.", "bermuda") {
  tree_.set_version_flag("--version", fmt::format("bermuda {}", kVersion), "Print the version");
  tree_.set_help_flag("-h,--help", "Print this help");
  tree_.formatter(make_help_formatter());
  tree_.require_subcommand(1);
  tree_.footer(
      "Examples:\n"
      "  bermuda bench quick\n"
      "  bermuda dataset triangles -o D1 --seed 1\n"
      "  bermuda audit D1\n"
      "'bermuda help COMMAND' explains a command.");
  for (const auto make : kCommands) {
    commands_.push_back(make());
    commands_.back()->declare(tree_);
    commands_.back()->declare_for(words_);
  }
  set_headings(tree_);
}

Command* Program::parse() {
  check_names(tree_, words_);
  try {
    tree_.parse(std::vector<std::string>(words_.rbegin(), words_.rend()));
  } catch (const CLI::CallForVersion& version) {
    answer_ = fmt::format("{}\n", version.what());
    return nullptr;
  } catch (const CLI::Success&) {
    answer_ = help();
    return nullptr;
  } catch (const CLI::ParseError& error) {
    throw UsageError(refusal(tree_, error));
  }
  check_values(tree_);
  for (const auto& command : commands_) {
    if (command->chosen()) return command.get();
  }
  return nullptr;  // not reached: one command is required
}

}  // namespace bermuda::app
