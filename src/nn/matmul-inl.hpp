// Included once per target by Highway's foreach_target: no include guard of the usual kind.
#if defined(BERMUDA_NN_MATMUL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BERMUDA_NN_MATMUL_INL
#undef BERMUDA_NN_MATMUL_INL
#else
#define BERMUDA_NN_MATMUL_INL
#endif

#include <algorithm>

#include "bermuda/nn/kernels.hpp"
#include "columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {

#undef BERMUDA_MANY_REGISTERS
#define BERMUDA_MANY_REGISTERS (HWY_TARGET <= HWY_AVX3)  // AVX-512 and what came after it
constexpr bool kManyRegisters = BERMUDA_MANY_REGISTERS != 0;

/// Products of the small matrices inside a layer, where inputs are in cache and a BLAS spends a
/// third of its time on packing.

/// Element (row, k) is at data[row * row_stride + k * depth_stride]: a matrix or its transposed.
template <typename T>
struct Operand {
  const T* data;
  std::size_t row_stride;
  std::size_t depth_stride = 1;
};

/// What becomes of a product, while it is still in registers: out = gate(relu(product + bias +
/// plus)), each part where asked for.
template <typename T>
struct Finish {
  T* out;
  std::size_t stride;
  const T* bias = nullptr;  ///< one per column
  const T* plus = nullptr;  ///< a matrix with rows `stride` apart; may be out itself
  bool relu = false;
  const T* gate = nullptr;  ///< with rows `stride` apart: zero where it is not positive

  template <class D, class V>
  HWY_INLINE void operator()(D d, std::size_t row, std::size_t column, V v) const {
    const std::size_t place = row * stride + column;
    if (bias != nullptr) v = hn::Add(v, hn::LoadU(d, bias + column));
    if (plus != nullptr) v = hn::Add(v, hn::LoadU(d, plus + place));
    if (relu) v = hn::Max(v, hn::Zero(d));
    if (gate != nullptr) {
      v = hn::IfThenElseZero(hn::Gt(hn::LoadU(d, gate + place), hn::Zero(d)), v);
    }
    hn::StoreU(v, d, out + place);
  }
};

/// Fetches what comes next, bit by bit: a processor waits when it has asked for too many lines at
/// once. Every second line is enough, the hardware brings its neighbour.
class Fetching {
 public:
  Fetching() = default;
  explicit Fetching(const Ahead* ranges) : range_(ranges), last_(ranges + kMostAhead) { next(); }

  HWY_INLINE void one() {
    if (next_ >= end_) return;
    __builtin_prefetch(next_, 0, 2);  // the first level has the tile in it
    next_ += kStep;
    if (HWY_UNLIKELY(next_ >= end_)) next();
  }

 private:
  static constexpr std::size_t kStep = 128;

  void next() {
    while (next_ >= end_ && range_ != last_) {
      next_ = static_cast<const char*>(range_->begin);
      end_ = next_ + range_->bytes;
      ++range_;
    }
  }

  const Ahead* range_ = nullptr;
  const Ahead* last_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
};

/// kRows x kVectors vectors of the product, held in registers.
template <std::size_t kRows, std::size_t kVectors, class D, typename T>
HWY_INLINE void tile(D d, const Operand<T>& a, std::size_t depth, const T* b, std::size_t b_stride,
                     std::size_t row, std::size_t column, const Finish<T>& finish,
                     Fetching& fetching) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  V sums[kRows][kVectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j) sums[i][j] = hn::Zero(d);
  }
  const T* left = a.data + row * a.row_stride;
  const T* right = b + column;
  for (std::size_t k = 0; k < depth; ++k, left += a.depth_stride, right += b_stride) {
    if (k % 2 == 0) fetching.one();
    V pieces[kVectors];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j) pieces[j] = hn::LoadU(d, right + j * lanes);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      const V factor = hn::Set(d, left[i * a.row_stride]);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVectors; ++j) {
        sums[i][j] = hn::MulAdd(factor, pieces[j], sums[i][j]);
      }
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j) finish(d, row + i, column + j * lanes, sums[i][j]);
  }
}

/// kRows rows at a time, then fewer.
template <std::size_t kRows, std::size_t kVectors, class D, typename T>
HWY_INLINE void tiles_of_columns(D d, const Operand<T>& a, std::size_t rows, std::size_t depth,
                                 const T* b, std::size_t b_stride, std::size_t column,
                                 const Finish<T>& finish, Fetching& fetching) {
  std::size_t row = 0;
  for (; row + kRows <= rows; row += kRows) {
    tile<kRows, kVectors>(d, a, depth, b, b_stride, row, column, finish, fetching);
  }
  if constexpr (kRows > 8) {  // 32 rows are 12 + 12 + 8
    if (row + 8 <= rows) {
      tile<8, kVectors>(d, a, depth, b, b_stride, row, column, finish, fetching);
      row += 8;
    }
  }
  if constexpr (kRows > 4) {
    for (; row + 4 <= rows; row += 4) {
      tile<4, kVectors>(d, a, depth, b, b_stride, row, column, finish, fetching);
    }
  }
  if constexpr (kRows > 2) {
    if (row + 2 <= rows) {
      tile<2, kVectors>(d, a, depth, b, b_stride, row, column, finish, fetching);
      row += 2;
    }
  }
  if constexpr (kRows > 1) {
    if (row < rows) tile<1, kVectors>(d, a, depth, b, b_stride, row, column, finish, fetching);
  }
}

/// How many vectors of columns are computed next where so many are left. Three or four at a time
/// keep a processor with 32 registers busy with arithmetic; with 16 registers two is the most.
HWY_INLINE std::size_t next_vectors(std::size_t left) {
  if (!kManyRegisters || left < 3) return std::min<std::size_t>(left, 2);
  return left == 4 || left == 7 || left == 8 ? 4 : 3;  // 7 is 4 + 3, not 3 + 3 + 1; 10 is 3 + 3 + 4
}

/// a b; a [rows, depth], b [depth, columns] with its rows b_stride apart. Every number is a sum in
/// the order of the depth, whatever the tiles.
template <typename T>
HWY_NOINLINE void multiply(const Operand<T>& a, std::size_t rows, std::size_t depth, const T* b,
                           std::size_t b_stride, std::size_t columns, const Finish<T>& finish,
                           const Ahead* ahead = nullptr) {
  const hn::ScalableTag<T> full;
  const std::size_t lanes = hn::Lanes(full);
  Fetching fetching;
  if (ahead != nullptr) fetching = Fetching(ahead);
  std::size_t column = 0;
  for (std::size_t vectors = columns / lanes; vectors > 0;) {
    const std::size_t now = next_vectors(vectors);
    switch (now) {
      // Sums, pieces of b and a factor: 28, 29 or 27 of 32 registers, or 15 of 16.
#if BERMUDA_MANY_REGISTERS
      case 4:
        tiles_of_columns<6, 4>(full, a, rows, depth, b, b_stride, column, finish, fetching);
        break;
      case 3:
        tiles_of_columns<8, 3>(full, a, rows, depth, b, b_stride, column, finish, fetching);
        break;
#endif
      case 2:
        tiles_of_columns<kManyRegisters ? 12 : 6, 2>(full, a, rows, depth, b, b_stride, column,
                                                     finish, fetching);
        break;
      default:
        tiles_of_columns<8, 1>(full, a, rows, depth, b, b_stride, column, finish, fetching);
    }
    column += now * lanes;
    vectors -= now;
  }
  for_columns<T>(column, columns, [&](auto tag, std::size_t c) HWY_ATTR {
    // What is left of a row is short: fewer kinds of tiles, each of which costs time to compile.
    tiles_of_columns<2, 1>(tag, a, rows, depth, b, b_stride, c, finish, fetching);
  });
}

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
