#pragma once

#include "bermuda/bench/bench.hpp"
#include "bermuda/method/evaluation.hpp"

namespace bermuda {

/// Who has a run while it is taken up.
inline constexpr const char* kImporter = "import";

/// The graphs of a run of the plan.
FoldParts planned_parts(const Plan& plan, const RunSpec& spec);

/// Throws InputError unless the result is of as many graphs.
void check_graph_counts(const RunResult& result, const FoldParts& parts, const std::string& file);

}  // namespace bermuda
