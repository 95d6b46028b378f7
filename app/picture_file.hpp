#pragma once

#include <string>

#include "bermuda/graph/drawing.hpp"

namespace bermuda::app {

/// The kind of picture that the ending of --output asks for. Throws UsageError for any other.
PictureFormat picture_format(const std::string& output);

}  // namespace bermuda::app
