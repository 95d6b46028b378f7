#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"

namespace bermuda::app {

/// The command whose next word names a method.
inline constexpr const char* kMethodsCommand = "train";

/// The tree of commands, made for one command line.
class Program {
 public:
  /// Declares all commands. The words of the command line, without the program's name, say which
  /// method's options are wanted.
  explicit Program(std::vector<std::string> words);

  /// The command that the words name, its options set; nullptr when they ask for help or for the
  /// version, which is then the answer(). Throws UsageError.
  Command* parse();
  const std::string& answer() const { return answer_; }

  const CLI::App& tree() const { return tree_; }
  std::string help() const { return tree_.help(); }

 private:
  std::vector<std::string> words_;
  CLI::App tree_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::string answer_;
};

}  // namespace bermuda::app
