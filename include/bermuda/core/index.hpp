#pragma once

#include <cstddef>

namespace bermuda {

/// Nodes and classes are int, as -1 means none; containers count in std::size_t.
constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace bermuda
