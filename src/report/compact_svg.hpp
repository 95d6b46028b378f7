#pragma once

#include <string>
#include <string_view>

namespace bermuda {

/// Graphviz's picture without what a page that holds hundreds of them has no use for: prolog,
/// comments, titles, ids, fonts and digits behind the first. About half as long.
std::string compact_svg(std::string_view svg);

}  // namespace bermuda
