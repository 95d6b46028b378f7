#pragma once

#include <string>
#include <string_view>

namespace bermuda {

/// What all our binary files have around them: the line "bermuda-KIND VERSION", the body, and the
/// SHA-256 of all that in 64 hexadecimal digits.
std::string seal(std::string_view kind, int version, std::string_view body);

/// The body. Throws InputError for a file of another kind or version and for a damaged one. `file`
/// is for the message only.
std::string_view unseal(std::string_view kind, int version, std::string_view bytes,
                        const std::string& file);

}  // namespace bermuda
