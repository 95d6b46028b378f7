#include "bermuda/core/error.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace bermuda {
namespace {

std::string input_message(const std::string& file, long line, const std::string& found,
                          const std::string& expected) {
  const std::string place = line > 0 ? fmt::format("{}:{}", file, line) : file;
  return fmt::format("{}: found {}, expected {}", place, found, expected);
}

}  // namespace

InputError::InputError(std::string file, long line, std::string found, std::string expected)
    : Error(input_message(file, line, found, expected)),
      file_(std::move(file)),
      line_(line),
      found_(std::move(found)),
      expected_(std::move(expected)) {}

IoError::IoError(std::string path, std::string action, int error_number)
    : Error(fmt::format("{}: cannot {}: {}", path, action,
                        std::generic_category().message(error_number))),
      path_(std::move(path)),
      error_number_(error_number) {}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  if (text.size() > kLongest) out += "...";
  return out + "'";
}

}  // namespace bermuda
