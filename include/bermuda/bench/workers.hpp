#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/team.hpp"

namespace bermuda {

/// What a worker says, or what became of it.
struct WorkerMessage {
  int worker = 0;
  bool died = false;  ///< then the text says how; the next send() starts another in its place
  std::string text;
};

/// Processes that do one job at a time, told by whoever made them. They end with their maker,
/// however that ends.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual int count() const = 0;
  virtual void send(int worker, std::string_view text) = 0;
  /// What has come, or nothing after the timeout.
  virtual std::vector<WorkerMessage> receive(std::chrono::milliseconds timeout) = 0;
  /// Asks all to stop what they are doing; each that does something will say that it did.
  virtual void interrupt() = 0;
  /// How long those that were asked to stop are worth waiting for.
  virtual std::chrono::milliseconds patience() const { return std::chrono::seconds(30); }
};

/// Processes on this machine: `program` with `arguments`, one end of a socket as its descriptor
/// kWorkerDescriptor.
inline constexpr int kWorkerDescriptor = 3;
std::unique_ptr<Workers> make_process_workers(int count, const std::filesystem::path& program,
                                              const std::vector<std::string>& arguments);

/// All ranks of a team but 0, each of which must be in relay_jobs().
std::unique_ptr<Workers> make_team_workers(Team& team);
/// On such a rank: hands jobs to `own`, a single worker process, and its messages to rank 0, until
/// rank 0 lets its workers go. A worker process that dies takes nobody with it.
void relay_jobs(Team& team, Workers& own);

/// Messages over a socket: a length and as many bytes. For the worker's end.
void send_message(int descriptor, std::string_view text);
/// False when the other end is gone.
bool receive_message(int descriptor, std::string& text);

}  // namespace bermuda
