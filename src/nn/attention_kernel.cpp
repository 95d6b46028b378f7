#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "columns-inl.hpp"
// clang-format on

#include <algorithm>

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

/// A row is whole vectors, and so is a table of period() numbers per row; vector i of a row belongs
/// to the heads of vector i % table of such a table.
template <typename Number>
struct AnyHeads {
  using T = Number;
  using D = hn::ScalableTag<T>;
  explicit AnyHeads(const HeadShape& shape)
      : lanes(hn::Lanes(D())),
        heads(at(shape.heads)),
        period(at(shape.period())),
        row(at(shape.width)),
        vectors(row / lanes),
        table(std::max<std::size_t>(heads / lanes, 1)) {}
  std::size_t lanes;
  std::size_t heads;
  std::size_t period;  // numbers between rows of a table
  std::size_t row;     // numbers between rows
  std::size_t vectors;
  std::size_t table;  // vectors of a table that differ; the rest of it is not used

  /// Where a table has the numbers of vector i.
  HWY_INLINE std::size_t place(std::size_t i) const { return table == 1 ? 0 : i % table * lanes; }
};

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
/// The same where numbers are known at compile time and a table is one vector: loops over a row
/// unroll, and what heads share is loaded once.
template <std::size_t kHeads, std::size_t kVectors>
struct KnownHeads {
  using T = float;
  using D = hn::ScalableTag<T>;
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t heads = kHeads;
  static constexpr std::size_t period = lanes;
  static constexpr std::size_t row = kVectors * lanes;
  static constexpr std::size_t vectors = kVectors;
  static constexpr std::size_t table = 1;
  static constexpr std::size_t place(std::size_t) { return 0; }
};
#endif

/// Calls body(heads).
template <typename T, class Body>
HWY_INLINE void with_heads(const HeadShape& shape, const Body& body) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (sizeof(T) == sizeof(float)) {  // GAT's own shape: 8 x 18 numbers, then 1 x 144
    if (shape.width == 144 && shape.heads == 8) return body(KnownHeads<8, 9>());
    if (shape.width == 144 && shape.heads == 1) return body(KnownHeads<1, 9>());
  }
#endif
  body(AnyHeads<T>(shape));
}

/// Every lane gets the sum over the lanes of its head.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sum_by_head([[maybe_unused]] D d, V v, [[maybe_unused]] std::size_t heads) {
#if HWY_TARGET != HWY_SCALAR
  using Index = hn::TFromD<hn::RebindToSigned<D>>;
  const hn::RebindToSigned<D> indices;
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (std::size_t step = lanes / 2; step >= heads && step > 0; step /= 2) {
    const auto turned = hn::And(hn::Iota(indices, static_cast<Index>(step)),
                                hn::Set(indices, static_cast<Index>(lanes - 1)));
    v = hn::Add(v, hn::TableLookupLanes(v, hn::IndicesFromVec(d, turned)));
  }
#endif
  return v;
}

/// out = sum of a b over the columns of each head.
template <class Heads, typename T = typename Heads::T>
HWY_INLINE void head_products(const Heads& h, const T* a, const T* b, T* out) {
  const typename Heads::D d;
  for (std::size_t t = 0; t < h.table; ++t) {
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    std::size_t i = t;
#pragma GCC unroll 8
    for (; i + h.table < h.vectors; i += 2 * h.table) {
      const std::size_t next = (i + h.table) * h.lanes;
      even = hn::MulAdd(hn::LoadU(d, a + i * h.lanes), hn::LoadU(d, b + i * h.lanes), even);
      odd = hn::MulAdd(hn::LoadU(d, a + next), hn::LoadU(d, b + next), odd);
    }
    if (i < h.vectors) {
      even = hn::MulAdd(hn::LoadU(d, a + i * h.lanes), hn::LoadU(d, b + i * h.lanes), even);
    }
    hn::StoreU(sum_by_head(d, hn::Add(even, odd), h.heads), d, out + t * h.lanes);
  }
}

template <class D, class V = hn::Vec<D>, typename T>
HWY_INLINE V leaky(D tag, V x, T slope) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(tag)), x, hn::Mul(x, hn::Set(tag, slope)));
}

HWY_INLINE std::size_t parent_of(const int* parent, int row) {
  return at(parent == nullptr ? row : parent[row]);
}

/// Calls body(count, first vector) for pieces of a row that fit into registers; `count` is a
/// constant.
template <class Heads, class Body>
HWY_INLINE void for_pieces(const Heads& h, const Body& body) {
  constexpr std::size_t kAtOnce = HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 ? 9 : 3;
  std::size_t i = 0;
  for (; i + kAtOnce <= h.vectors; i += kAtOnce) {
    body(std::integral_constant<std::size_t, kAtOnce>(), i);
  }
  for (; i < h.vectors; ++i) body(std::integral_constant<std::size_t, 1>(), i);
}

template <class Heads, typename T>
HWY_INLINE void score_with(const Heads& h, const AttentionArgs<T>& args, Rows rows) {
  for (int row = rows.begin; row < rows.end; ++row) {
    const T* z = args.z + at(row) * h.row;
    head_products(h, z, args.source, args.source_scores + at(row) * h.period);
    head_products(h, z, args.target, args.target_scores + at(row) * h.period);
  }
}

/// alpha of one target's entries: a softmax over them, for all heads at once.
template <class Heads, typename T>
HWY_INLINE void softmax_entries(const Heads& h, const AttentionArgs<T>& args, int begin, int end,
                                const T* target_scores) {
  const typename Heads::D d;
  for (std::size_t t = 0; t < h.table; ++t) {
    const std::size_t place = t * h.lanes;
    const auto own = hn::LoadU(d, target_scores + place);
    auto highest = hn::Set(d, T(-1e30));
    for (int e = begin; e < end; ++e) {
      const T* score = args.source_scores + at(args.entries.sources[e]) * h.period + place;
      const auto raised = leaky(d, hn::Add(hn::LoadU(d, score), own), args.slope);
      highest = hn::Max(highest, raised);
      hn::StoreU(raised, d, args.alpha + at(e) * h.period + place);
    }
    auto total = hn::Zero(d);
    for (int e = begin; e < end; ++e) {
      T* alpha = args.alpha + at(e) * h.period + place;
      const auto weight = hn::Set(d, args.weights == nullptr ? T(1) : T(args.weights[e]));
      const auto power = hn::Mul(weight, hn::Exp(d, hn::Sub(hn::LoadU(d, alpha), highest)));
      total = hn::Add(total, power);
      hn::StoreU(power, d, alpha);
    }
    for (int e = begin; e < end; ++e) {
      T* alpha = args.alpha + at(e) * h.period + place;
      hn::StoreU(hn::Div(hn::LoadU(d, alpha), total), d, alpha);
    }
  }
}

template <class Heads, typename T>
HWY_INLINE void attend_with(const Heads& h, const AttentionArgs<T>& args, Rows rows) {
  const typename Heads::D d;
  for (int row = rows.begin; row < rows.end; ++row) {
    const int begin = args.entries.offsets[row];
    const int end = args.entries.offsets[row + 1];
    softmax_entries(h, args, begin, end,
                    args.target_scores + parent_of(args.parent, row) * h.period);
    T* y = args.y + at(row) * h.row;
    if (begin == end) {
      for (std::size_t i = 0; i < h.row; i += h.lanes) hn::StoreU(hn::Zero(d), d, y + i);
      continue;
    }
    // x_1 + sum of alpha (x_e - x_1) gives the mean of equal rows exactly.
    const T* first = args.z + at(args.entries.sources[begin]) * h.row;
    for_pieces(h, [&](auto count, std::size_t i) HWY_ATTR {
      constexpr std::size_t kCount = decltype(count)::value;
      hn::Vec<typename Heads::D> base[kCount];
      hn::Vec<typename Heads::D> sum[kCount];
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kCount; ++p) {
        base[p] = sum[p] = hn::LoadU(d, first + (i + p) * h.lanes);
      }
      for (int e = begin + 1; e < end; ++e) {
        const T* alpha = args.alpha + at(e) * h.period;
        const T* z = args.z + at(args.entries.sources[e]) * h.row + i * h.lanes;
#pragma GCC unroll 16
        for (std::size_t p = 0; p < kCount; ++p) {
          const auto share = hn::LoadU(d, alpha + h.place(i + p));
          const auto step = hn::Sub(hn::LoadU(d, z + p * h.lanes), base[p]);
          sum[p] = hn::MulAdd(share, step, sum[p]);
        }
      }
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kCount; ++p) hn::StoreU(sum[p], d, y + (i + p) * h.lanes);
    });
  }
}

template <class Heads, typename T>
HWY_INLINE void back_entries_with(const Heads& h, const AttentionBackArgs<T>& args, Rows rows) {
  const typename Heads::D d;
  for (int row = rows.begin; row < rows.end; ++row) {
    const int begin = args.entries.offsets[row];
    const int end = args.entries.offsets[row + 1];
    const T* dy = args.dy + at(row) * h.row;
    for (int e = begin; e < end; ++e) {
      head_products(h, dy, args.z + at(args.entries.sources[e]) * h.row,
                    args.d_entry + at(e) * h.period);
    }
    const T* own = args.target_scores + parent_of(args.parent, row) * h.period;
    for (std::size_t t = 0; t < h.table; ++t) {
      const std::size_t place = t * h.lanes;
      // Measured from the first, so that what is equal cancels exactly.
      const auto first =
          begin < end ? hn::LoadU(d, args.d_entry + at(begin) * h.period + place) : hn::Zero(d);
      auto mean = hn::Zero(d);
      for (int e = begin + 1; e < end; ++e) {
        const auto step = hn::Sub(hn::LoadU(d, args.d_entry + at(e) * h.period + place), first);
        mean = hn::MulAdd(hn::LoadU(d, args.alpha + at(e) * h.period + place), step, mean);
      }
      auto total = hn::Zero(d);
      for (int e = begin; e < end; ++e) {
        T* d_entry = args.d_entry + at(e) * h.period + place;
        const T* score = args.source_scores + at(args.entries.sources[e]) * h.period + place;
        const auto raw = hn::Add(hn::LoadU(d, score), hn::LoadU(d, own + place));
        const auto slope = hn::Mul(hn::LoadU(d, args.alpha + at(e) * h.period + place),
                                   hn::Sub(hn::Sub(hn::LoadU(d, d_entry), first), mean));
        const auto through =
            hn::IfThenElse(hn::Gt(raw, hn::Zero(d)), slope, hn::Mul(slope, hn::Set(d, args.slope)));
        total = hn::Add(total, through);
        hn::StoreU(through, d, d_entry);
      }
      hn::StoreU(total, d, args.d_target + at(row) * h.period + place);
    }
  }
}

/// out = sum over a row's list of the rows of a table.
template <class Heads, class RowOf, typename T = typename Heads::T>
HWY_INLINE void sum_tables(const Heads& h, const T* table, int begin, int end, const RowOf& row_of,
                           T* out) {
  const typename Heads::D d;
  for (std::size_t place = 0; place < h.table * h.lanes; place += h.lanes) {
    auto sum = hn::Zero(d);
    for (int i = begin; i < end; ++i) {
      sum = hn::Add(sum, hn::LoadU(d, table + row_of(i) * h.period + place));
    }
    hn::StoreU(sum, d, out + place);
  }
}

template <class Heads, typename T>
HWY_INLINE void back_sources_with(const Heads& h, const AttentionBackArgs<T>& args, Rows rows) {
  constexpr std::size_t kMostHeads = 256;
  const typename Heads::D d;
  T as_source[kMostHeads];
  T as_target[kMostHeads];
  for (int row = rows.begin; row < rows.end; ++row) {
    const int begin = args.uses.offsets[row];
    const int end = args.uses.offsets[row + 1];
    const auto entry_of = [&](int use) { return at(args.use_entries[use]); };
    sum_tables(h, args.d_entry, begin, end, entry_of, as_source);
    if (args.children.offsets == nullptr) {
      sum_tables(
          h, args.d_target, row, row + 1, [](int child) { return at(child); }, as_target);
    } else {
      sum_tables(
          h, args.d_target, args.children.offsets[row], args.children.offsets[row + 1],
          [&](int i) { return at(args.children.sources[i]); }, as_target);
    }
    const T* z = args.z + at(row) * h.row;
    T* dz = args.dz + at(row - args.first_row) * h.row;
    for_pieces(h, [&](auto count, std::size_t i) HWY_ATTR {
      constexpr std::size_t kCount = decltype(count)::value;
      hn::Vec<typename Heads::D> sum[kCount];
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kCount; ++p) {
        const std::size_t column = (i + p) * h.lanes;
        const std::size_t place = h.place(i + p);
        const auto from = hn::LoadU(d, as_source + place);
        const auto to = hn::LoadU(d, as_target + place);
        const auto value = hn::LoadU(d, z + column);
        sum[p] = hn::MulAdd(from, hn::LoadU(d, args.source + column),
                            hn::Mul(to, hn::LoadU(d, args.target + column)));
        T* d_source = args.d_source_vector + column;
        T* d_target = args.d_target_vector + column;
        hn::StoreU(hn::MulAdd(from, value, hn::LoadU(d, d_source)), d, d_source);
        hn::StoreU(hn::MulAdd(to, value, hn::LoadU(d, d_target)), d, d_target);
      }
      for (int use = begin; use < end; ++use) {
        const T* alpha = args.alpha + entry_of(use) * h.period;
        const T* dy = args.dy + at(args.uses.sources[use]) * h.row + i * h.lanes;
#pragma GCC unroll 16
        for (std::size_t p = 0; p < kCount; ++p) {
          const auto share = hn::LoadU(d, alpha + h.place(i + p));
          sum[p] = hn::MulAdd(share, hn::LoadU(d, dy + p * h.lanes), sum[p]);
        }
      }
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kCount; ++p) hn::StoreU(sum[p], d, dz + (i + p) * h.lanes);
    });
  }
}

#define BERMUDA_WITH_HEADS(name, function, Args)                                                 \
  template <typename T>                                                                          \
  void name(const Args<T>& args, Rows rows) {                                                    \
    with_heads<T>(args.shape, [&](const auto& heads) HWY_ATTR { function(heads, args, rows); }); \
  }
BERMUDA_WITH_HEADS(attention_score_rows, score_with, AttentionArgs)
BERMUDA_WITH_HEADS(attend_rows, attend_with, AttentionArgs)
BERMUDA_WITH_HEADS(attend_back_entry_rows, back_entries_with, AttentionBackArgs)
BERMUDA_WITH_HEADS(attend_back_source_rows, back_sources_with, AttentionBackArgs)
#undef BERMUDA_WITH_HEADS

}  // namespace

BERMUDA_KERNEL_TARGETS(attention_scores, AttentionArgs, attention_score_rows)
BERMUDA_KERNEL_TARGETS(attend, AttentionArgs, attend_rows)
BERMUDA_KERNEL_TARGETS(attend_back_entries, AttentionBackArgs, attend_back_entry_rows)
BERMUDA_KERNEL_TARGETS(attend_back_sources, AttentionBackArgs, attend_back_source_rows)

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
BERMUDA_KERNEL(attention_scores, AttentionArgs)
BERMUDA_KERNEL(attend, AttentionArgs)
BERMUDA_KERNEL(attend_back_entries, AttentionBackArgs)
BERMUDA_KERNEL(attend_back_sources, AttentionBackArgs)
}  // namespace bermuda::nn
#endif
