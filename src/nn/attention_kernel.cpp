#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "columns-inl.hpp"
// clang-format on

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

/// out[h] = sum over k of a[k, h] b[k, h]; with one head a plain dot product.
template <typename T>
HWY_INLINE void head_products(const T* a, const T* b, T* out, std::size_t heads, std::size_t size) {
  if (heads == 1) {
    T total = 0;
    const hn::ScalableTag<T> full;
    auto sum = hn::Zero(full);
    std::size_t k = 0;
    for (; k + hn::Lanes(full) <= size; k += hn::Lanes(full)) {
      sum = hn::MulAdd(hn::LoadU(full, a + k), hn::LoadU(full, b + k), sum);
    }
    for (; k < size; ++k) total += a[k] * b[k];
    *out = total + hn::GetLane(hn::SumOfLanes(full, sum));
    return;
  }
  for_columns<T>(0, heads, [&](auto tag, std::size_t h) HWY_ATTR {
    auto sum = hn::Zero(tag);
    for (std::size_t k = 0; k < size; ++k) {
      sum = hn::MulAdd(hn::LoadU(tag, a + k * heads + h), hn::LoadU(tag, b + k * heads + h), sum);
    }
    hn::StoreU(sum, tag, out + h);
  });
}

/// y[k, h] += factor[h] x[k, h].
template <typename T>
HWY_INLINE void add_scaled_heads(const T* factor, const T* x, T* y, std::size_t heads,
                                 std::size_t size) {
  if (heads == 1) {
    for_columns<T>(0, size, [&](auto tag, std::size_t k) HWY_ATTR {
      const auto scaled =
          hn::MulAdd(hn::Set(tag, *factor), hn::LoadU(tag, x + k), hn::LoadU(tag, y + k));
      hn::StoreU(scaled, tag, y + k);
    });
    return;
  }
  for_columns<T>(0, heads, [&](auto tag, std::size_t h) HWY_ATTR {
    const auto scale = hn::LoadU(tag, factor + h);
    for (std::size_t i = h; i < size * heads; i += heads) {
      hn::StoreU(hn::MulAdd(scale, hn::LoadU(tag, x + i), hn::LoadU(tag, y + i)), tag, y + i);
    }
  });
}

/// y[k, h] += factor[h] (x[k, h] - base[k, h]).
template <typename T>
HWY_INLINE void add_scaled_steps(const T* factor, const T* x, const T* base, T* y,
                                 std::size_t heads, std::size_t size) {
  if (heads == 1) {
    for_columns<T>(0, size, [&](auto tag, std::size_t k) HWY_ATTR {
      const auto step = hn::Sub(hn::LoadU(tag, x + k), hn::LoadU(tag, base + k));
      hn::StoreU(hn::MulAdd(hn::Set(tag, *factor), step, hn::LoadU(tag, y + k)), tag, y + k);
    });
    return;
  }
  for_columns<T>(0, heads, [&](auto tag, std::size_t h) HWY_ATTR {
    const auto scale = hn::LoadU(tag, factor + h);
    for (std::size_t i = h; i < size * heads; i += heads) {
      const auto step = hn::Sub(hn::LoadU(tag, x + i), hn::LoadU(tag, base + i));
      hn::StoreU(hn::MulAdd(scale, step, hn::LoadU(tag, y + i)), tag, y + i);
    }
  });
}

template <typename T>
HWY_INLINE void clear(T* values, std::size_t count) {
  for_columns<T>(0, count, [&](auto tag, std::size_t i) HWY_ATTR {
    hn::StoreU(hn::Zero(tag), tag, values + i);
  });
}

template <typename T>
HWY_INLINE void add_to(const T* x, T* y, std::size_t count) {
  for_columns<T>(0, count, [&](auto tag, std::size_t i) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(tag, x + i), hn::LoadU(tag, y + i)), tag, y + i);
  });
}

template <class D, class V = hn::Vec<D>, typename T>
HWY_INLINE V leaky(D tag, V x, T slope) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(tag)), x, hn::Mul(x, hn::Set(tag, slope)));
}

HWY_INLINE std::size_t parent_of(const int* parent, int row) {
  return at(parent == nullptr ? row : parent[row]);
}

template <typename T>
void attention_score_rows(const AttentionArgs<T>& args, Rows rows) {
  const std::size_t heads = at(args.heads);
  const std::size_t size = at(args.size);
  for (int row = rows.begin; row < rows.end; ++row) {
    const T* z = args.z + at(row) * heads * size;
    head_products(z, args.source, args.source_scores + at(row) * heads, heads, size);
    head_products(z, args.target, args.target_scores + at(row) * heads, heads, size);
  }
}

/// alpha of one target's entries: a softmax over them, for all heads at once.
template <typename T>
HWY_INLINE void softmax_entries(const AttentionArgs<T>& args, int begin, int end,
                                const T* target_scores) {
  const std::size_t heads = at(args.heads);
  for_columns<T>(0, heads, [&](auto tag, std::size_t h) HWY_ATTR {
    const auto own = hn::LoadU(tag, target_scores + h);
    auto highest = hn::Set(tag, T(-1e30));
    for (int e = begin; e < end; ++e) {
      const T* score = args.source_scores + at(args.entries.sources[e]) * heads + h;
      const auto raised = leaky(tag, hn::Add(hn::LoadU(tag, score), own), args.slope);
      highest = hn::Max(highest, raised);
      hn::StoreU(raised, tag, args.alpha + at(e) * heads + h);
    }
    auto total = hn::Zero(tag);
    for (int e = begin; e < end; ++e) {
      T* alpha = args.alpha + at(e) * heads + h;
      const auto weight = hn::Set(tag, args.weights == nullptr ? T(1) : T(args.weights[e]));
      const auto power = hn::Mul(weight, hn::Exp(tag, hn::Sub(hn::LoadU(tag, alpha), highest)));
      total = hn::Add(total, power);
      hn::StoreU(power, tag, alpha);
    }
    for (int e = begin; e < end; ++e) {
      T* alpha = args.alpha + at(e) * heads + h;
      hn::StoreU(hn::Div(hn::LoadU(tag, alpha), total), tag, alpha);
    }
  });
}

template <typename T>
void attend_rows(const AttentionArgs<T>& args, Rows rows) {
  const std::size_t heads = at(args.heads);
  const std::size_t size = at(args.size);
  for (int row = rows.begin; row < rows.end; ++row) {
    const int begin = args.entries.offsets[row];
    const int end = args.entries.offsets[row + 1];
    softmax_entries(args, begin, end, args.target_scores + parent_of(args.parent, row) * heads);
    T* y = args.y + at(row) * heads * size;
    clear(y, heads * size);
    if (begin == end) continue;
    const T* first = args.z + at(args.entries.sources[begin]) * heads * size;
    add_to(first, y, heads * size);
    for (int e = begin + 1; e < end; ++e) {
      add_scaled_steps(args.alpha + at(e) * heads,
                       args.z + at(args.entries.sources[e]) * heads * size, first, y, heads, size);
    }
  }
}

template <typename T>
void attend_back_entry_rows(const AttentionBackArgs<T>& args, Rows rows) {
  const std::size_t heads = at(args.heads);
  const std::size_t size = at(args.size);
  for (int row = rows.begin; row < rows.end; ++row) {
    const int begin = args.entries.offsets[row];
    const int end = args.entries.offsets[row + 1];
    const T* dy = args.dy + at(row) * heads * size;
    for (int e = begin; e < end; ++e) {
      head_products(dy, args.z + at(args.entries.sources[e]) * heads * size,
                    args.d_entry + at(e) * heads, heads, size);
    }
    const T* own = args.target_scores + parent_of(args.parent, row) * heads;
    for_columns<T>(0, heads, [&](auto tag, std::size_t h) HWY_ATTR {
      auto mean = hn::Zero(tag);
      for (int e = begin; e < end; ++e) {
        mean = hn::MulAdd(hn::LoadU(tag, args.alpha + at(e) * heads + h),
                          hn::LoadU(tag, args.d_entry + at(e) * heads + h), mean);
      }
      auto total = hn::Zero(tag);
      for (int e = begin; e < end; ++e) {
        T* d_entry = args.d_entry + at(e) * heads + h;
        const T* score = args.source_scores + at(args.entries.sources[e]) * heads + h;
        const auto raw = hn::Add(hn::LoadU(tag, score), hn::LoadU(tag, own + h));
        const auto d = hn::Mul(hn::LoadU(tag, args.alpha + at(e) * heads + h),
                               hn::Sub(hn::LoadU(tag, d_entry), mean));
        const auto through =
            hn::IfThenElse(hn::Gt(raw, hn::Zero(tag)), d, hn::Mul(d, hn::Set(tag, args.slope)));
        total = hn::Add(total, through);
        hn::StoreU(through, tag, d_entry);
      }
      hn::StoreU(total, tag, args.d_target + at(row) * heads + h);
    });
  }
}

template <typename T>
void attend_back_source_rows(const AttentionBackArgs<T>& args, Rows rows) {
  constexpr std::size_t kMostHeads = 256;
  const std::size_t heads = at(args.heads);
  const std::size_t size = at(args.size);
  T as_source[kMostHeads];
  T as_target[kMostHeads];
  for (int row = rows.begin; row < rows.end; ++row) {
    T* dz = args.dz + at(row) * heads * size;
    clear(dz, heads * size);
    clear(as_source, heads);
    clear(as_target, heads);
    for (int use = args.uses.offsets[row]; use < args.uses.offsets[row + 1]; ++use) {
      const std::size_t entry = at(args.use_entries[use]);
      add_scaled_heads(args.alpha + entry * heads,
                       args.dy + at(args.uses.sources[use]) * heads * size, dz, heads, size);
      add_to(args.d_entry + entry * heads, as_source, heads);
    }
    if (args.children.offsets == nullptr) {
      add_to(args.d_target + at(row) * heads, as_target, heads);
    } else {
      for (int i = args.children.offsets[row]; i < args.children.offsets[row + 1]; ++i) {
        add_to(args.d_target + at(args.children.sources[i]) * heads, as_target, heads);
      }
    }
    const T* z = args.z + at(row) * heads * size;
    add_scaled_heads(as_source, args.source, dz, heads, size);
    add_scaled_heads(as_target, args.target, dz, heads, size);
    add_scaled_heads(as_source, z, args.d_source_vector, heads, size);
    add_scaled_heads(as_target, z, args.d_target_vector, heads, size);
  }
}

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
