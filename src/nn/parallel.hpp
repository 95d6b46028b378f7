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

/// Rows of a part whose sums are taken by themselves: larger where so many sums of `count` numbers
/// would take more than a quarter of a gigabyte.
inline int rows_of_a_part(int rows, std::size_t count) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 26;
  int part = 512;
  const auto numbers = [&] { return static_cast<std::size_t>(rows / part) * count; };
  while (part < rows && numbers() > kMostNumbers) part *= 2;
  return part;
}

/// Sums over all rows: body(rows, sums) adds its part to `count` numbers. The size of parts depends
/// on the two numbers alone, and they are added up in order, in double, so that the number of
/// threads does not matter.
template <typename T, class Body>
std::vector<double> sum_over_rows(int rows, std::size_t count, const Body& body) {
  const int size = rows_of_a_part(rows, count);
  const int parts = (rows + size - 1) / size;
  std::vector<T> sums(static_cast<std::size_t>(parts) * count, T(0));
  const StopPoll stop = OperatorStop::current();
  at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (int part = static_cast<int>(begin); part < static_cast<int>(end); ++part) {
      if (stop.requested()) return;
      body(Rows{part * size, std::min(rows, (part + 1) * size)},
           sums.data() + static_cast<std::size_t>(part) * count);
    }
  });
  stop.now();
  std::vector<double> total(count, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) total[i % count] += static_cast<double>(sums[i]);
  return total;
}

}  // namespace bermuda::nn
