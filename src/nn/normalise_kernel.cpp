#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normalise_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "columns-inl.hpp"
// clang-format on

#include <type_traits>

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

template <Activation kActivation, class D, class V = hn::Vec<D>>
HWY_INLINE V activate(D tag, V x) {
  if constexpr (kActivation == Activation::kRelu) return hn::Max(x, hn::Zero(tag));
  if constexpr (kActivation == Activation::kElu) {
    const V negative = hn::Sub(hn::Exp(tag, hn::Min(x, hn::Zero(tag))), hn::Set(tag, 1));
    return hn::IfThenElse(hn::Gt(x, hn::Zero(tag)), x, negative);
  }
  return x;
}

/// dy times the slope of the activation at x.
template <Activation kActivation, class D, class V = hn::Vec<D>>
HWY_INLINE V activate_back(D tag, V x, V dy) {
  if constexpr (kActivation == Activation::kRelu) {
    return hn::IfThenElseZero(hn::Gt(x, hn::Zero(tag)), dy);
  }
  if constexpr (kActivation == Activation::kElu) {
    return hn::Mul(dy, hn::Exp(tag, hn::Min(x, hn::Zero(tag))));
  }
  return dy;
}

template <class D, typename T>
HWY_INLINE hn::Vec<D> multiplicity_of(D tag, const float* multiplicity, int row, T) {
  return hn::Set(tag, multiplicity == nullptr ? T(1) : T(multiplicity[row]));
}

/// Rows are taken a few at a time, so that a column's constants and sums are loaded once for all,
/// and memory is still read from front to back. Calls body(first row, count); count is a constant.
template <class Body>
HWY_INLINE void for_row_groups(Rows rows, const Body& body) {
  constexpr int kRowsAtOnce = 4;
  int row = rows.begin;
  for (; row + kRowsAtOnce <= rows.end; row += kRowsAtOnce) {
    body(row, std::integral_constant<std::size_t, kRowsAtOnce>());
  }
  for (; row < rows.end; ++row) body(row, std::integral_constant<std::size_t, 1>());
}

template <typename T>
void column_sum_rows(const ColumnSumArgs<T>& args, Rows rows) {
  const auto width = at(args.width);
  for_row_groups(rows, [&](int first_row, auto count) HWY_ATTR {
    constexpr std::size_t kCount = decltype(count)::value;
    for_columns<T>(0, width, [&](auto tag, std::size_t c) HWY_ATTR {
      const auto shift = hn::LoadU(tag, args.shift + c);
      auto first = hn::LoadU(tag, args.first + c);
      auto second = hn::LoadU(tag, args.second + c);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kCount; ++i) {
        const int row = first_row + static_cast<int>(i);
        const auto z = hn::Sub(hn::LoadU(tag, args.z + at(row) * width + c), shift);
        const auto weighted = hn::Mul(z, multiplicity_of(tag, args.multiplicity, row, T()));
        first = hn::Add(first, weighted);
        second = hn::MulAdd(weighted, z, second);
      }
      hn::StoreU(first, tag, args.first + c);
      hn::StoreU(second, tag, args.second + c);
    });
  });
}

template <Activation kActivation, typename T>
HWY_INLINE void normalise_with(const NormaliseArgs<T>& args, Rows rows) {
  const auto width = at(args.width);
  for_row_groups(rows, [&](int first_row, auto count) HWY_ATTR {
    constexpr std::size_t kCount = decltype(count)::value;
    const T* residual[kCount] = {};
    for (std::size_t i = 0; args.residual != nullptr && i < kCount; ++i) {
      const int row = first_row + static_cast<int>(i);
      residual[i] = args.residual + at(args.parent == nullptr ? row : args.parent[row]) * width;
    }
    for_columns<T>(0, width, [&](auto tag, std::size_t c) HWY_ATTR {
      const auto mean = hn::LoadU(tag, args.mean + c);
      const auto gain = hn::LoadU(tag, args.gain + c);
      const auto offset = hn::LoadU(tag, args.offset + c);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t place = (at(first_row) + i) * width + c;
        const auto z = hn::LoadU(tag, args.z + place);
        auto y = activate<kActivation>(tag, hn::MulAdd(hn::Sub(z, mean), gain, offset));
        if (args.residual != nullptr) y = hn::Add(y, hn::LoadU(tag, residual[i] + c));
        hn::StoreU(y, tag, args.y + place);
      }
    });
  });
}

template <Activation kActivation, typename T>
HWY_INLINE void normalise_sums_with(const NormaliseBackArgs<T>& args, Rows rows) {
  const auto width = at(args.width);
  for_row_groups(rows, [&](int first_row, auto count) HWY_ATTR {
    constexpr std::size_t kCount = decltype(count)::value;
    for_columns<T>(0, width, [&](auto tag, std::size_t c) HWY_ATTR {
      const auto mean = hn::LoadU(tag, args.mean + c);
      const auto gain = hn::LoadU(tag, args.gain + c);
      const auto offset = hn::LoadU(tag, args.offset + c);
      auto first = hn::LoadU(tag, args.first + c);
      auto second = hn::LoadU(tag, args.second + c);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t place = (at(first_row) + i) * width + c;
        const auto z = hn::Sub(hn::LoadU(tag, args.z + place), mean);
        const auto dy = hn::LoadU(tag, args.dy + place);
        const auto g = activate_back<kActivation>(tag, hn::MulAdd(z, gain, offset), dy);
        hn::StoreU(g, tag, args.dz + place);
        first = hn::Add(first, g);
        second = hn::MulAdd(g, z, second);
      }
      hn::StoreU(first, tag, args.first + c);
      hn::StoreU(second, tag, args.second + c);
    });
  });
}

template <typename T>
void normalise_back_rows(const NormaliseBackArgs<T>& args, Rows rows) {
  const auto width = at(args.width);
  for_row_groups(rows, [&](int first_row, auto count) HWY_ATTR {
    constexpr std::size_t kCount = decltype(count)::value;
    for_columns<T>(0, width, [&](auto tag, std::size_t c) HWY_ATTR {
      const auto mean = hn::LoadU(tag, args.mean + c);
      const auto gain = hn::LoadU(tag, args.gain + c);
      const auto mean_g = hn::LoadU(tag, args.mean_g + c);
      const auto slope = hn::LoadU(tag, args.slope + c);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kCount; ++i) {
        const int row = first_row + static_cast<int>(i);
        const std::size_t place = at(row) * width + c;
        const auto z = hn::Sub(hn::LoadU(tag, args.z + place), mean);
        const auto g = hn::LoadU(tag, args.dz + place);
        const auto shared = hn::Mul(multiplicity_of(tag, args.multiplicity, row, T()),
                                    hn::MulAdd(z, slope, mean_g));
        hn::StoreU(hn::Mul(gain, hn::Sub(g, shared)), tag, args.dz + place);
      }
    });
  });
}

// The activation is chosen once per call, not once per number.
#define BERMUDA_FOR_ACTIVATION(function)                                                           \
  template <class Args>                                                                            \
  void function##_rows(const Args& args, Rows rows) {                                              \
    if (args.activation == Activation::kRelu)                                                      \
      return function##_with<Activation::kRelu>(args, rows);                                       \
    if (args.activation == Activation::kElu) return function##_with<Activation::kElu>(args, rows); \
    function##_with<Activation::kNone>(args, rows);                                                \
  }
BERMUDA_FOR_ACTIVATION(normalise)
BERMUDA_FOR_ACTIVATION(normalise_sums)
#undef BERMUDA_FOR_ACTIVATION

}  // namespace

BERMUDA_KERNEL_TARGETS(column_sums, ColumnSumArgs, column_sum_rows)
BERMUDA_KERNEL_TARGETS(normalise, NormaliseArgs, normalise_rows)
BERMUDA_KERNEL_TARGETS(normalise_sums, NormaliseBackArgs, normalise_sums_rows)
BERMUDA_KERNEL_TARGETS(normalise_back, NormaliseBackArgs, normalise_back_rows)

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
BERMUDA_KERNEL(column_sums, ColumnSumArgs)
BERMUDA_KERNEL(normalise, NormaliseArgs)
BERMUDA_KERNEL(normalise_sums, NormaliseBackArgs)
BERMUDA_KERNEL(normalise_back, NormaliseBackArgs)
}  // namespace bermuda::nn
#endif
