#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace bermuda::mpi {

/// What a message belongs to; those of different channels do not mix.
enum class Channel { kMessages, kGather, kBroadcast, kPulse };
inline constexpr int kChannels = 4;

/// A message that goes out or has come in.
struct Letter {
  Channel channel = Channel::kMessages;
  int rank = 0;  ///< to whom, or from whom
  std::string bytes;
};

/// Moves letters through MPI without ever waiting: post() starts one, step() does what can be done
/// now. A letter goes as its length and then in pieces. Made, used and destroyed on one thread;
/// MPI starts with it, and ends with it unless an exception does: the others may be gone then, and
/// MPI would wait for them.
class Transport {
 public:
  explicit Transport(std::size_t piece);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  void post(Letter letter);
  /// Adds what has come in whole, in the order it was sent, and the ranks of which or to which a
  /// piece has got through; true when anything moved.
  bool step(std::deque<Letter>& arrived, std::vector<int>& alive);
  /// Letters of which pieces are on their way, out or in.
  bool is_busy() const { return !outgoing_.empty() || !incoming_.empty(); }
  bool has_outgoing() const { return !outgoing_.empty(); }

 private:
  struct Transfer {
    Letter letter;
    std::uint64_t length = 0;
    std::vector<MPI_Request> requests;
    std::size_t through = 0;  ///< requests that are done
    bool is_through() const { return through == requests.size(); }
  };

  /// Whether another request of it is done.
  bool moves(Transfer& transfer);
  bool step_outgoing(std::vector<int>& alive);
  bool look_for_letters(std::vector<int>& alive);
  bool step_incoming(std::deque<Letter>& arrived, std::vector<int>& alive);

  int piece_;
  int rank_ = 0;
  int size_ = 1;
  // Lists, because MPI keeps pointers into the transfers.
  std::list<Transfer> outgoing_;
  std::list<Transfer> incoming_;
  std::vector<int> indices_;  // where MPI tells which requests are done
};

}  // namespace bermuda::mpi
