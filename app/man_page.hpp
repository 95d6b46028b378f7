#pragma once

#include <string>

#include "outline.hpp"

namespace bermuda::app {

/// The manual page of the program, section 1, in roff's man macros.
std::string man_page(const CommandOutline& program);

/// That of one of its commands. `usage` is what stands in the synopsis after its name.
std::string man_page(const CommandOutline& program, const CommandOutline& command,
                     const std::string& usage);

}  // namespace bermuda::app
