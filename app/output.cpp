#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "bermuda/core/text.hpp"

namespace bermuda::app {
namespace {

int first_error = 0;  // of standard output

void remember(bool failed) {
  if (failed && first_error == 0) first_error = errno == 0 ? EIO : errno;
}

}  // namespace

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is taken, which is this one. Writing to a closed standard output is to
    // fail, so that it is noticed; a closed standard error was meant.
    const int mode = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", mode) != stream) std::_Exit(1);
  }
}

void print_data(std::string_view data) {
  errno = 0;
  remember(std::fwrite(data.data(), 1, data.size(), stdout) != data.size() ||
           std::fflush(stdout) != 0);
}

void print_text(std::string_view text) { print_data(printable_lines(text)); }

void print_note(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int end_output(int code) {
  constexpr int kPipeClosed = 128 + SIGPIPE;
  errno = 0;
  remember(std::fclose(stdout) != 0);
  if (first_error == 0) return code;
  if (first_error == EPIPE) return code == 0 ? kPipeClosed : code;
  print_note(fmt::format("bermuda: cannot write standard output: {}\n",
                         std::generic_category().message(first_error)));
  return code == 0 ? 1 : code;
}

}  // namespace bermuda::app
