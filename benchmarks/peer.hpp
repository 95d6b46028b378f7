#pragma once

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "bermuda/core/error.hpp"
#include "turns.hpp"

namespace bermuda::benchmarks {

/// A program of peers/ that has made its batches and waits to be told what to time
/// (peers/torch_timing.py). It ends when we do: nobody is left to tell it more.
class Peer {
 public:
  /// `raised`: with glibc's thresholds raised, as our own program has them. Which is faster depends
  /// on the model.
  Peer(const std::string& program, bool raised) : command_(environment(raised) + program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw Error("no socket");
    child_ = fork();
    if (child_ < 0) throw Error("cannot run " + command_);
    if (child_ == 0) {
      dup2(ends[1], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      execl("/bin/sh", "sh", "-c", command_.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    stream_ = fdopen(ends[0], "r+");
    answer();  // it is ready
  }
  ~Peer() {
    std::fclose(stream_);
    waitpid(child_, nullptr, 0);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  double seconds(Part part) {
    std::fputs(part == Part::kTraining ? "training\n" : "inference\n", stream_);
    std::fflush(stream_);
    return std::strtod(answer().c_str(), nullptr);
  }

 private:
  static std::string environment(bool raised) {
    return fmt::format("{}OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 exec /usr/bin/python3 ",
                       raised ? "MALLOC_MMAP_THRESHOLD_=1000000000 "
                                "MALLOC_TRIM_THRESHOLD_=10000000000 MALLOC_TOP_PAD_=100000000 "
                              : "");
  }

  std::string answer() {
    char line[256];
    if (std::fgets(line, sizeof line, stream_) == nullptr) throw Error("ended: " + command_);
    return line;
  }

  std::string command_;
  pid_t child_ = -1;
  std::FILE* stream_ = nullptr;
};

/// A peer among the contestants, with either setting of glibc; none where no program is named.
class PeerTurns {
 public:
  PeerTurns(Turns& turns, const std::string& program) {
    if (program.empty()) return;
    for (const bool raised : {false, true}) {
      const auto peer = std::make_shared<Peer>(program, raised);
      numbers_.push_back(turns.add([peer](Part part) { return peer->seconds(part); }));
    }
  }

  /// Of the faster, "-" without a peer.
  std::string seconds(const Turns& turns, Part part) const {
    if (numbers_.empty()) return "-";
    double best = turns.seconds(numbers_.front(), part);
    for (const int who : numbers_) best = std::min(best, turns.seconds(who, part));
    return fmt::format("{:.2f}", best);
  }
  std::string ratio(const Turns& turns, int ours, Part part) const {
    return numbers_.empty() ? "-" : turns.ratio(numbers_, ours, part).text();
  }

 private:
  std::vector<int> numbers_;
};

}  // namespace bermuda::benchmarks
