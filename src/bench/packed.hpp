#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bermuda {

/// A text in few letters, fit for JSON: compressed by zlib, then written as base64.
std::string pack_text(std::string_view text);

/// The text again. Throws JsonError for what pack_text() does not write, and for a text of more
/// than `most` bytes, without making it: a thousand letters may stand for a million.
std::string unpack_text(std::string_view packed, std::size_t most);

}  // namespace bermuda
