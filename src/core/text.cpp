#include "bermuda/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "bermuda/core/utf8.hpp"

namespace bermuda {
namespace {

struct CodeRange {
  char32_t first;
  char32_t last;
};

bool is_shown(char32_t code) {
  constexpr std::array kHidden = {
      CodeRange{0x00, 0x1f},       CodeRange{0x7f, 0x9f},      // control characters
      CodeRange{0x61c, 0x61c},     CodeRange{0x200b, 0x200f},  // direction, width of nothing
      CodeRange{0x2028, 0x202e},   CodeRange{0x2060, 0x206f},  // line ends, direction
      CodeRange{0xfeff, 0xfeff},   CodeRange{0xfff9, 0xfffb},  // byte order, annotations
      CodeRange{0xe0000, 0xe0fff},                             // tags
  };
  return std::ranges::none_of(
      kHidden, [&](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

bool LineReader::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  stop_(line.size() / 16 + 1);
  return true;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_fields(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return fields;
    text.remove_prefix(end + 1);
  }
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t size = std::max<std::size_t>(character.length, 1);
    const char byte = text.front();
    if (size == 1 && kept.find(byte) != kept.npos) {
      out += byte;
    } else if (character.length > 0 && is_shown(character.code)) {
      out += text.substr(0, size);
    } else if (byte == '\n' || byte == '\t' || byte == '\r') {
      out += byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : "\\r";
    } else if (size == 1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(character.code));
    }
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace bermuda
