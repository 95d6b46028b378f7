#pragma once

#include <string>

#include "bermuda/report/collect.hpp"

namespace bermuda::app {

/// The page of a store, or of what --export json made of one, which has no graphs.
std::string report_of(const std::string& file, const Records& records, ReportOptions options,
                      const Execution& execution);

}  // namespace bermuda::app
