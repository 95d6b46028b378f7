#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/generate/pairs.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kColoursPrefix = "wl-";

}  // namespace

Sameness Sameness::parse(std::string_view option, std::string_view text, bool may_be_none) {
  if (text == "none" && may_be_none) return {Kind::kNothing, 0};
  if (text == "degrees") return {Kind::kDegrees, 0};
  if (text == "degree-pairs") return {Kind::kDegreePairs, 0};
  if (text.starts_with(kColoursPrefix)) {
    const auto rounds = parse_number<int>(text.substr(kColoursPrefix.size()));
    if (rounds && *rounds >= 1 && *rounds <= kMostRounds) {
      const Sameness same{Kind::kColours, *rounds};
      if (same.text() == text) return same;  // not "wl-+3"
    }
  }
  throw UsageError(fmt::format("{}: found {}, expected {}degrees, degree-pairs or wl-1..wl-{}",
                               option, in_quotes(text), may_be_none ? "none, " : "", kMostRounds));
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
