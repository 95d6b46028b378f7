#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <memory>

#include "fused.hpp"
#include "parallel.hpp"

namespace bermuda::nn::fused {
namespace {

/// Rows worked on at a time: enough for the matrix products to be worth it, few enough that what
/// lies between them stays in the second-level cache.
constexpr int kBlockRows = 192;

/// Consecutive graphs with at least so many rows together, the last aside.
std::vector<Rows> blocks_of(const Wholes& batch) {
  std::vector<Rows> blocks;
  int begin = 0;
  for (int graph = 0; graph < batch.graphs; ++graph) {
    const int rows = batch.graph_offsets[static_cast<std::size_t>(graph) + 1] -
                     batch.graph_offsets[static_cast<std::size_t>(begin)];
    if (rows < kBlockRows && graph + 1 < batch.graphs) continue;
    blocks.push_back({begin, graph + 1});
    begin = graph + 1;
  }
  return blocks;
}

struct Sizes {
  int rows = 0;     // of the largest block
  int longest = 0;  // most rows that one attends to
};

Sizes sizes_of(const Wholes& batch, const std::vector<Rows>& blocks, bool masked) {
  Sizes sizes;
  for (const Rows block : blocks) {
    sizes.rows =
        std::max(sizes.rows, batch.graph_offsets[static_cast<std::size_t>(block.end)] -
                                 batch.graph_offsets[static_cast<std::size_t>(block.begin)]);
  }
  const std::vector<int>& offsets = masked ? batch.neighbours->offsets : batch.graph_offsets.all();
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    sizes.longest = std::max(sizes.longest, offsets[i + 1] - offsets[i] + (masked ? 1 : 0));
  }
  return sizes;
}

AttentionScope scope_of(const Wholes& batch, bool masked) {
  return {batch.graph_offsets.data(), masked ? batch.neighbours->lists() : RowLists{}};
}

/// to[column][row] = from[row][column].
template <typename T>
void transpose(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      to[column * rows + row] = from[row * columns + column];
    }
  }
}

/// What forward keeps, in the order of EncoderArgs.
template <typename T>
EncoderArgs<T> arguments(const EncoderShape& shape, const Wholes& batch, bool masked,
                         const torch::Tensor& x, const torch::Tensor& weights,
                         const torch::Tensor& kept) {
  EncoderArgs<T> args{.shape = shape,
                      .scope = scope_of(batch, masked),
                      .weights = weights.data_ptr<T>(),
                      .x = x.data_ptr<T>(),
                      .stop = OperatorStop::current()};
  T* next = kept.data_ptr<T>();
  const auto take = [&](int width) {
    T* piece = next;
    next += x.size(0) * width;
    return piece;
  };
  args.qkv = take(3 * shape.width);
  args.softmax = take(2 * shape.heads);
  args.heard = take(shape.width);
  args.normal1 = take(shape.width);
  args.inverse1 = take(1);
  args.hidden = take(shape.hidden);
  args.normal2 = take(shape.width);
  args.inverse2 = take(1);
  return args;
}

std::int64_t kept_columns(const EncoderShape& shape) {
  return 6 * shape.width + 2 * shape.heads + shape.hidden + 2;
}

struct Encode : torch::autograd::Function<Encode> {
  struct Kept {
    EncoderShape shape;
    Wholes batch;
    bool masked;
  };

  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weights, const EncoderShape& shape,
                               const Wholes& batch, bool masked) {
    const torch::Tensor input = x.contiguous();
    const torch::Tensor parameters = weights.contiguous();
    torch::Tensor y = at::empty_like(input);
    torch::Tensor kept = at::empty({x.size(0) * kept_columns(shape)}, x.options());
    torch::Tensor transposed = at::empty({weights.numel()}, x.options());
    const std::vector<Rows> blocks = blocks_of(batch);
    const Sizes sizes = sizes_of(batch, blocks, masked);
    const std::size_t scratch_size = encoder_scratch(shape, sizes.rows, sizes.longest);
    with_type(input, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const EncoderLayout layout(shape);
      const T* from = parameters.data_ptr<T>();
      T* to = transposed.data_ptr<T>();
      const std::int64_t width = shape.width;
      const std::int64_t hidden = shape.hidden;
      transpose(from + layout.qkv, 3 * width, width, to + layout.qkv);
      transpose(from + layout.out, width, width, to + layout.out);
      transpose(from + layout.expand, hidden, width, to + layout.expand);
      transpose(from + layout.contract, width, hidden, to + layout.contract);
      EncoderArgs<T> args = arguments<T>(shape, batch, masked, input, parameters, kept);
      args.transposed = to;
      args.y = y.data_ptr<T>();
      args.longest = sizes.longest;
      at::parallel_for(0, static_cast<std::int64_t>(blocks.size()), 1,
                       [&](std::int64_t begin, std::int64_t end) {
                         const auto scratch = std::make_unique_for_overwrite<T[]>(scratch_size);
                         EncoderArgs<T> own = args;
                         own.scratch = scratch.get();
                         for (std::int64_t i = begin; i < end; ++i) {
                           nn::encode(own, blocks[static_cast<std::size_t>(i)]);
                         }
                       });
    });
    OperatorStop::current().now();
    context->save_for_backward({input, parameters, kept});
    hold(context, Kept{shape, batch, masked});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto given = held<Kept>(context);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor& x = saved[0];
    const torch::Tensor dy = gradients[0].contiguous();
    torch::Tensor dx = at::empty_like(x);
    torch::Tensor d_weights = at::empty_like(saved[1]);
    const std::vector<Rows> blocks = blocks_of(given.batch);
    const Sizes sizes = sizes_of(given.batch, blocks, given.masked);
    const std::size_t scratch_size = encoder_scratch(given.shape, sizes.rows, sizes.longest);
    with_type(x, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      EncoderArgs<T> args =
          arguments<T>(given.shape, given.batch, given.masked, x, saved[1], saved[2]);
      args.dy = dy.data_ptr<T>();
      args.dx = dx.data_ptr<T>();
      args.longest = sizes.longest;
      // Sums in parts of a fixed size, so that the number of threads does not matter.
      constexpr std::size_t kPart = 4;
      const std::size_t parts = (blocks.size() + kPart - 1) / kPart;
      const auto size = static_cast<std::size_t>(d_weights.numel());
      std::vector<T> sums(parts * size, T(0));
      at::parallel_for(0, static_cast<std::int64_t>(parts), 1,
                       [&](std::int64_t begin, std::int64_t end) {
                         const auto scratch = std::make_unique_for_overwrite<T[]>(scratch_size);
                         EncoderArgs<T> own = args;
                         own.scratch = scratch.get();
                         for (auto part = static_cast<std::size_t>(begin);
                              part < static_cast<std::size_t>(end); ++part) {
                           own.gradients = sums.data() + part * size;
                           const std::size_t last = std::min(blocks.size(), (part + 1) * kPart);
                           for (std::size_t i = part * kPart; i < last; ++i)
                             nn::encode_back(own, blocks[i]);
                         }
                       });
      T* total = d_weights.data_ptr<T>();
      std::fill_n(total, size, T(0));
      for (std::size_t part = 0; part < parts; ++part) {
        const T* values = sums.data() + part * size;
        for (std::size_t i = 0; i < size; ++i) total[i] += values[i];
      }
    });
    OperatorStop::current().now();
    variable_list result(5);
    result[0] = dx;
    result[1] = d_weights;
    return result;
  }
};

}  // namespace

torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& weights,
                     const EncoderShape& shape, const Batch& batch, bool masked) {
  return Encode::apply(x, weights, shape, Wholes(batch), masked);
}

}  // namespace bermuda::nn::fused
