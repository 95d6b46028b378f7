#pragma once

#include <string>

#include "bermuda/probe/audit.hpp"

namespace bermuda {

/// An audit as one HTML file that fetches nothing, in the style of the report: the verdict, the
/// ladder, the telling features with their pictures where AuditOptions::telling asked for them.
std::string audit_page(const AuditReport& report);

}  // namespace bermuda
