#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "product_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "matmul-inl.hpp"
// clang-format on

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

template <typename T>
void product_rows(const ProductArgs<T>& args, Rows rows) {
  const std::size_t width = at(args.width);
  const std::size_t first = at(rows.begin) * width;
  multiply<T>({args.x + first, width}, at(rows.end - rows.begin), at(args.inner), args.w, width,
              width,
              {.out = args.y + first,
               .stride = width,
               .plus = args.plus == nullptr ? nullptr : args.plus + first},
              args.ahead);
}

template <typename T>
void add_outer_rows(const OuterArgs<T>& args, Rows rows) {
  const std::size_t width = at(args.width);
  const std::size_t first = at(rows.begin) * width;
  multiply<T>({args.x + first, 1, width}, at(args.inner), at(rows.end - rows.begin), args.y + first,
              width, width, {.out = args.sums, .stride = width, .plus = args.sums}, args.ahead);
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
