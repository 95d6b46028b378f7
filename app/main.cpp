#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/version.hpp"
#include "command.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

std::atomic<bool> stop_requested{false};

extern "C" void request_stop(int) {
  stop_requested = true;
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
}

int fail(int code, const char* what) {
  fmt::print(stderr, "bermuda: {}\n", what);
  return code;
}

// CLI11 says only that a subcommand is required when it does not know the one that was given.
void check_command_words(const CLI::App& program, int argc, char** argv) {
  const CLI::App* app = &program;
  for (int i = 1; i < argc && argv[i][0] != '-' && app->get_require_subcommand_min() > 0; ++i) {
    std::string known;
    const CLI::App* next = nullptr;
    for (const CLI::App* candidate : app->get_subcommands([](const CLI::App*) { return true; })) {
      known += (known.empty() ? "" : ", ") + candidate->get_name();
      if (candidate->get_name() == argv[i]) next = candidate;
    }
    if (next == nullptr) {
      throw bermuda::UsageError(fmt::format("{}: there is no {}; there are: {}", app->get_name(),
                                            bermuda::in_quotes(argv[i]), known));
    }
    app = next;
  }
}

int run(int argc, char** argv) {
  using namespace bermuda::app;
  CLI::App program("Tells whether a model, or a data set, is really about graph topology.",
                   "bermuda");
  program.set_version_flag("--version", fmt::format("bermuda {}", bermuda::kVersion));
  program.set_help_flag("-h,--help", "Print this help");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  bermuda dataset triangles -o D1 --seed 1\n"
      "  bermuda verify D1\n"
      "  bermuda audit D1\n"
      "'bermuda COMMAND --help' explains a command.");

  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_dataset());
  commands.push_back(make_generate());
  commands.push_back(make_filter());
  commands.push_back(make_info());
  commands.push_back(make_verify());
  commands.push_back(make_audit());
  commands.push_back(make_convert());
  commands.push_back(make_draw());
  commands.push_back(make_tasks());
  commands.push_back(make_methods());
  commands.push_back(make_train());
  commands.push_back(make_predict());
  commands.push_back(make_explain());
  for (const auto& command : commands) command->declare(program);
  const std::span<char* const> words(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
  for (const auto& command : commands) command->declare_for(words);

  check_command_words(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& answered) {  // --help, --version
    return program.exit(answered);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "bermuda: {} (--help explains)\n", error.what());
    return kBadUsage;
  }
  for (const auto& command : commands) {
    if (!command->chosen()) continue;
    Session session(command->common(), stop_requested);
    return command->run(session);
  }
  return kBadUsage;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then a failing write, with its message
  try {
    return run(argc, argv);
  } catch (const bermuda::UsageError& error) {
    return fail(kBadUsage, error.what());
  } catch (const bermuda::InputError& error) {
    return fail(kBadUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "out of memory");
  } catch (const std::exception& error) {
    return fail(kFailed, error.what());
  }
}
