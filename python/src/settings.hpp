#pragma once

#include <map>
#include <span>
#include <string>

#include "bermuda/core/parameter.hpp"

namespace bermuda::python {

/// What a user gave: name or key, and the value as the command line would have it.
using Options = std::map<std::string, std::string>;

/// Sets each option in the first of the sets that knows it. Throws UsageError.
void set_options(std::span<const ParameterSet> sets, const Options& options);

/// For signatures and documentation: a JSON array of key, help, default and range.
std::string settings_json(const Settings& settings);

}  // namespace bermuda::python
