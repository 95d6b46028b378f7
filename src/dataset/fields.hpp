#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda {

/// The split of data without splits.
inline constexpr const char* kUnsplit = "all";
/// How an absent value is written.
inline constexpr std::string_view kAbsent = "-";

/// How formats that have a column of classes write that there is none.
inline constexpr std::string_view kUnknownClass = "?";

/// What is wrong with a piece of text, thrown where file and line are not known; whoever knows
/// them turns it into an InputError.
struct Fault {
  std::string found;
  std::string expected;
  long line = 0;  ///< when it is not the line being read

  InputError at(const std::string& file, long current_line) const {
    return InputError(file, line > 0 ? line : current_line, found, expected);
  }
};

/// Counts the nodes of a data set while it is read from so many bytes.
class NodeBudget {
 public:
  NodeBudget(const ReadOptions& options, std::size_t bytes) : options_(options), bytes_(bytes) {}
  /// To be called before memory is spent on the nodes of a graph. Throws Fault when they are more
  /// than the options allow, in this graph or in all so far.
  void take(int nodes, std::string_view id);

 private:
  ReadOptions options_;
  std::size_t bytes_;
  std::size_t taken_ = 0;
};

/// Sample::kNoClass where graphs may lack a class; else throws Fault with what was found.
int no_class(const ReadOptions& options, std::string found);

/// Each greater than the one before.
template <typename T>
bool is_ascending(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<T>()) == values.end();
}

/// Splits into at most N fields without allocating; returns how many there really are.
template <std::size_t N>
std::size_t split_into(std::array<std::string_view, N>& fields, std::string_view text,
                       char separator) {
  for (std::size_t count = 0;; ++count) {
    const std::size_t end = text.find(separator);
    if (count < N) fields[count] = text.substr(0, end);
    if (end == std::string_view::npos) return count + 1;
    text.remove_prefix(end + 1);
  }
}

/// What stands between the blanks.
std::vector<std::string_view> words_of(std::string_view line, std::string_view blanks = " \t\r");

int parse_integer(std::string_view text, int low, int high, std::string_view what);
int parse_integer(std::string_view text, std::string_view what);
double parse_real(std::string_view text, std::string_view what);
/// `1,2,3`
std::vector<int> parse_integers(std::string_view text, std::string_view what);

/// `3,5,7;3-5,3-7,5-7`, or `-` for none.
Witness parse_witness(std::string_view text, int node_count);
int parse_hits(std::string_view text);
std::string parse_origin(std::string_view text);

void append_integer(std::string& out, long value);
void append_real(std::string& out, double value);
void append_integers(std::string& out, const std::vector<int>& values);
void append_witness(std::string& out, const Witness& witness);
void append_hits(std::string& out, int hits);
void append_origin(std::string& out, const std::string& origin);

/// Text that can be one field of a line: not empty, UTF-8, no control characters, no blanks at its
/// ends.
bool is_field_text(std::string_view text);
/// Throws Fault when it is not, which names the byte and what is expected in its place.
void check_field_text(std::string_view text, std::string_view what);
/// Throws InputError when no data set can have this name, which `file` gives it. It may be empty.
void check_name(std::string_view name, const std::string& file);
/// Whether formats that know classes by number can name one so: an integer, in its shortest
/// spelling.
bool is_class_number(std::string_view name);
/// Throws UsageError when the format, which knows classes by number only, cannot name them all.
void check_class_numbers(const DataSet& data, std::string_view format);
std::size_t graphs_without_class(const DataSet& data);
/// A split's name is part of a file name.
bool is_plain_name(std::string_view text);
/// Throws UsageError when ids, origins, labels, witnesses or attributes cannot be written.
void check_writable(const DataSet& data);
void check_writable(const Split& split, std::size_t class_count);

/// The classes that are met while reading, by the text that names them. Numbers are put in
/// numeric order, other names in alphabetical order behind them.
class ClassNames {
 public:
  /// A provisional number for the class.
  int add(std::string_view name);
  /// Puts the names in order and renumbers the labels of all samples that have a class.
  void settle(DataSet& data) const;

 private:
  std::map<std::string, int, std::less<>> numbers_;
  std::vector<std::string> names_;
};

}  // namespace bermuda
