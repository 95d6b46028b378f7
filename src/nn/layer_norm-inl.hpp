// Included once per target by Highway's foreach_target: no include guard of the usual kind.
#if defined(BERMUDA_NN_LAYER_NORM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BERMUDA_NN_LAYER_NORM_INL
#undef BERMUDA_NN_LAYER_NORM_INL
#else
#define BERMUDA_NN_LAYER_NORM_INL
#endif

#include <cmath>

#include "columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

/// Sum over 0..width-1 of what term(tag, column) gives.
template <typename T, class Term>
HWY_INLINE T sum_of(std::size_t width, const Term& term) {
  const hn::ScalableTag<T> full;
  auto sums = hn::Zero(full);
  std::size_t column = 0;
  for (; column + hn::Lanes(full) <= width; column += hn::Lanes(full)) {
    sums = hn::Add(sums, term(full, column));
  }
  T total = hn::GetLane(hn::SumOfLanes(full, sums));
  const hn::CappedTag<T, 1> one;
  for (; column < width; ++column) total += hn::GetLane(term(one, column));
  return total;
}

/// Layer normalisation of rows. `normal` may be where `z` is.
template <typename T>
HWY_NOINLINE void layer_norm(const T* z, const T* weight, const T* bias, std::size_t rows,
                             std::size_t width, T* normal, T* inverse, T* y) {
  constexpr T kEpsilon = T(1e-5);
  const T share = T(1) / static_cast<T>(width);
  for (std::size_t row = 0; row < rows; ++row, z += width, normal += width, y += width) {
    const T mean = share * sum_of<T>(width, [&](auto d, std::size_t c)
                                                HWY_ATTR { return hn::LoadU(d, z + c); });
    const T variance = share * sum_of<T>(width, [&](auto d, std::size_t c) HWY_ATTR {
                         const auto apart = hn::Sub(hn::LoadU(d, z + c), hn::Set(d, mean));
                         return hn::Mul(apart, apart);
                       });
    const T factor = T(1) / std::sqrt(variance + kEpsilon);
    inverse[row] = factor;
    for_columns<T>(0, width, [&](auto d, std::size_t c) HWY_ATTR {
      const auto even = hn::Mul(hn::Sub(hn::LoadU(d, z + c), hn::Set(d, mean)), hn::Set(d, factor));
      hn::StoreU(even, d, normal + c);
      hn::StoreU(hn::MulAdd(even, hn::LoadU(d, weight + c), hn::LoadU(d, bias + c)), d, y + c);
    });
  }
}

/// y = normal weight + bias: what layer_norm() gave.
template <typename T>
HWY_NOINLINE void layer_norm_again(const T* normal, const T* weight, const T* bias,
                                   std::size_t rows, std::size_t width, T* y) {
  for (std::size_t row = 0; row < rows; ++row, normal += width, y += width) {
    for_columns<T>(0, width, [&](auto d, std::size_t c) HWY_ATTR {
      hn::StoreU(
          hn::MulAdd(hn::LoadU(d, normal + c), hn::LoadU(d, weight + c), hn::LoadU(d, bias + c)), d,
          y + c);
    });
  }
}

/// dz = plus + the way back through layer_norm(); plus may be absent, dz may be where dy is.
template <typename T>
HWY_NOINLINE void layer_norm_back(const T* dy, const T* normal, const T* inverse, const T* weight,
                                  std::size_t rows, std::size_t width, const T* plus, T* dz,
                                  T* d_weight, T* d_bias) {
  const T share = T(1) / static_cast<T>(width);
  for (std::size_t row = 0; row < rows; ++row, dy += width, normal += width, dz += width) {
    const T first = share * sum_of<T>(width, [&](auto d, std::size_t c) HWY_ATTR {
                      return hn::Mul(hn::LoadU(d, dy + c), hn::LoadU(d, weight + c));
                    });
    const T second = share * sum_of<T>(width, [&](auto d, std::size_t c) HWY_ATTR {
                       return hn::Mul(hn::Mul(hn::LoadU(d, dy + c), hn::LoadU(d, weight + c)),
                                      hn::LoadU(d, normal + c));
                     });
    for_columns<T>(0, width, [&](auto d, std::size_t c) HWY_ATTR {
      const auto g = hn::LoadU(d, dy + c);
      const auto even = hn::LoadU(d, normal + c);
      hn::StoreU(hn::MulAdd(g, even, hn::LoadU(d, d_weight + c)), d, d_weight + c);
      hn::StoreU(hn::Add(g, hn::LoadU(d, d_bias + c)), d, d_bias + c);
      const auto centred = hn::NegMulAdd(
          even, hn::Set(d, second), hn::MulSub(g, hn::LoadU(d, weight + c), hn::Set(d, first)));
      auto back = hn::Mul(centred, hn::Set(d, inverse[row]));
      if (plus != nullptr) back = hn::Add(back, hn::LoadU(d, plus + row * width + c));
      hn::StoreU(back, d, dz + c);
    });
  }
}

/// sums[c] += the sum of column c.
template <typename T>
HWY_NOINLINE void add_columns(const T* x, std::size_t rows, std::size_t width, T* sums) {
  for_columns<T>(0, width, [&](auto d, std::size_t c) HWY_ATTR {
    auto sum = hn::LoadU(d, sums + c);
    for (std::size_t row = 0; row < rows; ++row)
      sum = hn::Add(sum, hn::LoadU(d, x + row * width + c));
    hn::StoreU(sum, d, sums + c);
  });
}

}  // namespace
}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
