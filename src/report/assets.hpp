#pragma once

#include <string>

namespace bermuda {

/// The files of src/report/assets, which the build writes into the library (embed_assets.cmake).
std::string page_skeleton();
std::string page_style();
std::string page_script();
std::string audit_script();
std::string regimes_script();

}  // namespace bermuda
