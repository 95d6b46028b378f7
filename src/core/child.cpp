#include "bermuda/core/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "descriptor.hpp"

namespace bermuda {
namespace {

constexpr int kLookMilliseconds = 100;

// The first byte of what a child sends.
enum Outcome : char { kDone = 'D', kUsage = 'U', kFailed = 'F', kNoMemory = 'M' };

/// Ended, if it still runs, and waited for at the end of its life.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

 private:
  pid_t process_;
};

std::string answer_of(const std::function<std::string()>& work) {
  try {
    return static_cast<char>(kDone) + work();
  } catch (const UsageError& error) {
    return static_cast<char>(kUsage) + std::string(error.what());
  } catch (const std::bad_alloc&) {
    return std::string(1, kNoMemory);
  } catch (const std::exception& error) {
    return static_cast<char>(kFailed) + std::string(error.what());
  }
}

[[noreturn]] void live_as_child(int output, pid_t parent,
                                const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to read the answer
  if (::getppid() != parent) ::_exit(1);
  const std::string answer = answer_of(work);
  for (std::size_t sent = 0; sent < answer.size();) {
    const ssize_t count = ::write(output, answer.data() + sent, answer.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(1);
    sent += static_cast<std::size_t>(count);
  }
  ::_exit(0);  // without what this process would do at its end: that is the parent's
}

std::string receive(int input, const StopPoll& stop) {
  std::string answer;
  std::array<char, 1 << 16> chunk;
  for (;;) {
    stop.now();
    pollfd waiting{input, POLLIN, 0};
    if (::poll(&waiting, 1, kLookMilliseconds) <= 0) continue;
    const ssize_t count = ::read(input, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return answer;
    answer.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string run_in_child(const StopPoll& stop, const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  const Descriptor input(ends[0]);
  Descriptor output(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (process == 0) live_as_child(output.get(), parent, work);
  Child child(process);
  output.close();
  std::string answer = receive(input.get(), stop);
  const int status = child.wait();
  const char outcome = answer.empty() ? '\0' : answer.front();
  if (!answer.empty()) answer.erase(0, 1);
  if (WIFSIGNALED(status)) {
    throw Error(
        fmt::format("a process that worked for this one was ended by signal {}", WTERMSIG(status)));
  }
  switch (outcome) {
    case kDone:
      if (WEXITSTATUS(status) == 0) return answer;
      break;
    case kUsage:
      throw UsageError(answer);
    case kFailed:
      throw Error(answer);
    case kNoMemory:
      throw std::bad_alloc();
    default:
      break;
  }
  throw Error("a process that worked for this one ended early");
}

}  // namespace bermuda
