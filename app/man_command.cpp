#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/nearest.hpp"
#include "command.hpp"
#include "man_page.hpp"
#include "methods.hpp"
#include "output.hpp"
#include "program.hpp"

namespace bermuda::app {
namespace {

namespace fs = std::filesystem;

CommandOutline* named(std::vector<CommandOutline>& commands, const std::string& name) {
  const auto found = std::ranges::find(commands, name, &CommandOutline::name);
  return found == commands.end() ? nullptr : &*found;
}

/// The whole tree. Options of the program's own methods are told; plug-ins are not loaded for it.
CommandOutline whole_program() {
  CommandOutline program = outline_of(Program({kMethodsCommand}).tree());
  CommandOutline* train = named(program.commands, kMethodsCommand);
  for (const MethodInfo& info : methods().all()) {
    if (!info.source.empty()) continue;
    CommandOutline with_options = outline_of(Program({kMethodsCommand, info.name}).tree());
    *named(train->commands, info.name) =
        *named(named(with_options.commands, kMethodsCommand)->commands, info.name);
  }
  return program;
}

class ManCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "man", "Print or write manual pages; what packages install",
                            "  bermuda man train | man -l -\n"
                            "  bermuda man -o build/man\n");
    command->group("");
    command->add_option("COMMAND", name_, "Which page (default: that of the program)")
        ->type_name("");
    command->add_option("-o,--output", common_.output, "Folder to write all pages to")
        ->type_name("FOLDER");
  }

  int run(Session& /*session*/) override {
    const CommandOutline program = whole_program();
    if (common_.output.empty()) {
      print_text(name_.empty() ? man_page(program) : page_of(program, name_));
      return 0;
    }
    fs::create_directories(common_.output);
    write(program.name, man_page(program));
    for (const CommandOutline& one : program.commands) {
      write(program.name + "-" + one.name, page_of(program, one.name));
    }
    return 0;
  }

 private:
  static std::string page_of(const CommandOutline& program, const std::string& name) {
    const auto command = std::ranges::find(program.commands, name, &CommandOutline::name);
    if (command == program.commands.end()) {
      std::vector<std::string> known;
      for (const CommandOutline& one : program.commands) known.push_back(one.name);
      throw UsageError(fmt::format("man: there is no command {}{}", in_quotes(name),
                                   did_you_mean_or_all(name, known)));
    }
    const Program words({kMethodsCommand});
    return man_page(program, *command, usage_of(*words.tree().get_subcommand(name)));
  }

  void write(const std::string& name, const std::string& page) const {
    write_output(fs::path(common_.output) / (name + ".1"), page, true);
  }

  std::string name_;
};

}  // namespace

std::unique_ptr<Command> make_man() { return std::make_unique<ManCommand>(); }

}  // namespace bermuda::app
