#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bermuda/core/stop.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/verify/verify.hpp"

namespace bermuda::verify {

/// Checks a data set of twins: they follow each other, -a and then -b, have different classes, and
/// agree in what `pairs`, of the manifest, says. That is computed here anew, in the plainest way.
/// Returns how many pairs were compared.
std::size_t check_pairs(const nlohmann::ordered_json& pairs, const DataSet& data,
                        std::vector<Problem>& problems, const StopPoll& stop);

}  // namespace bermuda::verify
