#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "bermuda/nn/kernels.hpp"
#include "bermuda/nn/operator_stop.hpp"

namespace bermuda::nn {

/// Shares rows between LibTorch's threads; with one thread a plain call, unless they are very many.
template <class Body>
void for_rows(int rows, const Body& body) {
  constexpr std::int64_t kFewestRows = 128;
  constexpr std::int64_t kMostRows = 1 << 15;  // a fraction of a second
  const StopPoll stop = OperatorStop::current();
  at::parallel_for(0, rows, kFewestRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end && !stop.requested(); first += kMostRows) {
      body(Rows{static_cast<int>(first), static_cast<int>(std::min(end, first + kMostRows))});
    }
  });
  stop.now();
}

/// Sums over all rows: body(rows, sums) adds its part to `count` numbers. Parts have a fixed size
/// and are added up in order, in double, so that the number of threads does not matter.
template <typename T, class Body>
std::vector<double> sum_over_rows(int rows, std::size_t count, const Body& body) {
  constexpr int kPart = 512;
  const int parts = (rows + kPart - 1) / kPart;
  std::vector<T> sums(static_cast<std::size_t>(parts) * count, T(0));
  const StopPoll stop = OperatorStop::current();
  at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (int part = static_cast<int>(begin); part < static_cast<int>(end); ++part) {
      if (stop.requested()) return;
      body(Rows{part * kPart, std::min(rows, (part + 1) * kPart)},
           sums.data() + static_cast<std::size_t>(part) * count);
    }
  });
  stop.now();
  std::vector<double> total(count, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) total[i % count] += static_cast<double>(sums[i]);
  return total;
}

}  // namespace bermuda::nn
