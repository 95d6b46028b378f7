#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bermuda {

/// How many slips of the fingers lie between two words: a letter too many, too few, another one, or
/// two neighbours swapped (Damerau and Levenshtein's distance, no letter touched twice). Capitals
/// count as small letters, '_' as '-'. Time is the product of the lengths.
std::size_t typing_distance(std::string_view one, std::string_view other);

/// The name that was probably meant: the nearest one with at most one slip per three letters
/// and three in all; else the only one that begins or ends with the word ("epochs" for
/// "max-epochs"). Nothing when no name is near: a wild guess helps less than a list.
std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> names);

/// Ends a message that lists the names: "; did you mean gcn?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

/// Ends a message that does not: "; did you mean gcn?", or "; there are: gcn, gin".
std::string did_you_mean_or_all(std::string_view word, std::span<const std::string> names);

}  // namespace bermuda
