#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace bermuda::app {

/// What the program's tree of commands says of itself, without what CLI11 needs to parse: the
/// source of help, completion and man pages. What is hidden is left out.
struct OptionOutline {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument without dashes: "DATA"
  std::string value;               ///< what stands for the value: "PATH", "csv|json"; "" for flags
  std::vector<std::string> choices;  ///< what the value may be; empty: see range
  std::string range;                 ///< "1..1024"; empty: anything
  std::string standard;              ///< what holds when it is not given; empty: nothing to tell
  std::string help;
  std::string group;
  std::vector<std::string> excludes;  ///< options that may not be given beside it
  bool required = false;
  bool repeated = false;
};

struct CommandOutline {
  std::string name;
  std::string summary;
  std::vector<OptionOutline> arguments;
  std::vector<OptionOutline> options;
  std::vector<CommandOutline> commands;
  std::vector<std::string> examples;
  std::string remark;  ///< what follows the examples
};

OptionOutline outline_of(const CLI::Option& option);
CommandOutline outline_of(const CLI::App& command);

/// The help with what must be said beside it: "Folds of it (default 10; 2..100)".
std::string full_help(const OptionOutline& option);

/// What the word after this command names: "command", "method", "task", or nothing.
std::string kind_of_names(const CLI::App& command);
std::vector<std::string> visible_names(const CLI::App& command);

/// How a command is called, after its name: "[OPTIONS] DATA".
std::string usage_of(const CLI::App& command);

/// Writes --help from outlines; commands inherit it from the program.
std::shared_ptr<CLI::FormatterBase> make_help_formatter();

}  // namespace bermuda::app
