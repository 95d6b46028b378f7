// Included once per target by Highway's foreach_target: no include guard of the usual kind.
#if defined(BERMUDA_NN_DOT_ATTENTION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BERMUDA_NN_DOT_ATTENTION_INL
#undef BERMUDA_NN_DOT_ATTENTION_INL
#else
#define BERMUDA_NN_DOT_ATTENTION_INL
#endif

#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cmath>

#include "bermuda/nn/transformer_kernels.hpp"
#include "columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

/// The attention of a Transformer layer: scaled products of queries and keys, within each graph.

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

/// Adds up the lanes of each head and stores one number per head; the heads divide the lanes.
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

/// The same for the largest of each head's lanes.
template <class D, class V, typename T>
HWY_INLINE void store_largest(D d, V v, [[maybe_unused]] std::size_t heads, T* out) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > 1) {
    if (hn::Lanes(d) > heads) {
      const hn::Half<D> half;
      store_largest(half, hn::Max(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), heads, out);
      return;
    }
  }
#endif
  hn::StoreU(v, d, out);
}

/// One number per head, repeated to fill a vector.
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
  /// sum += factors x, one factor per head.
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
  const hn::ScalableTag<T> d;
  if (heads <= hn::Lanes(d) && hn::Lanes(d) % heads == 0) {
    const std::size_t whole = pad_scores(scores, entries * heads);
    auto most = hn::LoadU(d, scores);
    for (std::size_t i = hn::Lanes(d); i < whole; i += hn::Lanes(d)) {
      most = hn::Max(most, hn::LoadU(d, scores + i));
    }
    store_largest(d, most, heads, largest);
    most = load_heads(d, largest, heads);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < whole; i += hn::Lanes(d)) {
      const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, scores + i), most));
      sum = hn::Add(sum, e);
      hn::StoreU(e, d, scores + i);
    }
    store_heads(d, sum, heads, inverse);
  } else {
    for (std::size_t h = 0; h < heads; ++h) {
      largest[h] = scores[h];
      inverse[h] = 0;
    }
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
      if (args.stop.requested()) return;
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
  T* mean;    // one per head
  T* scores;  // one per head and entry, as the next
  T* d_alpha;
};

/// dqkv has one row per row of the graphs, the first at 0, and is zero at the start.
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
      if (args.stop.requested()) return;
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
  if (whole && vectors == 2 && heads == 4) return body(WholeVectors<2, 4, T>{heads});
  if (whole && vectors == 2) return body(WholeVectors<2, 0, T>{heads});
  if (whole && vectors == 4) return body(WholeVectors<4, 0, T>{heads});
  if (whole && vectors == 8) return body(WholeVectors<8, 0, T>{heads});
  body(AnyWidth<T>{heads, width});
}

}  // namespace
}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
