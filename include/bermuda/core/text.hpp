#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/stop.hpp"

namespace bermuda {

/// Walks over the lines of a text and counts them. Line ends are LF, CRLF, or a stray CR at the
/// end of a line; the view returned has none of them. The last line may lack its line end. Throws
/// Interrupted when the user asked to stop.
class LineReader {
 public:
  explicit LineReader(std::string_view text, StopPoll stop = {}) : rest_(text), stop_(stop) {}
  bool next(std::string_view& line);
  long number() const { return number_; }  ///< of the line last returned, from 1

 private:
  std::string_view rest_;
  StopPoll stop_;
  long number_ = 0;
};

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// Splits at every separator; n separators give n + 1 fields.
std::vector<std::string_view> split_fields(std::string_view text, char separator);

/// The number that the whole of the text spells (an optional sign is accepted), or nothing.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) return std::nullopt;
  return value;
}

/// As it may be shown on a terminal: control characters (escape sequences begin with one), those
/// that turn the direction of writing or are not seen, and bytes that are no UTF-8 become \\x1b or
/// \\u202e. Characters in `kept` stay. For the border where text is printed for people; data stays
/// as it is.
std::string printable(std::string_view text, std::string_view kept = {});
/// Of several lines.
inline std::string printable_lines(std::string_view text) { return printable(text, "\n\t"); }

}  // namespace bermuda
