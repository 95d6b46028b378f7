#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bermuda {

/// The report as one HTML file that fetches nothing: style, script and the model inside.
/// docs/report.md describes the model; whatever part of it is missing or empty is left out of the
/// page.
std::string report_page(const nlohmann::ordered_json& model);

}  // namespace bermuda
