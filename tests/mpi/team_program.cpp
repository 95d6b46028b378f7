// What the ranks of a team do with each other; team_test.py runs it under mpirun.
// Usage: team_program FOLDER_OF_THE_LIBRARY PIECE exchange|wait|share|abort
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <map>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/share.hpp"
#include "bermuda/core/team.hpp"

namespace {

using bermuda::Team;
using std::chrono::milliseconds;

void expect(bool right, const std::string& what) {
  if (!right) throw bermuda::Error(what);
}

std::string letter(int from, int to, std::size_t size) {
  std::string text = fmt::format("{}>{}:", from, to);
  while (text.size() < size) text += static_cast<char>('a' + (text.size() * 7 + size) % 23);
  text.resize(size);
  return text;
}

// Everybody sends to everybody, long ones first, before anybody receives.
void exchange(Team& team) {
  const std::vector<std::size_t> sizes = {3000001, 0, 999, 1000, 1001, 7};
  for (int to = 0; to < team.size(); ++to) {
    for (const std::size_t size : sizes) team.send(to, letter(team.rank(), to, size));
  }
  const auto parts = team.gather(letter(team.rank(), 0, 5000));
  std::string common = team.in_charge() ? letter(0, 99, 123456) : "mine";
  team.broadcast(common);
  expect(common == letter(0, 99, 123456), "broadcast");
  expect(parts.size() == (team.in_charge() ? static_cast<std::size_t>(team.size()) : 0), "parts");
  for (std::size_t from = 0; from < parts.size(); ++from) {
    expect(parts[from] == letter(static_cast<int>(from), 0, 5000), "part");
  }
  std::map<int, std::size_t> seen;
  for (std::size_t i = 0; i < sizes.size() * static_cast<std::size_t>(team.size()); ++i) {
    const auto message = team.receive(milliseconds(20000));
    expect(message.has_value(), "a message is missing");
    const std::size_t number = seen[message->from]++;
    expect(number < sizes.size(), "a message too many");
    expect(message->bytes == letter(message->from, team.rank(), sizes[number]),
           fmt::format("message {} of rank {}", number, message->from));
  }
}

// Who waits does not burn its core, and is woken by what comes.
void wait(Team& team) {
  if (!team.in_charge()) {
    expect(team.receive(milliseconds(20000)).has_value(), "no message");
    return;
  }
  const std::clock_t before = std::clock();
  expect(!team.receive(milliseconds(1000)), "a message of nobody");
  const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  expect(used < 0.2, fmt::format("{} s of work in a second of waiting", used));
  for (int to = 1; to < team.size(); ++to) team.send(to, "wake up");
}

void share(Team& team) {
  constexpr std::size_t kCount = 10007;
  const auto item = [](std::size_t i) { return fmt::format("{},", i * i); };
  std::string whole;
  bermuda::Execution execution;
  execution.team = &team;
  expect(execution.in_charge() == (team.rank() == 0), "who is in charge");
  bermuda::share_out(
      execution, kCount, {3, 100},
      [&](std::size_t begin, std::size_t end) {
        std::string part;
        for (std::size_t i = begin; i < end; ++i) part += item(i);
        return part;
      },
      [&](std::size_t, std::size_t, std::string part) { whole += part; });
  std::string expected;
  for (std::size_t i = 0; team.in_charge() && i < kCount; ++i) expected += item(i);
  expect(whole == expected, "what was shared out");
}

}  // namespace

int main(int argc, char** argv) {
  std::unique_ptr<Team> team;
  try {
    if (argc != 4) throw bermuda::Error("three arguments");
    const std::vector<std::filesystem::path> folders = {argv[1]};
    const std::string what = argv[3];
    team = bermuda::join_team(folders, std::strtoul(argv[2], nullptr, 10));
    if (what == "exchange") exchange(*team);
    if (what == "wait") wait(*team);
    if (what == "share") share(*team);
    if (what == "abort") {
      expect(team->rank() != team->size() - 1, "one rank fails");
      team->receive(milliseconds(100000));
    }
    team->gather("");  // all are through
    if (team->in_charge()) fmt::print("{} of {} ranks\n", what, team->size());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    if (team) team->abort(3);
    return 2;
  }
}
