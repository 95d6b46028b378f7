#include "bermuda/report/page.hpp"

#include <string_view>

#include "bermuda/core/error.hpp"
#include "page_parts.hpp"

namespace bermuda {
namespace {

// Cuts at the placeholders instead of replacing one after another: what a model or a script
// contains is never looked at, so "@style@" in a title stays what it is.
void put(std::string& page, std::string_view& rest, std::string_view placeholder,
         std::string_view text) {
  const std::size_t at = rest.find(placeholder);
  if (at == std::string_view::npos) {
    throw Error("the report's skeleton lacks " + std::string(placeholder));
  }
  page += rest.substr(0, at);
  page += text;
  rest.remove_prefix(at + placeholder.size());
}

// Inside a script element only "<" can end it or open a comment; JSON has another way to write it.
// Bytes that are no UTF-8, which a title may contain, become U+FFFD.
std::string script_safe(const nlohmann::ordered_json& model) {
  const std::string text =
      model.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string page_of(const PageParts& parts, const nlohmann::ordered_json& model) {
  const std::string skeleton = page_skeleton();
  std::string_view rest = skeleton;
  std::string page;
  put(page, rest, "@title@", parts.title);
  put(page, rest, "@style@", page_style());
  put(page, rest, "@without_script@", parts.without_script);
  put(page, rest, "@model@", script_safe(model));
  put(page, rest, "@script@", parts.script);
  page += rest;
  return page;
}

std::string report_page(const nlohmann::ordered_json& model) {
  return page_of(
      {.title = "Bermuda report",
       .without_script = "<code>bermuda report STORE --format markdown</code> writes the "
                         "tables as text.",
       .script = page_script()},
      model);
}

}  // namespace bermuda
