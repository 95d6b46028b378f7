#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bermuda {

/// Parses a JSON object. Throws InputError: text that is not JSON (at its line, counted from
/// first_line), that is not an object, or that is nested deeper than any of our files.
nlohmann::ordered_json parse_json_object(std::string_view text, const std::string& file,
                                         long first_line);

/// dump() that throws UsageError for text that is not UTF-8.
std::string json_text(const nlohmann::ordered_json& value, int indent);

/// The value in one line; what is not UTF-8 in it is replaced, so that anything can be told.
std::string json_line(const nlohmann::ordered_json& value);

}  // namespace bermuda
