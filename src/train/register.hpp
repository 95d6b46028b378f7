#pragma once

#include "bermuda/method/method.hpp"

namespace bermuda::train {

/// gcn, gcn-sym, gin and gat, each plain, +d and +d+id.
void register_gnn_methods(MethodRegistry& registry);
/// The proposed method: tf, tf+am, tf-is+am, tf-is+am4; and fcnn.
void register_transformer_methods(MethodRegistry& registry);
/// All of them.
void register_neural_methods(MethodRegistry& registry);

}  // namespace bermuda::train
