#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bermuda {

struct Execution;

/// Processes that work together, as mpirun starts them: rank 0 is in charge, it alone writes and
/// prints. A process of its own is a team of one, so that code that spreads its work is written
/// once. Bytes may be more than 2 GiB. One thread of a process, always the same, calls these. A
/// rank that fails throws; who catches calls abort(), for the others may be waiting. A rank of
/// which nothing is heard for too long is a failure of those that wait for it.
class Team {
 public:
  struct Message {
    int from = 0;
    std::string bytes;
  };

  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool in_charge() const { return rank() == 0; }

  /// To one rank, itself too. Returns when the bytes are on their way; it may wait until the other
  /// receives, and takes in meanwhile what comes, so that two that send to each other both get on.
  /// Messages from one rank to another arrive in the order they were sent.
  virtual void send(int to, std::string_view bytes) = 0;

  /// The next message of whichever rank, or nothing after the timeout. Sleeps between looks, so
  /// that a waiting rank leaves its core to others. A team of one does not wait for what cannot
  /// come.
  virtual std::optional<Message> receive(std::chrono::milliseconds timeout) = 0;

  /// All ranks call it: rank 0 gets every part, by rank; the others get nothing. Does not mix with
  /// messages of send().
  virtual std::vector<std::string> gather(std::string_view part) = 0;

  /// All ranks call it: afterwards the bytes of each are those of rank 0.
  virtual void broadcast(std::string& bytes) = 0;

  /// Ends every process of the team with this exit code, at once.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// Who a process is in a team.
struct TeamPlace {
  int rank = 0;
  int size = 1;
  int on_this_machine = 1;  ///< ranks, this one too; they share its cores
  bool operator==(const TeamPlace&) const = default;
};

/// What mpirun or srun told this process in its environment; rank 0 of 1 when nobody did. Costs
/// nothing, and loads nothing.
TeamPlace team_place();

std::unique_ptr<Team> make_solo_team();

/// The team of an execution, or a team of one where it has none.
std::shared_ptr<Team> team_of(const Execution& execution);

/// Largest part of a message that goes through MPI at once: it counts bytes in an int, and a part
/// that gets through is a sign of life, which a slow network must let pass soon enough.
inline constexpr std::size_t kMessagePiece = std::size_t{1} << 25;

/// Cores for each of the ranks on this machine: this machine's divided by their number.
int cores_of_a_rank();

/// The team that this process was started in: a team of one, or that of the library bermuda_mpi.so
/// in one of the folders, which is loaded here and not before. Throws UsageError when the
/// environment tells of a team and there is no such library, or when it was built for another MPI
/// than mpirun's. To be called once; the team ends when it is destroyed, which waits for the
/// other ranks.
std::unique_ptr<Team> join_team(std::span<const std::filesystem::path> folders,
                                std::size_t piece = kMessagePiece);

/// What bermuda_mpi.so offers, under this name and with C linkage.
using TeamFactory = Team*(std::size_t piece);
inline constexpr const char* kTeamFactory = "bermuda_make_team";

}  // namespace bermuda
