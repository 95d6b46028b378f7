#pragma once

#include "bermuda/method/method.hpp"

namespace bermuda::train {

/// Adds gcn, gcn-sym, gin and gat, each plain, +d and +d+id.
void register_neural_methods(MethodRegistry& registry);

}  // namespace bermuda::train
