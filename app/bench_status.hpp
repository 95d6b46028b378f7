#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bermuda/bench/records.hpp"

namespace bermuda::app {

/// How far the grids of a store are, what failed, how many core-hours were spent and how many the
/// rest will take.
std::string status_text(const Records& records);
nlohmann::ordered_json status_json(const Records& records);

}  // namespace bermuda::app
