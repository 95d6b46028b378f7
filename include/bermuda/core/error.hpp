#pragma once

#include <stdexcept>
#include <string>

namespace bermuda {

/// Base of everything this library throws on purpose. The library never prints, exits or aborts;
/// the program's main() turns the families below into exit codes.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that cannot be done: a bad option value, an output that exists,
/// three classes where two are needed. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A file does not say what its format promises. Exit code 2.
/// what() is one line: `FILE:LINE: found ..., expected ...` (no line number when line is 0).
class InputError : public Error {
 public:
  InputError(std::string file, long line, std::string found, std::string expected);
  const std::string& file() const { return file_; }
  long line() const { return line_; }
  const std::string& found() const { return found_; }
  const std::string& expected() const { return expected_; }

 private:
  std::string file_;
  long line_;
  std::string found_;
  std::string expected_;
};

/// The system failed us: disk full, a file that vanished, no permission while running. Exit code 1.
class IoError : public Error {
 public:
  IoError(std::string path, std::string action, int error_number);
  const std::string& path() const { return path_; }
  int error_number() const { return error_number_; }

 private:
  std::string path_;
  int error_number_;
};

/// The user asked to stop (Ctrl-C). Exit code 1; nothing half done is left behind.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
  using Error::Error;
};

/// Text shown inside error messages: quoted, control characters escaped, cut after 40 bytes.
std::string in_quotes(std::string_view text);

}  // namespace bermuda
