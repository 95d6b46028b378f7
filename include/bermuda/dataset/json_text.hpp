#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "bermuda/core/error.hpp"

namespace bermuda {

/// Parses JSON: all that we read of somebody else's passes here. Throws InputError: text that is
/// not JSON (at its line, counted from first_line; 0: without lines), that is nested deeper than
/// any of our files, or that has a key of an object twice, of which readers keep one or the other.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& file, long first_line);

/// The same, of an object.
nlohmann::ordered_json parse_json_object(std::string_view text, const std::string& file,
                                         long first_line);

/// A value that is of another kind, or out of range.
class JsonError : public Error {
 public:
  using Error::Error;
};

/// A whole number in low..high, a real one, an object or a text: get() makes any number of any
/// other. `what` is for the JsonError.
std::int64_t whole_number(const nlohmann::ordered_json& value, std::string_view what,
                          std::int64_t low, std::int64_t high);
double real_number(const nlohmann::ordered_json& value, std::string_view what);
const nlohmann::ordered_json& object_of(const nlohmann::ordered_json& value, std::string_view what);
std::string string_of(const nlohmann::ordered_json& value, std::string_view what);

/// dump() that throws UsageError for text that is not UTF-8.
std::string json_text(const nlohmann::ordered_json& value, int indent);

/// The value in one line; what is not UTF-8 in it is replaced, so that anything can be told.
std::string json_line(const nlohmann::ordered_json& value);

}  // namespace bermuda
