#pragma once

#include <string_view>

namespace bermuda::app {

/// Opens /dev/null for those of standard input, output and error that are closed: the next file
/// that is opened would take their place, and be written to by whoever prints. First thing in
/// main().
void guard_standard_streams();

/// On standard output: an answer for people, where names from files are made harmless
/// (printable_lines()), or data as it is. A failure is told by end_output().
void print_text(std::string_view text);
void print_data(std::string_view data);

/// On standard error. Where that cannot be written, nobody listens: the work goes on.
void print_note(std::string_view text);

/// To be called last, with the exit code so far: writes what standard output still holds. When
/// something of it was lost, says why and returns 1; a reader who has closed the pipe has had
/// enough and is not told (141, as of a program that dies of it). A failure of the work itself goes
/// first.
int end_output(int code);

}  // namespace bermuda::app
