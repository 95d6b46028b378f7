#pragma once

#include <string>
#include <string_view>

#include "bermuda/graph/drawing.hpp"

namespace bermuda::app {

/// The kind of picture that the ending of --output asks for. Throws UsageError for any other.
PictureFormat picture_format(const std::string& output);

/// Writes what draw_graph() drew, with a mark in it by which --force knows that it is ours.
void write_picture(const std::string& output, std::string_view bytes, bool overwrite);

}  // namespace bermuda::app
