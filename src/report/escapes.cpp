#include "escapes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace bermuda {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_one_of(char c, std::string_view some) { return some.find(c) != std::string_view::npos; }

std::string without_control_characters(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

/// Whether Markdown would take the character at this place for more than itself. "p < 0.05",
/// "a_b" and "R & D" are left as they are.
bool is_markup(std::string_view text, std::size_t place) {
  const char c = text[place];
  const char before = place > 0 ? text[place - 1] : ' ';
  const char after = place + 1 < text.size() ? text[place + 1] : ' ';
  if (c == '_') return !is_letter_or_digit(before) || !is_letter_or_digit(after);
  if (c == '<') return is_letter_or_digit(after) || is_one_of(after, "/!?");
  if (c == '&') return is_letter_or_digit(after) || after == '#';
  return is_one_of(c, "\\`*[]|~$");
}

/// Where a paragraph would become a heading, a list or a quotation: the character to escape.
std::size_t block_mark(std::string_view text) {
  if (text.empty()) return std::string_view::npos;
  if (is_one_of(text.front(), "#+-=>")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end > 0 && is_one_of(text[end], ".)");
  return numbered ? end : std::string_view::npos;
}

constexpr std::array<std::pair<char, std::string_view>, 6> kLatexWords = {{
    {'\\', "\\textbackslash{}"},
    {'~', "\\textasciitilde{}"},
    {'^', "\\textasciicircum{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
}};

}  // namespace

std::string escaped_markdown(std::string_view text) {
  std::string plain = without_control_characters(text);
  plain.erase(0, std::min(plain.find_first_not_of(' '), plain.size()));
  const std::size_t mark = block_mark(plain);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i == mark || is_markup(plain, i)) out += '\\';
    out += plain[i];
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string plain = without_control_characters(text);
  const bool fits = !plain.empty() && plain.front() != ' ' && plain.back() != ' ' &&
                    plain.find_first_of("`|\\") == std::string::npos;
  return fits ? "`" + plain + "`" : escaped_markdown(plain);
}

std::string escaped_latex(std::string_view text) {
  std::string out;
  // Behind the end of a row these would be its arguments.
  if (text.starts_with('[') || text.starts_with('*')) out += "{}";
  char before = '\0';
  for (const char c : without_control_characters(text)) {
    const auto word = std::ranges::find(kLatexWords, c, &std::pair<char, std::string_view>::first);
    if (word != kLatexWords.end()) {
      out += word->second;
    } else {
      if (is_one_of(c, "_%&#${}")) out += '\\';
      // Two of these would become one: -- a dash, '' a quotation mark, ?` a Spanish one.
      if (c == before && is_one_of(c, "-'`,")) out += "{}";
      if (c == '`' && is_one_of(before, "?!")) out += "{}";
      out += c;
    }
    before = c;
  }
  return out;
}

}  // namespace bermuda
