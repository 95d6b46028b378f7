#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <span>
#include <thread>
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

// What fails on all ranks alike is told by rank 0, which ends the others while they wait here; what
// fails on this one alone is told after that.
int fail(int code, const char* what, bermuda::Team* team) {
  constexpr auto kFirstWordOfRank0 = std::chrono::seconds(2);
  const int rank = bermuda::team_place().rank;
  if (rank != 0) std::this_thread::sleep_for(kFirstWordOfRank0);
  fmt::print(stderr, "bermuda: {}{}\n", rank == 0 ? "" : fmt::format("rank {}: ", rank), what);
  if (team != nullptr && team->size() > 1) team->abort(code);
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

int run(int argc, char** argv, std::unique_ptr<bermuda::Team>& team) {
  using namespace bermuda::app;
  const bool in_charge = bermuda::team_place().rank == 0;
  CLI::App program("Tells whether a model, or a data set, is really about graph topology.",
                   "bermuda");
  program.set_version_flag("--version", fmt::format("bermuda {}", bermuda::kVersion));
  program.set_help_flag("-h,--help", "Print this help");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  bermuda bench quick\n"
      "  bermuda dataset triangles -o D1 --seed 1\n"
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
  commands.push_back(make_bench());
  commands.push_back(make_report());
  commands.push_back(make_worker());
  for (const auto& command : commands) command->declare(program);
  const std::span<char* const> words(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
  for (const auto& command : commands) command->declare_for(words);

  check_command_words(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& answered) {  // --help, --version
    return in_charge ? program.exit(answered) : 0;
  } catch (const CLI::ParseError& error) {
    throw bermuda::UsageError(fmt::format("{} (--help explains)", error.what()));
  }
  for (const auto& command : commands) {
    if (!command->chosen()) continue;
    if (!in_charge && !command->uses_team()) return 0;
    Session session(command->common(), stop_requested, team);
    return command->run(session);
  }
  return kBadUsage;
}

}  // namespace

int main(int argc, char** argv) {
  if (bermuda::team_place().rank == 0) {  // the others have nothing to tidy up: they end at once
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then a failing write, with its message
  std::unique_ptr<bermuda::Team> team;
  try {
    return run(argc, argv, team);
  } catch (const bermuda::UsageError& error) {
    return fail(kBadUsage, error.what(), team.get());
  } catch (const bermuda::InputError& error) {
    return fail(kBadUsage, error.what(), team.get());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "out of memory", team.get());
  } catch (const std::exception& error) {
    return fail(kFailed, error.what(), team.get());
  }
}
