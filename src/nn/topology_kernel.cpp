#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "topology_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "columns-inl.hpp"
// clang-format on

#include <algorithm>

#include "bermuda/nn/transformer_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {
namespace {

/// sum += factor x.
template <typename T>
HWY_INLINE void add_scaled(T factor, const T* x, std::size_t width, T* sum) {
  for_columns<T>(0, width, [&](auto d, std::size_t c) HWY_ATTR {
    hn::StoreU(hn::MulAdd(hn::Set(d, factor), hn::LoadU(d, x + c), hn::LoadU(d, sum + c)), d,
               sum + c);
  });
}

template <typename T>
HWY_INLINE T product(const T* a, const T* b, std::size_t width) {
  T total = 0;
  for (std::size_t c = 0; c < width; ++c) total += a[c] * b[c];
  return total;
}

/// Row `number` of a table that starts at `offset`; nothing where the number is negative.
template <typename T>
HWY_INLINE T* row_of(T* tables, std::size_t offset, int number, int width) {
  return number < 0 ? nullptr : tables + offset + at(number) * at(width);
}

/// Calls body(vector, gradient's vector, its place among the coefficients, width) for the labels
/// that an entry's coefficients come from.
template <typename T, class Body>
HWY_INLINE void for_labels(const TopologyArgs<T>& args, int entry, const Body& body) {
  const TopologyShape& shape = args.shape;
  const TopologyLayout layout(shape);
  if (shape.edge_width > 0) {
    const int label = args.edge_labels[entry];
    if (label >= 0) {
      const std::size_t place = layout.edge + at(label) * at(shape.edge_width);
      body(place, std::size_t(1), at(shape.edge_width));
    }
  }
  if (shape.node_width > 0) {
    const int label = args.node_labels[args.neighbours.sources[entry]];
    if (label >= 0) {
      const std::size_t place = layout.neighbour + at(label) * at(shape.node_width);
      body(place, std::size_t(1) + at(shape.edge_width), at(shape.node_width));
    }
  }
}

template <typename T>
void embed_topology_rows(const TopologyArgs<T>& args, Rows rows) {
  const TopologyShape& shape = args.shape;
  const TopologyLayout layout(shape);
  const std::size_t width = at(shape.width);
  for (int row = rows.begin; row < rows.end; ++row) {
    T* y = args.y + at(row) * at(shape.columns());
    std::fill_n(y, at(shape.columns()), T(0));
    for (int e = args.neighbours.offsets[row]; e < args.neighbours.offsets[row + 1]; ++e) {
      const T* other =
          row_of(args.tables, 0, args.table_rows[args.neighbours.sources[e]], shape.width);
      if (other == nullptr) continue;
      add_scaled(T(1), other, width, y);
      for_labels(args, e, [&](std::size_t vector, std::size_t first, std::size_t count) HWY_ATTR {
        for (std::size_t i = 0; i < count; ++i) {
          add_scaled(args.tables[vector + i], other, width, y + (first + i) * width);
        }
      });
    }
    y += at(shape.coefficients()) * width;
    if (shape.node_width > 0) {
      const T* label = row_of(args.tables, layout.own, args.node_labels[row], shape.node_width);
      if (label != nullptr) std::copy_n(label, shape.node_width, y);
      y += shape.node_width;
    }
    const T* own = row_of(args.tables, 0, args.table_rows[row], shape.width);
    if (own != nullptr) std::copy_n(own, width, y);
  }
}

template <typename T>
void embed_topology_back_rows(const TopologyArgs<T>& args, Rows rows) {
  const TopologyShape& shape = args.shape;
  const TopologyLayout layout(shape);
  const std::size_t width = at(shape.width);
  for (int row = rows.begin; row < rows.end; ++row) {
    const T* dy = args.dy + at(row) * at(shape.columns());
    for (int e = args.neighbours.offsets[row]; e < args.neighbours.offsets[row + 1]; ++e) {
      const int number = args.table_rows[args.neighbours.sources[e]];
      if (number < 0) continue;
      const T* other = row_of(args.tables, 0, number, shape.width);
      T* d_other = row_of(args.gradients, 0, number, shape.width);
      add_scaled(T(1), dy, width, d_other);
      for_labels(args, e, [&](std::size_t vector, std::size_t first, std::size_t count) HWY_ATTR {
        for (std::size_t i = 0; i < count; ++i) {
          const T* d_part = dy + (first + i) * width;
          add_scaled(args.tables[vector + i], d_part, width, d_other);
          args.gradients[vector + i] += product(other, d_part, width);
        }
      });
    }
    dy += at(shape.coefficients()) * width;
    if (shape.node_width > 0) {
      T* label = row_of(args.gradients, layout.own, args.node_labels[row], shape.node_width);
      if (label != nullptr) add_scaled(T(1), dy, at(shape.node_width), label);
      dy += shape.node_width;
    }
    T* own = row_of(args.gradients, 0, args.table_rows[row], shape.width);
    if (own != nullptr) add_scaled(T(1), dy, width, own);
  }
}

}  // namespace

BERMUDA_KERNEL_TARGETS(embed_topology, TopologyArgs, embed_topology_rows)
BERMUDA_KERNEL_TARGETS(embed_topology_back, TopologyArgs, embed_topology_back_rows)

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
BERMUDA_KERNEL(embed_topology, TopologyArgs)
BERMUDA_KERNEL(embed_topology_back, TopologyArgs)
}  // namespace bermuda::nn
#endif
