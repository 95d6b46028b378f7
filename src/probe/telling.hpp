#pragma once

#include <span>
#include <vector>

#include "bermuda/probe/audit.hpp"
#include "ladder.hpp"

namespace bermuda {

/// For the best probe of each of the three best kinds that beat the majority class: the features
/// with the largest pull in a logistic regression on all graphs.
std::vector<TellingProbe> find_telling_features(const LadderInput& input, const Ladder& ladder,
                                                const AuditReport& report,
                                                std::span<const int> labels,
                                                const Execution& execution);

/// What a symbol stands for: fills in words, picture and what is marked in it.
void describe_symbol(const LadderInput& input, Symbol symbol, TellingFeature& feature);

}  // namespace bermuda
