#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "output.hpp"
#include "program.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

std::atomic<bool> stop_requested{false};

// The first signal asks to stop; a second one ends the program at once. `timeout` and some shells
// send one twice in the same moment, to the program and to its group: that counts once.
constexpr long kSameMoment = 200;  // milliseconds
std::atomic<long> asked_at{0};

extern "C" void request_stop(int signal) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const long milliseconds = now.tv_sec * 1000L + now.tv_nsec / 1'000'000L;
  if (!stop_requested.exchange(true)) {
    asked_at = milliseconds;
  } else if (milliseconds - asked_at >= kSameMoment) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // held back until this function ends
  }
}

// What fails on all ranks alike is told by rank 0, which ends the others while they wait here; what
// fails on this one alone is told after that.
int fail(int code, const char* what, bermuda::Team* team) {
  constexpr auto kFirstWordOfRank0 = std::chrono::seconds(2);
  const int rank = bermuda::team_place().rank;
  if (rank != 0) std::this_thread::sleep_for(kFirstWordOfRank0);
  bermuda::app::print_note(fmt::format("bermuda: {}{}\n",
                                       rank == 0 ? "" : fmt::format("rank {}: ", rank),
                                       bermuda::printable(what)));
  if (team != nullptr && team->size() > 1) team->abort(code);
  return code;
}

int run(int argc, char** argv, std::unique_ptr<bermuda::Team>& team) {
  using namespace bermuda::app;
  const bool in_charge = bermuda::team_place().rank == 0;
  Program program(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  if (argc < 2) {
    if (in_charge) print_note(program.help());
    return kBadUsage;
  }
  Command* command = program.parse();
  if (command == nullptr) {
    if (in_charge) print_text(program.answer());
    return 0;
  }
  if (!in_charge && !command->uses_team()) return 0;
  Session session(command->common(), stop_requested, team);
  return command->run(session);
}

int run_and_tell(int argc, char** argv) {
  std::unique_ptr<bermuda::Team> team;
  try {
    return run(argc, argv, team);
  } catch (const bermuda::UsageError& error) {
    return fail(kBadUsage, error.what(), team.get());
  } catch (const bermuda::InputError& error) {
    return fail(kBadUsage, error.what(), team.get());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "out of memory", team.get());
  } catch (const std::length_error&) {  // more than any memory
    return fail(kFailed, "out of memory", team.get());
  } catch (const std::exception& error) {
    return fail(kFailed, error.what(), team.get());
  }
}

}  // namespace

int main(int argc, char** argv) {
  bermuda::app::guard_standard_streams();
  if (bermuda::team_place().rank == 0) {  // the others have nothing to tidy up: they end at once
    std::signal(SIGINT, request_stop);
    std::signal(SIGTERM, request_stop);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then a failing write, with its message
  return bermuda::app::end_output(run_and_tell(argc, argv));
}
