#pragma once

#include <chrono>
#include <vector>

namespace bermuda::mpi {

/// Who is still there. A machine that is cut off from the others says nothing, and MPI would wait
/// for it for ever: rank 0 and each other rank therefore say a word to each other now and then, and
/// who has said nothing for longer than the patience is given up. Knows nothing of MPI.
class Pulse {
 public:
  using Clock = std::chrono::steady_clock;

  /// A patience of zero waits for ever.
  Pulse(int rank, int size, std::chrono::milliseconds patience, Clock::time_point now);

  void heard(int rank);
  /// It has said goodbye, and may be silent from now on.
  void left(int rank);
  /// Those to whom a word is due now.
  std::vector<int> due(Clock::time_point now);
  /// Throws Error when somebody has been silent for too long. To be called often: what passes
  /// between two calls counts a second at most, so that a team that was put to sleep as a whole
  /// does not blame itself when it wakes.
  void check(Clock::time_point now);

 private:
  struct Peer {
    int rank = 0;
    Clock::duration silence{};
  };

  std::vector<Peer> peers_;
  Clock::duration patience_;
  Clock::time_point checked_;
  Clock::time_point said_;
};

/// What the environment variable BERMUDA_MPI_PATIENCE says, in seconds; a minute when it says
/// nothing. Throws UsageError when it is no such number.
std::chrono::milliseconds patience_with_ranks();

}  // namespace bermuda::mpi
