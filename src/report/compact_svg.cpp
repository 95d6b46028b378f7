#include "compact_svg.hpp"

#include <array>
#include <cctype>

namespace bermuda {
namespace {

/// Drops everything from `first` to `last`, both included, wherever it occurs.
void drop(std::string& text, std::string_view first, std::string_view last) {
  std::string kept;
  std::size_t from = 0;
  for (;;) {
    const std::size_t at = text.find(first, from);
    const std::size_t end = at == std::string::npos ? at : text.find(last, at + first.size());
    if (end == std::string::npos) break;
    kept.append(text, from, at - from);
    from = end + last.size();
  }
  kept.append(text, from);
  text = std::move(kept);
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A hundredth of a point is nothing anybody sees: "12.345" becomes "12.3".
std::string with_one_decimal(std::string_view text) {
  std::string out;
  std::size_t decimals = 0;
  bool behind_point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && i > 0 && is_digit(text[i - 1])) {
      behind_point = true;
      decimals = 0;
    } else if (!is_digit(c)) {
      behind_point = false;
    } else if (behind_point && ++decimals > 1) {
      continue;
    }
    if (c != '\n') out += c;
    if (c == '\n' && !out.empty() && out.back() != '>') out += ' ';
  }
  return out;
}

}  // namespace

std::string compact_svg(std::string_view svg) {
  const std::size_t start = svg.find("<svg");
  std::string text(start == std::string_view::npos ? svg : svg.substr(start));
  using Range = std::array<std::string_view, 2>;
  for (const auto& [first, last] :
       {Range{"<!--", "-->"}, Range{"<title>", "</title>"}, Range{" id=\"", "\""},
        Range{" font-family=\"", "\""}, Range{" xmlns:xlink=\"", "\""}}) {
    drop(text, first, last);
  }
  return with_one_decimal(text);
}

}  // namespace bermuda
