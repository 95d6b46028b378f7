#include "bermuda/core/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "bermuda/core/error.hpp"
#include "pulse.hpp"
#include "transport.hpp"

namespace bermuda::mpi {
namespace {

using std::chrono::microseconds;

// A transfer wants to go on soon; who only waits for a letter looks rarely.
constexpr microseconds kBriefNap(20);
constexpr microseconds kLongNap(1000);

// What is said over Channel::kPulse.
constexpr const char* kHere = "";
constexpr const char* kGoodbye = "bye";

/// MPI moves bytes only while somebody calls it, so that a thread of its own does: then ranks that
/// are busy still send and receive, and a rank that waits sleeps, where MPI's own calls would spin.
class MpiTeam : public Team {
 public:
  explicit MpiTeam(std::size_t piece) : postman_([this, piece] { run(piece); }) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return size_ > 0 || failure_; });
    if (!failure_) return;
    lock.unlock();
    postman_.join();
    std::rethrow_exception(failure_);
  }

  ~MpiTeam() override {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
      for (int other = 0; other < size_; ++other) {
        const bool knows_us = other != rank_ && (rank_ == 0 || other == 0);
        if (knows_us) outbox_.push_back({Channel::kPulse, other, kGoodbye});
      }
    }
    wake_.notify_one();
    postman_.join();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::string_view bytes) override {
    if (to < 0 || to >= size_) throw Error(fmt::format("no rank {} in a team of {}", to, size_));
    put(Channel::kMessages, to, std::string(bytes));
  }

  std::optional<Message> receive(std::chrono::milliseconds timeout) override {
    std::unique_lock lock(mutex_);
    auto& letters = arrived_[static_cast<std::size_t>(Channel::kMessages)];
    changed_.wait_for(lock, timeout, [&] { return !letters.empty() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    if (letters.empty()) return std::nullopt;
    Message message{letters.front().rank, std::move(letters.front().bytes)};
    letters.pop_front();
    return message;
  }

  std::vector<std::string> gather(std::string_view part) override {
    if (rank_ != 0) {
      put(Channel::kGather, 0, std::string(part));
      return {};
    }
    std::vector<std::string> parts;
    parts.emplace_back(part);
    for (int from = 1; from < size_; ++from) parts.push_back(next(Channel::kGather, from));
    return parts;
  }

  void broadcast(std::string& bytes) override {
    if (rank_ != 0) {
      bytes = next(Channel::kBroadcast, 0);
      return;
    }
    for (int to = 1; to < size_; ++to) put(Channel::kBroadcast, to, bytes);
  }

  [[noreturn]] void abort(int code) override {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) std::_Exit(code);  // MPI is no more; mpirun sees the exit and ends the others
      abort_code_ = code;
    }
    wake_.notify_one();
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }

 private:
  void put(Channel channel, int to, std::string bytes) {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    outbox_.push_back({channel, to, std::move(bytes)});
    wake_.notify_one();
  }

  std::string next(Channel channel, int from) {
    std::unique_lock lock(mutex_);
    auto& letters = arrived_[static_cast<std::size_t>(channel)];
    auto letter = letters.end();
    changed_.wait(lock, [&] {
      letter = std::find_if(letters.begin(), letters.end(),
                            [&](const Letter& candidate) { return candidate.rank == from; });
      return letter != letters.end() || failure_;
    });
    if (failure_) std::rethrow_exception(failure_);
    std::string bytes = std::move(letter->bytes);
    letters.erase(letter);
    return bytes;
  }

  void run(std::size_t piece) {
    try {
      const std::chrono::milliseconds patience = patience_with_ranks();
      Transport transport(piece);
      Pulse pulse(transport.rank(), transport.size(), patience, Pulse::Clock::now());
      {
        const std::lock_guard lock(mutex_);
        rank_ = transport.rank();
        size_ = transport.size();
      }
      changed_.notify_all();
      while (deliver(transport, pulse)) {
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  // One round; false when the team is left and nothing is on its way out any more.
  bool deliver(Transport& transport, Pulse& pulse) {
    std::unique_lock lock(mutex_);
    if (abort_code_) MPI_Abort(MPI_COMM_WORLD, *abort_code_);
    std::deque<Letter> outgoing = std::exchange(outbox_, {});
    if (leaving_ && outgoing.empty() && !transport.has_outgoing()) return false;
    lock.unlock();

    for (Letter& letter : outgoing) transport.post(std::move(letter));
    std::deque<Letter> arrived;
    const bool moved = move_letters(transport, pulse, arrived);

    lock.lock();
    for (Letter& letter : arrived) {
      arrived_[static_cast<std::size_t>(letter.channel)].push_back(std::move(letter));
    }
    if (!arrived.empty()) changed_.notify_all();
    if (moved) {
      nap_ = kBriefNap;
    } else {
      wake_.wait_for(lock, nap_, [&] {
        const bool may_leave = leaving_ && !transport.has_outgoing();
        return !outbox_.empty() || may_leave || abort_code_.has_value();
      });
      nap_ = std::min(2 * nap_, transport.is_busy() ? 5 * kBriefNap : kLongNap);
    }
    return true;
  }

  // What goes and comes now; words of Channel::kPulse are for the pulse alone.
  static bool move_letters(Transport& transport, Pulse& pulse, std::deque<Letter>& arrived) {
    const Pulse::Clock::time_point now = Pulse::Clock::now();
    for (const int rank : pulse.due(now)) transport.post({Channel::kPulse, rank, kHere});
    std::vector<int> alive;
    const bool moved = transport.step(arrived, alive);
    for (const int rank : alive) pulse.heard(rank);
    std::erase_if(arrived, [&](const Letter& letter) {
      if (letter.channel != Channel::kPulse) return false;
      if (letter.bytes == kGoodbye) pulse.left(letter.rank);
      return true;
    });
    pulse.check(now);
    return moved;
  }

  std::mutex mutex_;
  std::condition_variable wake_;     // of the postman
  std::condition_variable changed_;  // of who waits for letters
  std::deque<Letter> outbox_;
  std::array<std::deque<Letter>, kChannels> arrived_;
  std::exception_ptr failure_;
  std::optional<int> abort_code_;
  bool leaving_ = false;
  int rank_ = 0;
  int size_ = 0;
  microseconds nap_ = kBriefNap;
  std::thread postman_;  // last: it uses all of the above
};

}  // namespace
}  // namespace bermuda::mpi

extern "C" bermuda::Team* bermuda_make_team(std::size_t piece) {
  return std::make_unique<bermuda::mpi::MpiTeam>(piece).release();
}
