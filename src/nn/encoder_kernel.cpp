#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "encoder_kernel.cpp"
// Vectors whose size is unknown to the compiler cannot be elements of arrays, as here.
// Two more are left out because each costs ten seconds to compile and gains nothing over the next.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "columns-inl.hpp"
#include "matmul-inl.hpp"
// clang-format on

#include <algorithm>
#include <cmath>

#include "bermuda/nn/transformer_kernels.hpp"

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

/// The rows that one row attends to: all of its graph.
struct HeardAll {
  HeardAll(const AttentionScope& scope, int graph, int /*row*/)
      : first(scope.graph_offsets[graph]), count(scope.graph_offsets[graph + 1] - first) {}
  HWY_INLINE std::size_t operator[](int entry) const { return at(first + entry); }
  int first;
  int count;
};

/// Its neighbours and, last, itself.
struct HeardListed {
  HeardListed(const AttentionScope& scope, int /*graph*/, int row)
      : list(scope.lists.sources + scope.lists.offsets[row]),
        self(row),
        count(scope.lists.offsets[row + 1] - scope.lists.offsets[row] + 1) {}
  HWY_INLINE std::size_t operator[](int entry) const {
    return at(entry + 1 < count ? list[entry] : self);
  }
  const int* list;
  int self;
  int count;
};

/// Adds up the lanes of each head and stores one number a head; the heads divide the lanes.
template <class D, class V, typename T>
HWY_INLINE void store_heads(D d, V v, [[maybe_unused]] std::size_t heads, T* out) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > 1) {
    if (hn::Lanes(d) > heads) {
      const hn::Half<D> half;
      store_heads(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), heads, out);
      return;
    }
  }
#endif
  hn::StoreU(v, d, out);
}

/// One number a head, repeated to fill a vector.
template <class D, typename T>
HWY_INLINE hn::Vec<D> load_heads(D d, const T* numbers, std::size_t heads) {
  if (heads * sizeof(T) == 16) return hn::LoadDup128(d, numbers);
  if (heads == hn::Lanes(d)) return hn::LoadU(d, numbers);
  if (heads == 1) return hn::Set(d, *numbers);
  HWY_ALIGN T repeated[hn::MaxLanes(D())];
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) repeated[lane] = numbers[lane % heads];
  return hn::Load(d, repeated);
}

/// Lengthens an array of scores to whole vectors with numbers whose exp is nothing.
template <typename T>
HWY_INLINE std::size_t pad_scores(T* scores, std::size_t count) {
  const hn::ScalableTag<T> d;
  const std::size_t whole = (count + hn::Lanes(d) - 1) / hn::Lanes(d) * hn::Lanes(d);
  for (std::size_t i = count; i < whole; ++i) scores[i] = T(-1e30);
  return whole;
}

/// Rows of kVectors whole vectors, heads that divide the lanes: everything stays in registers.
/// kHeads: how many, 0 when known at run time only.
template <std::size_t kVectors, std::size_t kHeads, typename T>
struct WholeVectors {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  std::size_t any_heads;

  HWY_INLINE std::size_t heads() const { return kHeads > 0 ? kHeads : any_heads; }

  struct Row {
    V parts[kVectors];
  };
  HWY_INLINE Row zero() const {
    Row row;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) row.parts[i] = hn::Zero(D());
    return row;
  }
  HWY_INLINE Row load(const T* numbers, T factor) const {
    Row row;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      row.parts[i] = hn::Mul(hn::LoadU(D(), numbers + i * hn::Lanes(D())), hn::Set(D(), factor));
    }
    return row;
  }
  HWY_INLINE void store(const Row& row, T factor, T* numbers) const {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      hn::StoreU(hn::Mul(row.parts[i], hn::Set(D(), factor)), D(), numbers + i * hn::Lanes(D()));
    }
  }
  /// out[h] = sum over k of a[k, h] b[k, h].
  HWY_INLINE void products(const Row& a, const T* b, T* out) const {
    V sum = hn::Mul(a.parts[0], hn::LoadU(D(), b));
#pragma GCC unroll 8
    for (std::size_t i = 1; i < kVectors; ++i) {
      sum = hn::MulAdd(a.parts[i], hn::LoadU(D(), b + i * hn::Lanes(D())), sum);
    }
    store_heads(D(), sum, heads(), out);
  }
  /// sum += factors x, one factor a head.
  HWY_INLINE void add(const T* factors, const T* x, Row& sum) const {
    const V factor = load_heads(D(), factors, heads());
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      sum.parts[i] = hn::MulAdd(factor, hn::LoadU(D(), x + i * hn::Lanes(D())), sum.parts[i]);
    }
  }
  HWY_INLINE void add_to(const T* factors, const Row& x, T* sum) const {
    const V factor = load_heads(D(), factors, heads());
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      T* part = sum + i * hn::Lanes(D());
      hn::StoreU(hn::MulAdd(factor, x.parts[i], hn::LoadU(D(), part)), D(), part);
    }
  }
};

/// Any width and number of heads.
template <typename T>
struct AnyWidth {
  std::size_t any_heads;
  std::size_t width;

  HWY_INLINE std::size_t heads() const { return any_heads; }
  static constexpr std::size_t kMost = 4096;

  struct Row {
    T parts[kMost];
  };
  HWY_INLINE Row zero() const {
    Row row;
    std::fill_n(row.parts, width, T(0));
    return row;
  }
  HWY_INLINE Row load(const T* numbers, T factor) const {
    Row row;
    for (std::size_t i = 0; i < width; ++i) row.parts[i] = numbers[i] * factor;
    return row;
  }
  HWY_INLINE void store(const Row& row, T factor, T* numbers) const {
    for (std::size_t i = 0; i < width; ++i) numbers[i] = row.parts[i] * factor;
  }
  HWY_INLINE void products(const Row& a, const T* b, T* out) const {
    std::fill_n(out, heads(), T(0));
    for (std::size_t i = 0; i < width; i += heads()) {
      for (std::size_t h = 0; h < heads(); ++h) out[h] += a.parts[i + h] * b[i + h];
    }
  }
  HWY_INLINE void add(const T* factors, const T* x, Row& sum) const {
    for (std::size_t i = 0; i < width; i += heads()) {
      for (std::size_t h = 0; h < heads(); ++h) sum.parts[i + h] += factors[h] * x[i + h];
    }
  }
  HWY_INLINE void add_to(const T* factors, const Row& x, T* sum) const {
    for (std::size_t i = 0; i < width; i += heads()) {
      for (std::size_t h = 0; h < heads(); ++h) sum[i + h] += factors[h] * x.parts[i + h];
    }
  }
};

/// scores -> exp(scores - largest), in place; softmax gets largest and 1 / sum of each head.
template <typename T>
HWY_INLINE void exponentials(T* scores, std::size_t entries, std::size_t heads, T* softmax) {
  T* largest = softmax;
  T* inverse = softmax + heads;
  for (std::size_t h = 0; h < heads; ++h) {
    largest[h] = scores[h];
    inverse[h] = 0;
  }
  const hn::ScalableTag<T> d;
  if (heads <= hn::Lanes(d) && hn::Lanes(d) % heads == 0) {
    const std::size_t whole = pad_scores(scores, entries * heads);
    HWY_ALIGN T lanes[hn::MaxLanes(hn::ScalableTag<T>())];
    auto most = hn::LoadU(d, scores);
    for (std::size_t i = hn::Lanes(d); i < whole; i += hn::Lanes(d)) {
      most = hn::Max(most, hn::LoadU(d, scores + i));
    }
    hn::Store(most, d, lanes);
    for (std::size_t i = heads; i < hn::Lanes(d); ++i) {
      largest[i % heads] = std::max(largest[i % heads], lanes[i]);
    }
    for (std::size_t h = 0; h < heads; ++h) largest[h] = std::max(largest[h], lanes[h]);
    most = load_heads(d, largest, heads);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < whole; i += hn::Lanes(d)) {
      const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, scores + i), most));
      sum = hn::Add(sum, e);
      hn::StoreU(e, d, scores + i);
    }
    store_heads(d, sum, heads, inverse);
  } else {
    for (std::size_t i = 0; i < entries * heads; ++i) {
      largest[i % heads] = std::max(largest[i % heads], scores[i]);
    }
    for (std::size_t i = 0; i < entries * heads; ++i) {
      scores[i] = std::exp(scores[i] - largest[i % heads]);
      inverse[i % heads] += scores[i];
    }
  }
  for (std::size_t h = 0; h < heads; ++h) inverse[h] = T(1) / inverse[h];
}

/// On the way back, in place: scores -> alpha, d_alpha -> d_score = alpha (d_alpha - mean).
template <typename T>
HWY_INLINE void exponentials_back(T* scores, T* d_alpha, std::size_t entries, std::size_t heads,
                                  const T* softmax, const T* mean) {
  const hn::ScalableTag<T> d;
  if (heads <= hn::Lanes(d) && hn::Lanes(d) % heads == 0) {
    const std::size_t whole = pad_scores(scores, entries * heads);
    pad_scores(d_alpha, entries * heads);
    const auto largest = load_heads(d, softmax, heads);
    const auto inverse = load_heads(d, softmax + heads, heads);
    const auto means = load_heads(d, mean, heads);
    for (std::size_t i = 0; i < whole; i += hn::Lanes(d)) {
      const auto alpha = hn::Mul(hn::Exp(d, hn::Sub(hn::LoadU(d, scores + i), largest)), inverse);
      hn::StoreU(alpha, d, scores + i);
      hn::StoreU(hn::Mul(alpha, hn::Sub(hn::LoadU(d, d_alpha + i), means)), d, d_alpha + i);
    }
    return;
  }
  for (std::size_t i = 0; i < entries * heads; ++i) {
    const std::size_t h = i % heads;
    scores[i] = std::exp(scores[i] - softmax[h]) * softmax[heads + h];
    d_alpha[i] = scores[i] * (d_alpha[i] - mean[h]);
  }
}

template <class Heard, typename T, class Kind>
HWY_NOINLINE void attention_rows(const EncoderArgs<T>& args, Rows graphs, T* scores, Kind kind) {
  const std::size_t width = at(args.shape.width);
  const std::size_t heads = kind.heads();
  const T scale = T(1) / std::sqrt(static_cast<T>(width / heads));
  for (int graph = graphs.begin; graph < graphs.end; ++graph) {
    for (int row = args.scope.graph_offsets[graph]; row < args.scope.graph_offsets[graph + 1];
         ++row) {
      const Heard heard(args.scope, graph, row);
      const auto query = kind.load(args.qkv + at(row) * 3 * width, scale);
      for (int e = 0; e < heard.count; ++e) {
        kind.products(query, args.qkv + heard[e] * 3 * width + width, scores + at(e) * heads);
      }
      T* softmax = args.softmax + at(row) * 2 * heads;
      exponentials(scores, at(heard.count), heads, softmax);
      auto sum = kind.zero();
      for (int e = 0; e < heard.count; ++e) {
        kind.add(scores + at(e) * heads, args.qkv + heard[e] * 3 * width + 2 * width, sum);
      }
      // Normalising the sum costs less than normalising the scores.
      T* out = args.heard + at(row) * width;
      std::fill_n(out, width, T(0));
      kind.add_to(softmax + heads, sum, out);
    }
  }
}

template <typename T>
struct AttentionScratch {
  T* mean;    // one a head
  T* scores;  // one a head and entry, as the next
  T* d_alpha;
};

/// dqkv has one row a row of the graphs, the first at 0, and is zero at the start.
template <class Heard, typename T, class Kind>
HWY_NOINLINE void attention_back_rows(const EncoderArgs<T>& args, Rows graphs, const T* d_heard,
                                      const AttentionScratch<T>& scratch, T* dqkv, Kind kind) {
  const std::size_t width = at(args.shape.width);
  const std::size_t heads = kind.heads();
  const T scale = T(1) / std::sqrt(static_cast<T>(width / heads));
  const std::size_t first = at(args.scope.graph_offsets[graphs.begin]);
  const auto& [mean, scores, d_alpha] = scratch;
  for (int graph = graphs.begin; graph < graphs.end; ++graph) {
    for (int row = args.scope.graph_offsets[graph]; row < args.scope.graph_offsets[graph + 1];
         ++row) {
      const Heard heard(args.scope, graph, row);
      const auto query = kind.load(args.qkv + at(row) * 3 * width, scale);
      const auto d_out = kind.load(d_heard + (at(row) - first) * width, T(1));
      kind.products(d_out, args.heard + at(row) * width, mean);
      for (int e = 0; e < heard.count; ++e) {
        const T* other = args.qkv + heard[e] * 3 * width;
        kind.products(query, other + width, scores + at(e) * heads);
        kind.products(d_out, other + 2 * width, d_alpha + at(e) * heads);
      }
      exponentials_back(scores, d_alpha, at(heard.count), heads, args.softmax + at(row) * 2 * heads,
                        mean);
      auto d_query = kind.zero();
      for (int e = 0; e < heard.count; ++e) {
        const std::size_t other = heard[e];
        T* d_other = dqkv + (other - first) * 3 * width;
        kind.add(d_alpha + at(e) * heads, args.qkv + other * 3 * width + width, d_query);
        kind.add_to(d_alpha + at(e) * heads, query, d_other + width);
        kind.add_to(scores + at(e) * heads, d_out, d_other + 2 * width);
      }
      kind.store(d_query, scale, dqkv + (at(row) - first) * 3 * width);
    }
  }
}

/// Calls body with the kind of rows that fits the shape.
template <typename T, class Body>
HWY_INLINE void with_kind(const EncoderShape& shape, const Body& body) {
  const hn::ScalableTag<T> d;
  const std::size_t heads = at(shape.heads);
  const std::size_t width = at(shape.width);
  const bool whole =
      heads <= hn::Lanes(d) && hn::Lanes(d) % heads == 0 && width % hn::Lanes(d) == 0;
  const std::size_t vectors = width / hn::Lanes(d);
  if (whole && vectors == 4 && heads == 4) return body(WholeVectors<4, 4, T>{heads});
  if (whole && vectors == 2) return body(WholeVectors<2, 0, T>{heads});
  if (whole && vectors == 4) return body(WholeVectors<4, 0, T>{heads});
  if (whole && vectors == 8) return body(WholeVectors<8, 0, T>{heads});
  body(AnyWidth<T>{heads, width});
}

/// A piece of scratch, taken from the front.
template <typename T>
HWY_INLINE T* take(T*& scratch, std::size_t count) {
  T* piece = scratch;
  scratch += count;
  return piece;
}

template <typename T>
void encode_graphs(const EncoderArgs<T>& args, Rows graphs) {
  const EncoderLayout layout(args.shape);
  const std::size_t width = at(args.shape.width);
  const std::size_t hidden = at(args.shape.hidden);
  const bool first = args.shape.norm_first;
  const std::size_t begin = at(args.scope.graph_offsets[graphs.begin]);
  const std::size_t rows = at(args.scope.graph_offsets[graphs.end]) - begin;
  const T* w = args.weights;
  const T* transposed = args.transposed;
  T* scratch = args.scratch;
  T* sums = take(scratch, rows * width);
  T* between = take(scratch, rows * width);
  T* scores = scratch;
  const T* x = args.x + begin * width;
  T* normal1 = args.normal1 + begin * width;
  T* normal2 = args.normal2 + begin * width;
  T* y = args.y + begin * width;
  T* f = args.hidden + begin * hidden;

  const T* asked = x;
  if (first) {
    layer_norm(x, w + layout.norm1, w + layout.norm1_bias, rows, width, normal1,
               args.inverse1 + begin, between);
    asked = between;
  }
  multiply<T>(
      {asked, width}, rows, width, transposed + layout.qkv, 3 * width, 3 * width,
      {.out = args.qkv + begin * 3 * width, .stride = 3 * width, .bias = w + layout.qkv_bias});
  with_kind<T>(args.shape, [&](auto kind) HWY_ATTR {
    if (args.scope.lists.offsets == nullptr) {
      attention_rows<HeardAll>(args, graphs, scores, kind);
    } else {
      attention_rows<HeardListed>(args, graphs, scores, kind);
    }
  });
  multiply<T>({args.heard + begin * width, width}, rows, width, transposed + layout.out, width,
              width, {.out = sums, .stride = width, .bias = w + layout.out_bias, .plus = x});
  if (first) {
    layer_norm(sums, w + layout.norm2, w + layout.norm2_bias, rows, width, normal2,
               args.inverse2 + begin, between);
  } else {
    layer_norm(sums, w + layout.norm1, w + layout.norm1_bias, rows, width, normal1,
               args.inverse1 + begin, between);
  }
  multiply<T>({between, width}, rows, width, transposed + layout.expand, hidden, hidden,
              {.out = f, .stride = hidden, .bias = w + layout.expand_bias, .relu = true});
  multiply<T>({f, hidden}, rows, hidden, transposed + layout.contract, width, width,
              {.out = first ? y : sums,
               .stride = width,
               .bias = w + layout.contract_bias,
               .plus = first ? sums : between});
  if (!first) {
    layer_norm(sums, w + layout.norm2, w + layout.norm2_bias, rows, width, normal2,
               args.inverse2 + begin, y);
  }
}

/// gradient [outputs, inputs] += dy^T x, bias += column sums of dy.
template <typename T>
HWY_INLINE void weight_gradients(const T* dy, const T* x, std::size_t rows, std::size_t outputs,
                                 std::size_t inputs, T* gradient, T* bias) {
  multiply<T>({dy, 1, outputs}, outputs, rows, x, inputs, inputs,
              {.out = gradient, .stride = inputs, .plus = gradient});
  add_columns(dy, rows, outputs, bias);
}

template <typename T>
void encode_back_graphs(const EncoderArgs<T>& args, Rows graphs) {
  const EncoderLayout layout(args.shape);
  const std::size_t width = at(args.shape.width);
  const std::size_t heads = at(args.shape.heads);
  const std::size_t hidden = at(args.shape.hidden);
  const bool first = args.shape.norm_first;
  const std::size_t begin = at(args.scope.graph_offsets[graphs.begin]);
  const std::size_t rows = at(args.scope.graph_offsets[graphs.end]) - begin;
  const T* w = args.weights;
  T* g = args.gradients;
  T* scratch = args.scratch;
  T* d_sums = take(scratch, rows * width);
  T* d_between = take(scratch, rows * width);
  T* between = take(scratch, rows * width);
  T* d_hidden = take(scratch, rows * hidden);
  T* dqkv = take(scratch, rows * 3 * width);
  T* mean = take(scratch, heads);
  T* scores = take(scratch, at(args.longest) * heads + kScorePadding);
  T* d_alpha = scratch;
  const T* x = args.x + begin * width;
  const T* normal1 = args.normal1 + begin * width;
  const T* normal2 = args.normal2 + begin * width;
  const T* inverse1 = args.inverse1 + begin;
  const T* inverse2 = args.inverse2 + begin;
  const T* dy = args.dy + begin * width;
  const T* f = args.hidden + begin * hidden;
  T* dx = args.dx + begin * width;

  const T* d_contract = dy;
  if (!first) {
    layer_norm_back<T>(dy, normal2, inverse2, w + layout.norm2, rows, width, nullptr, d_sums,
                       g + layout.norm2, g + layout.norm2_bias);
    d_contract = d_sums;
  }
  weight_gradients(d_contract, f, rows, width, hidden, g + layout.contract,
                   g + layout.contract_bias);
  multiply<T>({d_contract, width}, rows, width, w + layout.contract, hidden, hidden,
              {.out = d_hidden, .stride = hidden, .gate = f});
  layer_norm_again(first ? normal2 : normal1, w + (first ? layout.norm2 : layout.norm1),
                   w + (first ? layout.norm2_bias : layout.norm1_bias), rows, width, between);
  weight_gradients(d_hidden, between, rows, hidden, width, g + layout.expand,
                   g + layout.expand_bias);
  multiply<T>({d_hidden, hidden}, rows, hidden, w + layout.expand, width, width,
              {.out = d_between, .stride = width, .plus = first ? nullptr : d_sums});
  if (first) {
    layer_norm_back<T>(d_between, normal2, inverse2, w + layout.norm2, rows, width, dy, d_sums,
                       g + layout.norm2, g + layout.norm2_bias);
  } else {
    layer_norm_back<T>(d_between, normal1, inverse1, w + layout.norm1, rows, width, nullptr, d_sums,
                       g + layout.norm1, g + layout.norm1_bias);
  }
  weight_gradients(d_sums, args.heard + begin * width, rows, width, width, g + layout.out,
                   g + layout.out_bias);
  T* d_heard = d_hidden;  // no longer needed
  if (hidden < width) d_heard = d_between;
  multiply<T>({d_sums, width}, rows, width, w + layout.out, width, width,
              {.out = d_heard, .stride = width});
  std::fill_n(dqkv, rows * 3 * width, T(0));
  with_kind<T>(args.shape, [&](auto kind) HWY_ATTR {
    const AttentionScratch<T> own{mean, scores, d_alpha};
    if (args.scope.lists.offsets == nullptr) {
      attention_back_rows<HeardAll>(args, graphs, d_heard, own, dqkv, kind);
    } else {
      attention_back_rows<HeardListed>(args, graphs, d_heard, own, dqkv, kind);
    }
  });
  const T* asked = x;
  if (first) {
    layer_norm_again(normal1, w + layout.norm1, w + layout.norm1_bias, rows, width, between);
    asked = between;
  }
  weight_gradients(dqkv, asked, rows, 3 * width, width, g + layout.qkv, g + layout.qkv_bias);
  multiply<T>({dqkv, 3 * width}, rows, 3 * width, w + layout.qkv, width, width,
              {.out = first ? d_between : dx, .stride = width, .plus = first ? nullptr : d_sums});
  if (first) {
    layer_norm_back<T>(d_between, normal1, inverse1, w + layout.norm1, rows, width, d_sums, dx,
                       g + layout.norm1, g + layout.norm1_bias);
  }
}

}  // namespace

BERMUDA_KERNEL_TARGETS(encode, EncoderArgs, encode_graphs)
BERMUDA_KERNEL_TARGETS(encode_back, EncoderArgs, encode_back_graphs)

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
BERMUDA_KERNEL(encode, EncoderArgs)
BERMUDA_KERNEL(encode_back, EncoderArgs)

std::size_t encoder_scratch(const EncoderShape& shape, int rows, int longest) {
  const auto width = static_cast<std::size_t>(shape.width);
  const auto scores =
      static_cast<std::size_t>(longest) * static_cast<std::size_t>(shape.heads) + kScorePadding;
  return static_cast<std::size_t>(rows) * (6 * width + static_cast<std::size_t>(shape.hidden)) +
         2 * scores + static_cast<std::size_t>(shape.heads);
}

}  // namespace bermuda::nn
#endif
