#include "bermuda/dataset/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bermuda/core/error.hpp"
#include "bermuda/core/utf8.hpp"
#include "fields.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

// Copying and printing JSON is recursive in nlohmann's library: a file of brackets would use up
// the stack.
constexpr int kDeepest = 64;

bool is_nested_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Json parse_json_object(std::string_view text, const std::string& file, long first_line) {
  if (is_nested_too_deep(text)) {
    throw InputError(file, first_line, fmt::format("more than {} nested brackets", kDeepest),
                     "a JSON object");
  }
  try {
    Json value = Json::parse(text.begin(), text.end());
    if (!value.is_object()) throw InputError(file, first_line, value.type_name(), "a JSON object");
    return value;
  } catch (const Json::parse_error& error) {
    std::size_t stop = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    // The parser stumbles over the byte behind one that is no UTF-8.
    const std::size_t no_text = first_not_utf8(text);
    const bool is_text = no_text > stop;
    stop = std::min(stop, no_text);
    const std::string_view before = text.substr(0, stop);
    const std::size_t line_start = before.rfind('\n') + 1;
    throw InputError(file, first_line + std::count(before.begin(), before.end(), '\n'),
                     stop == text.size()
                         ? std::string("the end of the text")
                         : fmt::format("{} at column {}", in_quotes(text.substr(stop, 1)),
                                       stop - line_start + 1),
                     is_text ? "a JSON object" : "a JSON object in UTF-8");
  } catch (const Json::exception&) {
    throw InputError(file, first_line, "a number too large for a double", "a JSON object");
  }
}

std::string json_text(const Json& value, int indent) {
  try {
    return value.dump(indent);
  } catch (const Json::exception&) {
    throw UsageError("a name, an id or an origin is not UTF-8 text, which JSON needs");
  }
}

std::string json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bermuda
