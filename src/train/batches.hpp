#pragma once

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "bermuda/nn/operator_stop.hpp"
#include "bermuda/train/trainer.hpp"

namespace bermuda::train {

/// Calls body(batch) for consecutive batches of the graphs in this order. Where autograd is off,
/// they have no way back.
template <class Body>
void for_batches(GraphSource& source, std::span<const int> order, int batch_size,
                 const Execution& execution, const Body& body) {
  const auto step = static_cast<std::size_t>(batch_size);
  const nn::OperatorStop stop(execution);
  for (std::size_t first = 0; first < order.size(); first += step) {
    execution.check_stop();
    const std::size_t count = std::min(step, order.size() - first);
    body(source.batches().make(order.subspan(first, count), at::GradMode::is_enabled()));
  }
}

inline std::vector<int> in_order(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace bermuda::train
