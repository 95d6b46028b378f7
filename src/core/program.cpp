#include "bermuda/core/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "bermuda/core/error.hpp"
#include "descriptor.hpp"

extern char** environ;

namespace bermuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLook = 20;                                 // milliseconds between two looks
constexpr auto kGrace = std::chrono::milliseconds(2000);  // for a program that is asked to end
constexpr std::size_t kTail = 2000;
constexpr std::size_t kLongestLine = 200;

/// What fork() must not allocate: the words and the environment, made before it.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

std::vector<std::string> shell_words(const ProgramCall& call) {
  // A line end would make the arguments a command of their own.
  const std::string command = call.command.substr(0, call.command.find_last_not_of(" \t\r\n") + 1);
  std::vector<std::string> words = {"/bin/sh", "-c", command + " \"$@\"", "sh"};
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  return words;
}

std::vector<std::string> environment_words(const ProgramCall& call) {
  std::vector<std::string> words;
  for (char** entry = environ; *entry != nullptr; ++entry) words.emplace_back(*entry);
  for (const auto& [name, value] : call.environment) words.push_back(name + "=" + value);
  return words;
}

[[noreturn]] void become_program(int output, const Words& words, const Words& environment) {
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGHUP}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(words.get()[0], words.get(), environment.get());
  ::_exit(127);
}

/// Closes whatever this process has open but these, and the three that every process has: a socket
/// that its maker's other end waits for must not stay open here.
void keep_only_open(int one, int other) {
  const auto low = static_cast<unsigned>(std::min(one, other));
  const auto high = static_cast<unsigned>(std::max(one, other));
  constexpr unsigned kFirst = STDERR_FILENO + 1;
  if (low > kFirst) ::close_range(kFirst, low - 1, 0);
  if (high > low + 1) ::close_range(low + 1, high - 1, 0);
  ::close_range(high + 1, ~0U, 0);
}

/// Ends the children that this process got when their parents ended: those in sessions of their
/// own. The kernel lists them; reading that needs no memory.
void end_orphans() {
  for (int round = 0; round < 1000; ++round) {
    char list[4096];
    const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t size = ::read(file, list, sizeof list - 1);
    ::close(file);
    if (size <= 0) return;
    pid_t process = 0;
    for (ssize_t i = 0; i < size; ++i) {
      if (list[i] >= '0' && list[i] <= '9') {
        process = process * 10 + (list[i] - '0');
      } else if (process > 0) {
        ::kill(process, SIGKILL);
        process = 0;
      }
    }
    while (::waitpid(-1, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

/// Between us and the program: ends the program's whole group when we are gone, or close `ours`.
/// Exits with the program's code, or ends by its signal. Only what is allowed after fork().
[[noreturn]] void watch_over(int ours, int output, const Words& words, const Words& environment) {
  keep_only_open(ours, output);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // who leaves the group becomes our child, not init's
  // Ctrl-C on a terminal reaches everybody; whether to end is the maker's decision.
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::signal(number, SIG_IGN);
  const pid_t program = ::fork();
  if (program < 0) ::_exit(126);
  if (program == 0) become_program(output, words, environment);
  ::setpgid(program, program);  // both do it: neither knows who comes first
  ::close(output);
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(program, &status, WNOHANG);
    if (ended == program) break;
    pollfd maker{ours, POLLIN, 0};
    if (::poll(&maker, 1, kLook) <= 0) continue;
    char wish = 0;
    if (::read(ours, &wish, 1) == 1) {
      ::kill(-program, SIGTERM);
      continue;
    }
    ::kill(-program, SIGKILL);
    while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
    }
    break;
  }
  ::kill(-program, SIGKILL);  // what it left running
  end_orphans();
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::kill(::getpid(), WTERMSIG(status));
    ::pause();
  }
  ::_exit(WEXITSTATUS(status));
}

/// The process that watches over the program.
class Watch {
 public:
  Watch(pid_t process, int control) : process_(process), control_(control) {}
  ~Watch() {
    end_now();
    if (process_ > 0) wait();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void ask_to_end() const {
    const ssize_t written = ::write(control_.get(), "", 1);
    static_cast<void>(written);  // one that is gone needs no asking
  }
  void end_now() { control_.close(); }
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }
  bool ended(int& status) {
    if (::waitpid(process_, &status, WNOHANG) != process_) return false;
    process_ = 0;
    return true;
  }

 private:
  pid_t process_;
  Descriptor control_;
};

/// What the program prints: the end of it, and whole lines for who wants them.
class Printed {
 public:
  Printed(int descriptor, const std::function<void(std::string_view)>& line)
      : descriptor_(descriptor), line_(line) {
    ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
  }

  /// Waits a moment for more. A program that prints without end is cut off nowhere, but only its
  /// tail is kept.
  void take(int milliseconds) {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (!open_ || ::poll(&waiting, 1, milliseconds) <= 0) {
      if (!open_) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      return;
    }
    std::array<char, 1 << 16> chunk;
    const ssize_t count = ::read(descriptor_, chunk.data(), chunk.size());
    if (count < 0) return;
    if (count == 0) {
      open_ = false;
      return;
    }
    add({chunk.data(), static_cast<std::size_t>(count)});
  }
  /// What is there already: no more than a pipe holds, whoever still prints.
  void drain() {
    constexpr std::size_t kPipe = 1 << 20;
    const std::size_t most = total_ + kPipe;
    std::size_t before = 0;
    do {
      before = total_;
      take(0);
    } while (open_ && total_ != before && total_ < most);
  }
  std::string tail() && {
    if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
    return std::move(tail_);
  }

 private:
  void add(std::string_view text) {
    total_ += text.size();
    tail_ += text;
    if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
    if (!line_) return;
    const std::size_t end = text.find_last_of("\r\n");
    if (end == std::string_view::npos) return;
    const std::string_view whole = text.substr(0, end);
    const std::size_t begin = whole.find_last_of("\r\n");
    const std::string_view last = begin == std::string_view::npos ? whole : whole.substr(begin + 1);
    if (!last.empty()) line_(last.substr(0, kLongestLine));
  }

  int descriptor_;
  const std::function<void(std::string_view)>& line_;
  std::string tail_;
  std::size_t total_ = 0;
  bool open_ = true;
};

std::pair<int, int> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return {ends[0], ends[1]};
}

}  // namespace

ProgramEnd run_program(const ProgramCall& call, const StopPoll& stop) {
  const Words words(shell_words(call));
  const Words environment(environment_words(call));
  const auto [printed_in, printed_out] = make_pipe();
  const Descriptor input(printed_in);
  Descriptor output(printed_out);
  const auto [control_in, control_out] = make_pipe();
  Descriptor theirs(control_in);
  const pid_t process = ::fork();
  if (process < 0) {
    ::close(control_out);
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (process == 0) {
    ::close(control_out);  // or it would never hear of our end
    watch_over(control_in, printed_out, words, environment);
  }
  Watch watch(process, control_out);
  output.close();
  theirs.close();

  Printed printed(input.get(), call.line);
  ProgramEnd end;
  const bool limited = call.limit.count() > 0;
  const auto latest = Clock::now() + std::chrono::duration_cast<Clock::duration>(call.limit);
  Clock::time_point last_moment;
  int status = 0;
  while (!watch.ended(status)) {
    printed.take(kLook);
    const auto now = Clock::now();
    if (stop.requested()) {
      watch.end_now();
      watch.wait();
      stop.now();
    }
    if (limited && !end.out_of_time && now > latest) {
      end.out_of_time = true;
      last_moment = now + kGrace;
      watch.ask_to_end();
    }
    if (end.out_of_time && now > last_moment) watch.end_now();
  }
  printed.drain();
  end.tail = std::move(printed).tail();
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  constexpr int kSignalled = 128;  // how a shell tells that what it ran was ended by a signal
  if (end.exit_code > kSignalled && end.exit_code - kSignalled < NSIG) {
    end.signal = end.exit_code - kSignalled;
    end.exit_code = 0;
  }
  return end;
}

std::string end_text(const ProgramEnd& end, std::chrono::duration<double> limit) {
  if (end.out_of_time) return fmt::format("was stopped after {:g} s", limit.count());
  if (end.signal != 0) {
    return fmt::format("was ended by signal {} ({})", end.signal, ::strsignal(end.signal));
  }
  return end.exit_code == 0 ? "" : fmt::format("ended with code {}", end.exit_code);
}

}  // namespace bermuda
