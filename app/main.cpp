#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bermuda/core/error.hpp"
#include "program.hpp"

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

int run(int argc, char** argv, std::unique_ptr<bermuda::Team>& team) {
  using namespace bermuda::app;
  const bool in_charge = bermuda::team_place().rank == 0;
  Program program(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  if (argc < 2) {
    if (in_charge) fmt::print(stderr, "{}", program.help());
    return kBadUsage;
  }
  Command* command = program.parse();
  if (command == nullptr) {
    if (in_charge) fmt::print("{}", program.answer());
    return 0;
  }
  if (!in_charge && !command->uses_team()) return 0;
  Session session(command->common(), stop_requested, team);
  return command->run(session);
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
