#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aggregate_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "columns-inl.hpp"
// clang-format on

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

struct Span {
  int begin;
  int end;
};

HWY_INLINE Span entries_of(const RowLists& lists, int row) {
  if (lists.offsets == nullptr) return {row, row + 1};
  return {lists.offsets[row], lists.offsets[row + 1]};
}

HWY_INLINE std::size_t source_of(const RowLists& lists, int entry) {
  return at(lists.offsets == nullptr ? entry : lists.sources[entry]);
}

/// kCount neighbouring vectors of one target row, summed in registers.
template <std::size_t kCount, typename T, class D>
HWY_INLINE void aggregate_piece(const AggregateArgs<T>& args, D tag, int row, Span entries,
                                Span own, std::size_t column) {
  const std::size_t lanes = hn::Lanes(tag);
  const auto width = at(args.width);
  hn::Vec<D> sum[kCount];
  T* y = args.y + at(row - args.first_row) * width + column;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kCount; ++i) sum[i] = hn::Zero(tag);
  for (int e = own.begin; e < own.end; ++e) {
    const T* x = args.x + source_of(args.own, e) * width + column;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kCount; ++i)
      sum[i] = hn::Add(sum[i], hn::LoadU(tag, x + i * lanes));
  }
  if (args.self_weight != nullptr) {
    const auto weight = hn::Set(tag, *args.self_weight);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kCount; ++i) sum[i] = hn::Mul(sum[i], weight);
  }
  if (args.average && entries.begin < entries.end) {
    const T* first = args.x + source_of(args.entries, entries.begin) * width + column;
    hn::Vec<D> base[kCount];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kCount; ++i) {
      sum[i] = base[i] = hn::LoadU(tag, first + i * lanes);
    }
    for (int e = entries.begin + 1; e < entries.end; ++e) {
      const T* x = args.x + source_of(args.entries, e) * width + column;
      const auto weight = hn::Set(tag, T(args.weights[e]));
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kCount; ++i) {
        const auto step = hn::Sub(hn::LoadU(tag, x + i * lanes), base[i]);
        sum[i] = hn::MulAdd(weight, step, sum[i]);
      }
    }
  } else {
    for (int e = entries.begin; e < entries.end; ++e) {
      const T* x = args.x + source_of(args.entries, e) * width + column;
      const auto weight = hn::Set(tag, args.weights == nullptr ? T(1) : T(args.weights[e]));
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kCount; ++i) {
        sum[i] = hn::MulAdd(weight, hn::LoadU(tag, x + i * lanes), sum[i]);
      }
    }
  }
  if (args.add) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kCount; ++i) {
      sum[i] = hn::Add(sum[i], hn::LoadU(tag, y + i * lanes));
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kCount; ++i) hn::StoreU(sum[i], tag, y + i * lanes);
}

/// Pieces of kBlock vectors, then single ones. Each piece follows the entries anew, which are so
/// few that most of its time is the branch at their end: the fewer pieces the better.
template <std::size_t kBlock, typename T>
HWY_INLINE void aggregate_in_blocks(const AggregateArgs<T>& args, Rows rows) {
  const hn::ScalableTag<T> full;
  const std::size_t step = kBlock * hn::Lanes(full);
  const auto width = at(args.width);
  for (int row = rows.begin; row < rows.end; ++row) {
    const Span entries = entries_of(args.entries, row);
    const Span own = args.self_weight == nullptr ? Span{0, 0} : entries_of(args.own, row);
    std::size_t column = 0;
    for (; column + step <= width; column += step) {
      aggregate_piece<kBlock>(args, full, row, entries, own, column);
    }
    for_columns<T>(column, width, [&](auto tag, std::size_t c) HWY_ATTR {
      aggregate_piece<1>(args, tag, row, entries, own, c);
    });
  }
}

template <typename T>
void aggregate_rows(const AggregateArgs<T>& args, Rows rows) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // 32 registers hold a sum and a base of each: whole rows of 160, 144 and 112 numbers.
  const std::size_t vectors = at(args.width) / hn::Lanes(hn::ScalableTag<T>());
  if (vectors % 10 == 0) return aggregate_in_blocks<10>(args, rows);
  if (vectors % 9 == 0) return aggregate_in_blocks<9>(args, rows);
  if (vectors % 7 == 0) return aggregate_in_blocks<7>(args, rows);
#endif
  aggregate_in_blocks<4>(args, rows);
}

}  // namespace

BERMUDA_KERNEL_TARGETS(aggregate, AggregateArgs, aggregate_rows)

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
BERMUDA_KERNEL(aggregate, AggregateArgs)
}  // namespace bermuda::nn
#endif
