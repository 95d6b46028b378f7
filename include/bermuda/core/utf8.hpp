#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace bermuda {

struct Character {
  char32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: no UTF-8
};

/// The character at the start of a text that is not empty (Unicode, table 3-7: shortest spellings
/// only, no halves of surrogates).
Character first_character(std::string_view text);

/// Where the first byte stands that is no part of UTF-8 text; npos when all are.
std::size_t first_not_utf8(std::string_view text);

/// Where the first byte stands that no name may hold: one that is not UTF-8 (JSON and HTML could
/// not carry it), of a control character, or of a separator of lines or paragraphs (tables would
/// break). npos when there is none.
std::size_t first_unfit_for_names(std::string_view text);

/// Such a byte in words, for messages: `byte 0xff, number 3 of 'ab\xff'`.
std::string byte_in_words(std::string_view text, std::size_t place);

/// Throws UsageError when a path that will be written down or shown is not fit for it.
void check_path_text(const std::filesystem::path& path);

}  // namespace bermuda
