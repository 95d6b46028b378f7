#pragma once

#include <string>

namespace bermuda {

/// Throws UsageError when it is no http or https address that files can stand below.
void check_source(const std::string& source);

/// The address without the name and password that may stand before its host: what is told and kept.
std::string without_userinfo(const std::string& url);

}  // namespace bermuda
