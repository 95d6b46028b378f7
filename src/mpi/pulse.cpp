#include "pulse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda::mpi {
namespace {

constexpr const char* kPatience = "BERMUDA_MPI_PATIENCE";
constexpr std::chrono::seconds kUsualPatience(60);
constexpr double kLongestPatience = 1e6;  // seconds; eleven days
constexpr int kWordsPerPatience = 10;     // so that a late one harms nobody
constexpr std::chrono::seconds kLongestGap(1);

}  // namespace

Pulse::Pulse(int rank, int size, std::chrono::milliseconds patience, Clock::time_point now)
    : patience_(patience), checked_(now), said_(now) {
  if (patience_ == Clock::duration::zero()) return;
  if (rank != 0) {
    peers_.push_back({0});
  } else {
    for (int other = 1; other < size; ++other) peers_.push_back({other});
  }
}

void Pulse::heard(int rank) {
  for (Peer& peer : peers_) {
    if (peer.rank == rank) peer.silence = {};
  }
}

void Pulse::left(int rank) {
  std::erase_if(peers_, [&](const Peer& peer) { return peer.rank == rank; });
}

std::vector<int> Pulse::due(Clock::time_point now) {
  std::vector<int> ranks;
  if (now - said_ < patience_ / kWordsPerPatience) return ranks;
  said_ = now;
  for (const Peer& peer : peers_) ranks.push_back(peer.rank);
  return ranks;
}

void Pulse::check(Clock::time_point now) {
  const Clock::duration gap = std::min<Clock::duration>(now - checked_, kLongestGap);
  checked_ = now;
  for (Peer& peer : peers_) {
    peer.silence += gap;
    if (peer.silence < patience_) continue;
    throw Error(fmt::format(
        "nothing heard of rank {} for {} s: its process, its machine or the network to it is gone; "
        "should mpirun go on waiting for it, end mpirun",
        peer.rank, std::chrono::duration<double>(patience_).count()));
  }
}

std::chrono::milliseconds patience_with_ranks() {
  const char* text = std::getenv(kPatience);
  if (text == nullptr) return kUsualPatience;
  const auto seconds = parse_number<double>(text);
  if (!seconds || !(*seconds >= 0) || *seconds > kLongestPatience) {
    throw UsageError(
        fmt::format("{}={}: expected seconds, or 0 to wait for ever", kPatience, in_quotes(text)));
  }
  return std::chrono::milliseconds(std::llround(std::ceil(*seconds * 1000)));
}

}  // namespace bermuda::mpi
