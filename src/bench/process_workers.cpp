#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "bermuda/bench/workers.hpp"
#include "bermuda/core/error.hpp"
#include "messages.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;

std::string how_it_ended(int status) {
  if (WIFEXITED(status)) return fmt::format("the worker ended with code {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("the worker was ended by signal {} ({}){}", signal, ::strsignal(signal),
                     signal == SIGKILL ? "; was memory short?" : "");
}

/// Without what mpirun told this process: a worker is no rank.
std::vector<char*> own_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const bool of_mpirun = text.starts_with("OMPI_") || text.starts_with("PMI") ||
                           text.starts_with("SLURM_PROCID=") || text.starts_with("SLURM_NTASKS=");
    if (!of_mpirun) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

class ProcessWorkers : public Workers {
 public:
  ProcessWorkers(int count, std::filesystem::path program, std::vector<std::string> arguments)
      : workers_(static_cast<std::size_t>(count)),
        program_(std::move(program)),
        arguments_(std::move(arguments)) {}

  ~ProcessWorkers() override {
    for (Worker& worker : workers_) {
      if (worker.pid <= 0) continue;
      ::close(worker.socket);  // an idle worker ends by that
      ::kill(worker.pid, SIGKILL);
      ::waitpid(worker.pid, nullptr, 0);
    }
  }

  int count() const override { return static_cast<int>(workers_.size()); }

  void send(int number, std::string_view text) override {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    if (worker.pid <= 0) start(worker);
    try {
      send_message(worker.socket, text);
    } catch (const IoError&) {
      // It died meanwhile: receive() will find out and say so.
    }
  }

  std::vector<WorkerMessage> receive(std::chrono::milliseconds timeout) override {
    std::vector<pollfd> sockets;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].pid <= 0) continue;
      sockets.push_back({workers_[i].socket, POLLIN, 0});
      numbers.push_back(i);
    }
    std::vector<WorkerMessage> messages;
    if (::poll(sockets.data(), sockets.size(), static_cast<int>(timeout.count())) <= 0) {
      return messages;
    }
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      if (sockets[i].revents == 0) continue;
      Worker& worker = workers_[numbers[i]];
      const int number = static_cast<int>(numbers[i]);
      const bool alive = worker.buffer.read_from(worker.socket, kReadBytes);
      std::string text;
      while (worker.buffer.next(text)) messages.push_back({number, false, text});
      if (!alive) messages.push_back({number, true, bury(worker)});
    }
    return messages;
  }

  void interrupt() override {
    for (const Worker& worker : workers_) {
      if (worker.pid > 0) ::kill(worker.pid, SIGTERM);
    }
  }

 private:
  struct Worker {
    pid_t pid = 0;
    int socket = -1;
    MessageBuffer buffer;
  };

  void start(Worker& worker) const {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw IoError("worker", "make a socket for", errno);
    }
    std::string program = program_.string();
    std::vector<std::string> words = arguments_;
    std::vector<char*> argv = {program.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<char*> environment = own_environment();
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) throw IoError("worker", "start", errno);
    if (pid == 0) {
      // Only calls that are safe between fork and exec.
      ::setpgid(0, 0);  // Ctrl-C goes to the program alone, which tells its workers
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      if (ends[1] == kWorkerDescriptor) {
        ::fcntl(ends[1], F_SETFD, 0);
      } else {
        ::dup2(ends[1], kWorkerDescriptor);
      }
      ::execve(program.c_str(), argv.data(), environment.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    worker.pid = pid;
    worker.socket = ends[0];
    worker.buffer = {};
  }

  static std::string bury(Worker& worker) {
    int status = 0;
    ::close(worker.socket);
    ::kill(worker.pid, SIGKILL);  // should it live on without its socket
    while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
    }
    worker.pid = 0;
    return how_it_ended(status);
  }

  std::vector<Worker> workers_;
  std::filesystem::path program_;
  std::vector<std::string> arguments_;
};

}  // namespace

std::unique_ptr<Workers> make_process_workers(int count, const std::filesystem::path& program,
                                              const std::vector<std::string>& arguments) {
  return std::make_unique<ProcessWorkers>(count, program, arguments);
}

}  // namespace bermuda
