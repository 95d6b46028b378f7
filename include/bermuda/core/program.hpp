#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bermuda/core/stop.hpp"

namespace bermuda {

/// A program of the user's, as a command line.
struct ProgramCall {
  std::string command;                 ///< for the shell, which runs it here in this folder
  std::vector<std::string> arguments;  ///< appended to it, each as one word
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< beside our own
  std::chrono::duration<double> limit{0};                             ///< 0: none
  /// Told each line that it prints, for people; the line may be cut.
  std::function<void(std::string_view)> line = {};
};

/// What became of it.
struct ProgramEnd {
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0: none
  bool out_of_time = false;
  std::string tail;  ///< the end of what it printed, on either stream
  bool good() const { return exit_code == 0 && signal == 0 && !out_of_time; }
};

/// Runs it to its end, or to the limit, or until the user asks to stop (Interrupted). It reads
/// nothing, inherits no open file of ours, and is ended with everything that it started, also when
/// this process is killed.
ProgramEnd run_program(const ProgramCall& call, const StopPoll& stop);

/// "ended with code 3", "was ended by signal 9 (Killed)", "was stopped after 60 s"; empty for a
/// good end.
std::string end_text(const ProgramEnd& end, std::chrono::duration<double> limit);

}  // namespace bermuda
