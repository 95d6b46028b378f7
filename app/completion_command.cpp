#include <fmt/format.h>

#include "command.hpp"
#include "completion.hpp"
#include "output.hpp"

namespace bermuda::app {
namespace {

// The program itself says what fits; files are left to bash, which knows about ~, $HOME and quotes.
constexpr const char* kBashScript = R"(# Completion of bermuda's command lines in bash.
_bermuda() {
  local program=${COMP_WORDS[0]/#\~\//$HOME/} word=${COMP_WORDS[COMP_CWORD]} files= line
  [[ $word != = ]] || word=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == "<file>" ]]; then files=yes; else COMPREPLY+=("$line"); fi
  done < <("$program" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ $files ]] || return 0
  if ((${#COMPREPLY[@]} == 0)); then
    compopt -o default
  else
    compopt -o filenames
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -F _bermuda bermuda
)";

class CompletionCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "completion", "Print what makes the shell complete with TAB",
                            "  eval \"$(bermuda completion bash)\"\n"
                            "  bermuda completion bash > "
                            "~/.local/share/bash-completion/completions/bermuda\n");
    command->add_option("SHELL", shell_, "Which shell")
        ->required()
        ->check(CLI::IsMember({"bash"}))
        ->type_name("");
  }

  int run(Session& /*session*/) override {
    print_data(kBashScript);
    return 0;
  }

 private:
  std::string shell_;
};

class CompleteCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "complete", "What the script of 'completion' asks; not for people", "");
    command->group("");
    command->add_option("WORD", words_, "The words up to the cursor")->type_name("");
  }

  int run(Session& /*session*/) override {
    const Candidates candidates = complete(words_);
    for (const std::string& name : candidates.names) print_text(name + "\n");
    if (candidates.files) print_data("<file>\n");
    return 0;
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<CompletionCommand>(); }
std::unique_ptr<Command> make_complete() { return std::make_unique<CompleteCommand>(); }

}  // namespace bermuda::app
