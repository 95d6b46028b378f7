#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "product_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "matmul-inl.hpp"
// clang-format on

#include <algorithm>

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

/// Columns of a product that are computed in whole vectors. One or two beyond, as in 146 = 9 x 16 +
/// 2, would cost as much as 16: they are computed each for itself, along the other direction.
template <typename T>
struct Split {
  static constexpr std::size_t kMostLoose = 2;
  Split(std::size_t columns, std::size_t width) : whole(width), loose(0) {
    const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
    const std::size_t beyond = columns % lanes;
    // The vector that holds the loose ones must be the last: it clears the padding.
    if (beyond == 0 || beyond > kMostLoose || columns - beyond + lanes != width) return;
    whole = columns - beyond;
    loose = beyond;
  }
  std::size_t whole;
  std::size_t loose;
};

/// Loose columns of a product: two dot products per row. `columns` [loose, padded depth] has those
/// columns of the right matrix; the padding of both is zero, and so becomes that of the result.
template <typename T>
HWY_INLINE void loose_columns(const T* x, std::size_t stride, std::size_t rows, std::size_t depth,
                              const T* first, const T* second, std::size_t place,
                              const Finish<T>& finish) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto only_first = hn::FirstN(d, 1);
  const auto both = hn::FirstN(d, 2);
  for (std::size_t row = 0; row < rows; ++row) {
    const T* numbers = x + row * stride;
    auto a = hn::Zero(d);
    auto b = hn::Zero(d);
    for (std::size_t k = 0; k < depth; k += lanes) {
      const auto value = hn::LoadU(d, numbers + k);
      a = hn::MulAdd(value, hn::LoadU(d, first + k), a);
      b = hn::MulAdd(value, hn::LoadU(d, second + k), b);
    }
    a = hn::SumOfLanes(d, a);
    b = hn::IfThenElseZero(both, hn::SumOfLanes(d, b));
    finish(d, row, place, hn::IfThenElse(only_first, a, b));
  }
}

template <typename T>
void product_rows(const ProductArgs<T>& args, Rows rows) {
  constexpr std::size_t kMostDepth = 512;
  const std::size_t width = at(args.width);
  const std::size_t first = at(rows.begin) * width;
  const std::size_t count = at(rows.end - rows.begin);
  const Finish<T> finish{.out = args.y + first,
                         .stride = width,
                         .plus = args.plus == nullptr ? nullptr : args.plus + first};
  const Split<T> split(width <= kMostDepth ? at(args.columns) : width, width);
  multiply<T>({args.x + first, width}, count, at(args.inner), args.w, width, split.whole, finish,
              args.ahead);
  if (split.loose == 0) return;
  HWY_ALIGN T columns[2][kMostDepth] = {};
  for (std::size_t k = 0; k < at(args.inner); ++k) {
    for (std::size_t t = 0; t < split.loose; ++t)
      columns[t][k] = args.w[k * width + split.whole + t];
  }
  loose_columns(args.x + first, width, count, width, columns[0], columns[1], split.whole, finish);
}

/// Loose columns of a sum of outer products, kVectors vectors of rows at a time.
template <std::size_t kVectors, typename T>
HWY_INLINE void loose_sums(const OuterArgs<T>& args, Rows rows, const Split<T>& split,
                           std::size_t begin) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t width = at(args.width);
  const std::size_t second = split.loose - 1;  // the first again where there is but one
  hn::Vec<decltype(d)> a[kVectors];
  hn::Vec<decltype(d)> b[kVectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kVectors; ++i) a[i] = b[i] = hn::Zero(d);
  for (std::size_t row = at(rows.begin); row < at(rows.end); ++row) {
    const T* y = args.y + row * width + split.whole;
    const auto one = hn::Set(d, y[0]);
    const auto two = hn::Set(d, y[second]);
    const T* x = args.x + row * width + begin;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kVectors; ++i) {
      const auto value = hn::LoadU(d, x + i * lanes);
      a[i] = hn::MulAdd(value, one, a[i]);
      b[i] = hn::MulAdd(value, two, b[i]);
    }
  }
  HWY_ALIGN T sums[2][kVectors * hn::MaxLanes(d)];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kVectors; ++i) {
    hn::StoreU(a[i], d, sums[0] + i * lanes);
    hn::StoreU(b[i], d, sums[1] + i * lanes);
  }
  const std::size_t end = std::min(at(args.inner), begin + kVectors * lanes);
  for (std::size_t m = begin; m < end; ++m) {
    for (std::size_t t = 0; t < split.loose; ++t) {
      args.sums[m * width + split.whole + t] += sums[t][m - begin];
    }
  }
}

template <typename T>
void add_outer_rows(const OuterArgs<T>& args, Rows rows) {
  const std::size_t width = at(args.width);
  const std::size_t first = at(rows.begin) * width;
  const Split<T> split(at(args.columns), width);
  multiply<T>({args.x + first, 1, width}, at(args.inner), at(rows.end - rows.begin), args.y + first,
              width, split.whole, {.out = args.sums, .stride = width, .plus = args.sums},
              args.ahead);
  if (split.loose == 0) return;
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  std::size_t begin = 0;
  for (; begin + 5 * lanes <= width; begin += 5 * lanes) {
    loose_sums<5>(args, rows, split, begin);
  }
  for (; begin < at(args.inner); begin += lanes) loose_sums<1>(args, rows, split, begin);
}

template <typename T>
T dot_numbers(const T* a, const T* b, int count) {
  const hn::ScalableTag<T> full;
  const std::size_t lanes = hn::Lanes(full);
  auto even = hn::Zero(full);
  auto odd = hn::Zero(full);
  std::size_t i = 0;
  for (; i + 2 * lanes <= at(count); i += 2 * lanes) {
    even = hn::MulAdd(hn::LoadU(full, a + i), hn::LoadU(full, b + i), even);
    odd = hn::MulAdd(hn::LoadU(full, a + i + lanes), hn::LoadU(full, b + i + lanes), odd);
  }
  T sum = hn::GetLane(hn::SumOfLanes(full, hn::Add(even, odd)));
  for (; i < at(count); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

float dotF32(const float* a, const float* b, int count) { return dot_numbers(a, b, count); }
double dotF64(const double* a, const double* b, int count) { return dot_numbers(a, b, count); }
BERMUDA_KERNEL_TARGETS(product, ProductArgs, product_rows)
BERMUDA_KERNEL_TARGETS(add_outer, OuterArgs, add_outer_rows)

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
BERMUDA_KERNEL(product, ProductArgs)
BERMUDA_KERNEL(add_outer, OuterArgs)
HWY_EXPORT(dotF32);
HWY_EXPORT(dotF64);
float dot(const float* a, const float* b, int count) {
  return HWY_DYNAMIC_DISPATCH(dotF32)(a, b, count);
}
double dot(const double* a, const double* b, int count) {
  return HWY_DYNAMIC_DISPATCH(dotF64)(a, b, count);
}
}  // namespace bermuda::nn
#endif
