#include "bermuda/core/utf8.hpp"

#include <fmt/format.h>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

bool is_fit_for_names(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool no_character =
      (code & 0xfffe) == 0xfffe;  // XML, and so SVG, cannot carry some of them
  return !control && !no_character && code != 0x2028 && code != 0x2029;
}

template <typename Accept>
std::size_t first_refused(std::string_view text, Accept accept) {
  for (std::size_t place = 0; place < text.size();) {
    const Character next = first_character(text.substr(place));
    if (next.length == 0 || !accept(next.code)) return place;
    place += next.length;
  }
  return std::string_view::npos;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  auto code = static_cast<char32_t>(lead & (0x7f >> length));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (too_long || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {code, length};
}

std::size_t first_not_utf8(std::string_view text) {
  return first_refused(text, [](char32_t) { return true; });
}

std::size_t first_unfit_for_names(std::string_view text) {
  return first_refused(text, is_fit_for_names);
}

std::string byte_in_words(std::string_view text, std::size_t place) {
  return fmt::format("byte 0x{:02x}, number {} of {}", static_cast<unsigned char>(text[place]),
                     place + 1, in_quotes(text));
}

void check_path_text(const std::filesystem::path& path) {
  const std::string text = path.string();
  const std::size_t place = first_unfit_for_names(text);
  if (place == std::string::npos) return;
  throw UsageError(
      fmt::format("{}: not the name of a file or folder in UTF-8 without control "
                  "characters: rename it",
                  byte_in_words(text, place)));
}

}  // namespace bermuda
