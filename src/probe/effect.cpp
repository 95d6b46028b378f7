#include "bermuda/probe/effect.hpp"

namespace bermuda {
namespace {

// How much wider an interval of 99.9 % is than one of 95 %. Words that accuse start there: chance
// makes one of forty intervals of 95 % lie above 0, and an audit looks at a dozen of them.
constexpr double kSureStretch = 3.290526731491926 / 1.959963984540054;

}  // namespace

Effect effect_of(double difference, const Interval& interval) {
  if (interval.high < 0) return Effect::kBelow;
  if (interval.low <= 0) return Effect::kNone;
  if (difference - kSureStretch * (difference - interval.low) <= 0) return Effect::kHint;
  return interval.low > kStrongEffect ? Effect::kStrong : Effect::kClear;
}

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::kBelow:
      return "below";
    case Effect::kNone:
      return "none";
    case Effect::kHint:
      return "hint";
    case Effect::kClear:
      return "clear";
    case Effect::kStrong:
      return "strong";
  }
  return "";
}

std::string_view words_of(Effect effect) {
  switch (effect) {
    case Effect::kBelow:
      return "an effect the other way round";
    case Effect::kNone:
      return "no effect found";
    case Effect::kHint:
      return "a hint of an effect";
    case Effect::kClear:
      return "a clear effect";
    case Effect::kStrong:
      return "a strong effect";
  }
  return "";
}

}  // namespace bermuda
