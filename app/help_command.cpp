#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"
#include "program.hpp"

namespace bermuda::app {
namespace {

class HelpCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "help", "Explain a command",
                            "  bermuda help train\n"
                            "  bermuda help train svm-wl\n");
    command->add_option("COMMAND", words_, "Command to explain, and its task or method")
        ->type_name("");
  }

  int run(Session& /*session*/) override {
    std::vector<std::string> words = words_;
    words.emplace_back("--help");
    Program program(words);
    program.parse();
    print_text(program.answer());
    return 0;
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> make_help() { return std::make_unique<HelpCommand>(); }

}  // namespace bermuda::app
