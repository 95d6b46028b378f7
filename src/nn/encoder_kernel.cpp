#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "encoder_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "dot_attention-inl.hpp"
#include "layer_norm-inl.hpp"
#include "matmul-inl.hpp"
// clang-format on

#include <algorithm>

#include "bermuda/nn/transformer_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

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
  if (rows == 0) return;  // graphs without nodes: some of the arrays are not there
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
  if (rows == 0) return;  // graphs without nodes: some of the arrays are not there
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
