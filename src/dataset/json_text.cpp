#include "bermuda/dataset/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/utf8.hpp"
#include "fields.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

// Copying and printing JSON is recursive in nlohmann's library: a file of brackets would use up
// the stack.
constexpr int kDeepest = 64;

/// Refuses while reading what the library would take.
class Strictness {
 public:
  Strictness(const std::string& file, long line) : file_(file), line_(line) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if ((event == Event::object_start || event == Event::array_start) && depth >= kDeepest) {
      throw InputError(file_, line_, fmt::format("more than {} nested brackets", kDeepest),
                       "a JSON object");
    }
    if (event == Event::object_start) {
      keys_.emplace_back();
    } else if (event == Event::object_end) {
      keys_.pop_back();
    } else if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        throw InputError(file_, line_,
                         fmt::format("the key {} twice in one object", in_quotes(key)),
                         "every key once");
      }
    }
    return true;
  }

 private:
  const std::string& file_;
  long line_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

[[noreturn]] void refuse(const Json& value, std::string_view what) {
  throw JsonError(fmt::format("{} as {}", in_quotes(json_line(value)), what));
}

}  // namespace

Json parse_json(std::string_view text, const std::string& file, long first_line) {
  // The line of a fault inside is not known, but for texts of one line.
  Strictness strictness(file, text.find('\n') == text.npos ? first_line : 0);
  try {
    return Json::parse(text.begin(), text.end(),
                       [&](int depth, Json::parse_event_t event, const Json& parsed) {
                         return strictness(depth, event, parsed);
                       });
  } catch (const Json::parse_error& error) {
    std::size_t stop = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    // The parser stumbles over the byte behind one that is no UTF-8.
    const std::size_t no_text = first_not_utf8(text);
    const bool is_text = no_text > stop;
    stop = std::min(stop, no_text);
    const std::string_view before = text.substr(0, stop);
    const std::size_t line_start = before.rfind('\n') + 1;
    const long lines = std::count(before.begin(), before.end(), '\n');
    throw InputError(file, first_line == 0 ? 0 : first_line + lines,
                     stop == text.size()
                         ? std::string("the end of the text")
                         : fmt::format("{} at column {}", in_quotes(text.substr(stop, 1)),
                                       stop - line_start + 1),
                     is_text ? "a JSON object" : "a JSON object in UTF-8");
  } catch (const Json::exception&) {
    throw InputError(file, first_line, "a number too large for a double", "a JSON object");
  }
}

Json parse_json_object(std::string_view text, const std::string& file, long first_line) {
  Json value = parse_json(text, file, first_line);
  if (!value.is_object()) throw InputError(file, first_line, value.type_name(), "a JSON object");
  return value;
}

std::int64_t whole_number(const Json& value, std::string_view what, std::int64_t low,
                          std::int64_t high) {
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() >
                             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value.is_number_integer() || too_large || value.get<std::int64_t>() < low ||
      value.get<std::int64_t>() > high) {
    refuse(value, what);
  }
  return value.get<std::int64_t>();
}

double real_number(const Json& value, std::string_view what) {
  if (!value.is_number()) refuse(value, what);
  return value.get<double>();
}

const Json& object_of(const Json& value, std::string_view what) {
  if (!value.is_object()) refuse(value, what);
  return value;
}

std::string string_of(const Json& value, std::string_view what) {
  if (!value.is_string()) refuse(value, what);
  return value.get<std::string>();
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
