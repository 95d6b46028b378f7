// Included once per target by Highway's foreach_target: no include guard of the usual kind.
#if defined(BERMUDA_NN_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BERMUDA_NN_COLUMNS_INL
#undef BERMUDA_NN_COLUMNS_INL
#else
#define BERMUDA_NN_COLUMNS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Calls body(tag, column) for pieces of 0..width-1: full vectors, then shorter ones for the rest,
/// so that no row needs padding.
template <typename T, class Body>
HWY_INLINE void for_columns(std::size_t begin, std::size_t width, const Body& body) {
  const hn::ScalableTag<T> full;
  std::size_t column = begin;
  for (; column + hn::Lanes(full) <= width; column += hn::Lanes(full)) body(full, column);
  const hn::CappedTag<T, 4> four;
  for (; column + hn::Lanes(four) <= width; column += hn::Lanes(four)) body(four, column);
  const hn::CappedTag<T, 2> two;
  for (; column + hn::Lanes(two) <= width; column += hn::Lanes(two)) body(two, column);
  const hn::CappedTag<T, 1> one;
  for (; column < width; ++column) body(one, column);
}

HWY_INLINE std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

/// Makes the public function `name` out of the per-target functions nameF32 and nameF64.
#undef BERMUDA_KERNEL_TARGETS
#define BERMUDA_KERNEL_TARGETS(name, Args, rows_function)                           \
  void name##F32(const Args<float>& args, Rows rows) { rows_function(args, rows); } \
  void name##F64(const Args<double>& args, Rows rows) { rows_function(args, rows); }
#undef BERMUDA_KERNEL
#define BERMUDA_KERNEL(name, Args)                                                               \
  HWY_EXPORT(name##F32);                                                                         \
  HWY_EXPORT(name##F64);                                                                         \
  void name(const Args<float>& args, Rows rows) { HWY_DYNAMIC_DISPATCH(name##F32)(args, rows); } \
  void name(const Args<double>& args, Rows rows) { HWY_DYNAMIC_DISPATCH(name##F64)(args, rows); }

#endif
