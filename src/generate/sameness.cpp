#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/generate/pairs.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kColoursPrefix = "wl-";

}  // namespace

Sameness Sameness::parse(std::string_view text) {
  if (text == "none") return {Kind::kNothing, 0};
  if (text == "degrees") return {Kind::kDegrees, 0};
  if (text == "degree-pairs") return {Kind::kDegreePairs, 0};
  if (text.starts_with(kColoursPrefix)) {
    const auto rounds = parse_number<int>(text.substr(kColoursPrefix.size()));
    if (rounds && *rounds >= 1 && *rounds <= kMostRounds) {
      const Sameness same{Kind::kColours, *rounds};
      if (same.text() == text) return same;  // not "wl-+3"
    }
  }
  throw UsageError(fmt::format("--same: found {}, expected degrees, degree-pairs or wl-1..wl-{}",
                               in_quotes(text), kMostRounds));
}

std::string Sameness::text() const {
  switch (kind) {
    case Kind::kNothing:
      return "none";
    case Kind::kDegrees:
      return "degrees";
    case Kind::kDegreePairs:
      return "degree-pairs";
    case Kind::kColours:
      break;
  }
  return fmt::format("{}{}", kColoursPrefix, rounds);
}

}  // namespace bermuda
