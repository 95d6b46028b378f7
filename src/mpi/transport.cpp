#include "transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <set>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda::mpi {
namespace {

// Shorter letters leave before anybody has taken them, and prove nothing.
constexpr std::size_t kNotWithoutAnswer = std::size_t{1} << 20;

void check(int result) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  throw Error(
      fmt::format("MPI: {}", std::string_view(text.data(), static_cast<std::size_t>(length))));
}

int length_tag(Channel channel) { return 2 * static_cast<int>(channel); }
int piece_tag(Channel channel) { return 2 * static_cast<int>(channel) + 1; }

// Calls start(place, count, request) for each piece.
template <typename Start>
void in_pieces(std::string& bytes, std::size_t piece, std::vector<MPI_Request>& requests,
               const Start& start) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += piece) {
    requests.push_back(MPI_REQUEST_NULL);
    const std::size_t count = std::min(piece, bytes.size() - begin);
    check(start(bytes.data() + begin, static_cast<int>(count), &requests.back()));
  }
}

}  // namespace

Transport::Transport(std::size_t piece)
    : piece_(static_cast<int>(std::clamp<std::size_t>(piece, 1, std::numeric_limits<int>::max()))) {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
  if (provided < MPI_THREAD_FUNNELED) throw UsageError("this MPI knows no threads");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_));
}

Transport::~Transport() {
  if (std::uncaught_exceptions() == 0) MPI_Finalize();
}

void Transport::post(Letter letter) {
  Transfer& transfer = outgoing_.emplace_back();
  transfer.letter = std::move(letter);
  transfer.length = transfer.letter.bytes.size();
  const Channel channel = transfer.letter.channel;
  const int to = transfer.letter.rank;
  transfer.requests.push_back(MPI_REQUEST_NULL);
  check(MPI_Isend(&transfer.length, sizeof transfer.length, MPI_BYTE, to, length_tag(channel),
                  MPI_COMM_WORLD, &transfer.requests.back()));
  in_pieces(transfer.letter.bytes, static_cast<std::size_t>(piece_), transfer.requests,
            [&](char* place, int count, MPI_Request* request) {
              return MPI_Isend(place, count, MPI_BYTE, to, piece_tag(channel), MPI_COMM_WORLD,
                               request);
            });
}

bool Transport::step(std::deque<Letter>& arrived, std::vector<int>& alive) {
  const bool sent = step_outgoing(alive);
  const bool found = look_for_letters(alive);
  const bool received = step_incoming(arrived, alive);
  return sent || found || received;
}

bool Transport::moves(Transfer& transfer) {
  int done = 0;
  indices_.resize(transfer.requests.size());
  check(MPI_Testsome(static_cast<int>(transfer.requests.size()), transfer.requests.data(), &done,
                     indices_.data(), MPI_STATUSES_IGNORE));
  if (done == MPI_UNDEFINED || done == 0) return false;
  transfer.through += static_cast<std::size_t>(done);
  return true;
}

bool Transport::step_outgoing(std::vector<int>& alive) {
  return std::erase_if(outgoing_, [&](Transfer& transfer) {
           const bool answered = transfer.letter.bytes.size() >= kNotWithoutAnswer;
           if (moves(transfer) && answered) alive.push_back(transfer.letter.rank);
           return transfer.is_through();
         }) > 0;
}

bool Transport::look_for_letters(std::vector<int>& alive) {
  bool found = false;
  for (int number = 0; number < kChannels; ++number) {
    const auto channel = static_cast<Channel>(number);
    int waiting = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, length_tag(channel), MPI_COMM_WORLD, &waiting, &status));
    if (waiting == 0) continue;
    found = true;
    Transfer& transfer = incoming_.emplace_back();
    const int from = status.MPI_SOURCE;
    alive.push_back(from);
    check(MPI_Recv(&transfer.length, sizeof transfer.length, MPI_BYTE, from, length_tag(channel),
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    transfer.letter = {channel, from, std::string(transfer.length, '\0')};
    in_pieces(transfer.letter.bytes, static_cast<std::size_t>(piece_), transfer.requests,
              [&](char* place, int count, MPI_Request* request) {
                return MPI_Irecv(place, count, MPI_BYTE, from, piece_tag(channel), MPI_COMM_WORLD,
                                 request);
              });
  }
  return found;
}

bool Transport::step_incoming(std::deque<Letter>& arrived, std::vector<int>& alive) {
  // A letter waits for the earlier ones of its sender, however long those are.
  std::set<std::pair<int, Channel>> held;
  return std::erase_if(incoming_, [&](Transfer& transfer) {
           const std::pair sender(transfer.letter.rank, transfer.letter.channel);
           if (held.contains(sender)) return false;
           if (moves(transfer)) alive.push_back(transfer.letter.rank);
           if (!transfer.is_through()) {
             held.insert(sender);
             return false;
           }
           arrived.push_back(std::move(transfer.letter));
           return true;
         }) > 0;
}

}  // namespace bermuda::mpi
