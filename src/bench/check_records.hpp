#pragma once

#include "bermuda/bench/records.hpp"

namespace bermuda {

/// Throws InputError unless runs, and the places that they fill, fit each other: they may be
/// somebody else's.
void check_records(const Records& records, const std::string& file);

}  // namespace bermuda
