#pragma once

#include <string_view>

#include "bermuda/statistics/intervals.hpp"

namespace bermuda {

/// How far a figure lies above another, in the words that the audit's table, lines and verdict all
/// use. Their 95 % interval decides, nothing else.
enum class Effect {
  kBelow,   ///< the whole interval lies below 0
  kNone,    ///< it holds 0
  kHint,    ///< it lies above 0, as chance alone makes one of forty do; that of 99.9 % holds 0
  kClear,   ///< that of 99.9 % lies above 0, too
  kStrong,  ///< and that of 95 % lies above kStrongEffect
};

inline constexpr double kStrongEffect = 0.1;

/// Of a difference with its 95 % interval.
Effect effect_of(double difference, const Interval& interval);
inline Effect effect_of(const Difference& found) { return effect_of(found.value, found.interval); }

/// "none", "hint", "clear", "strong" or "below": for tables and programs.
std::string_view name_of(Effect effect);
/// "no effect found", "a hint of an effect", "a clear effect" ...: after "has" or a colon.
std::string_view words_of(Effect effect);

}  // namespace bermuda
