#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "assets.hpp"

namespace bermuda {

/// What the pages differ in.
struct PageParts {
  std::string_view title;           ///< in the file, which src/core/ours.cpp knows it by
  std::string_view without_script;  ///< HTML: what to do where JavaScript is switched off
  std::string script;
};

/// One HTML file with our style, the model and the script that draws it.
std::string page_of(const PageParts& parts, const nlohmann::ordered_json& model);

}  // namespace bermuda
