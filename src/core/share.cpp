#include "bermuda/core/share.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "bermuda/core/team.hpp"

namespace bermuda {
namespace {

using std::chrono::milliseconds;

// Portions that a rank has, one at work and the others in the drawer, so that nobody waits for rank
// 0, which looks at its post between portions only.
constexpr int kAhead = 4;
constexpr milliseconds kWait(100);

/// Every message starts with one. From a rank: what it has made, an empty range at first. From rank
/// 0: what to make next, an empty range at the end.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t threads = 1;  // of the rank that sends
  bool is_empty() const { return begin == end; }
};

void send_range(Team& team, int to, const Range& range, std::string_view part = {}) {
  std::string bytes(sizeof range, '\0');
  std::memcpy(bytes.data(), &range, sizeof range);
  bytes += part;
  team.send(to, bytes);
}

Range take_range(std::string& bytes) {
  Range range;
  std::memcpy(&range, bytes.data(), sizeof range);
  bytes.erase(0, sizeof range);
  return range;
}

void work_for_rank_0(Team& team, const Execution& execution, std::size_t threads,
                     const MakePart& make) {
  for (int i = 0; i < kAhead; ++i) send_range(team, 0, {0, 0, threads});
  for (int awaited = kAhead; awaited > 0;) {
    execution.check_stop();
    auto message = team.receive(kWait);
    if (!message) continue;
    Range range = take_range(message->bytes);
    if (range.is_empty()) {
      --awaited;
      continue;
    }
    range.threads = threads;
    send_range(team, 0, range, make(range.begin, range.end));
  }
}

class Sharing {
 public:
  Sharing(Team& team, std::size_t count, Portion portion, const TakePart& take)
      : team_(team),
        count_(count),
        portion_(portion),
        take_(take),
        open_answers_(kAhead * (team.size() - 1)) {}

  bool is_complete() const { return taken_ == count_ && open_answers_ == 0; }

  /// The next portion, as large as suits so many threads; empty when there is none left.
  Range next(std::size_t threads) {
    const std::size_t left = count_ - next_;
    const std::size_t fair = left / static_cast<std::size_t>(2 * kAhead * team_.size());
    const std::size_t size = std::clamp(fair, portion_.least * threads, portion_.most * threads);
    const std::size_t begin = std::exchange(next_, next_ + std::min(left, size));
    return {begin, next_, threads};
  }

  void answer(Team::Message message) {
    const Range made = take_range(message.bytes);
    if (!made.is_empty()) keep(made, std::move(message.bytes));
    const Range more = next(made.threads);
    if (more.is_empty()) --open_answers_;
    send_range(team_, message.from, more);
  }

  void keep(const Range& range, std::string part) {
    early_.emplace(range.begin, std::pair(range.end, std::move(part)));
    while (!early_.empty() && early_.begin()->first == taken_) {
      auto node = early_.extract(early_.begin());
      taken_ = node.mapped().first;
      take_(node.key(), taken_, std::move(node.mapped().second));
    }
  }

 private:
  Team& team_;
  std::size_t count_;
  Portion portion_;
  const TakePart& take_;
  std::size_t next_ = 0;   // first item that nobody has
  std::size_t taken_ = 0;  // items up to here were handed to take_
  int open_answers_;       // messages of ranks that still want an empty range
  std::map<std::size_t, std::pair<std::size_t, std::string>> early_;  // parts, by their begin
};

}  // namespace

void share_out(const Execution& execution, std::size_t count, Portion portion, const MakePart& make,
               const TakePart& take) {
  const std::shared_ptr<Team> ranks = team_of(execution);
  Team& team = *ranks;
  const auto threads = static_cast<std::size_t>(std::max(execution.threads, 1));
  if (!team.in_charge()) return work_for_rank_0(team, execution, threads, make);
  Sharing sharing(team, count, portion, take);
  while (!sharing.is_complete()) {
    execution.check_stop();
    while (auto message = team.receive(milliseconds(0))) sharing.answer(std::move(*message));
    const Range own = sharing.next(threads);
    if (!own.is_empty()) {
      sharing.keep(own, make(own.begin, own.end));
    } else if (!sharing.is_complete()) {
      if (auto message = team.receive(kWait)) sharing.answer(std::move(*message));
    }
  }
}

}  // namespace bermuda
