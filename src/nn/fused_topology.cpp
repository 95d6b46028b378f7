#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "fused.hpp"
#include "parallel.hpp"

namespace bermuda::nn::fused {
namespace {

template <typename T>
TopologyArgs<T> arguments(const torch::Tensor& tables, const torch::Tensor& table_rows,
                          const TopologyShape& shape, const Wholes& batch) {
  return {.shape = shape,
          .tables = tables.data_ptr<T>(),
          .table_rows = table_rows.data_ptr<int>(),
          .node_labels = batch.node_labels.data(),
          .edge_labels = batch.edge_labels.data(),
          .neighbours = batch.neighbours->lists()};
}

struct EmbedTopology : torch::autograd::Function<EmbedTopology> {
  struct Kept {
    TopologyShape shape;
    Wholes batch;
  };

  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& tables,
                               const torch::Tensor& table_rows, const TopologyShape& shape,
                               const Wholes& batch) {
    const torch::Tensor input = tables.contiguous();
    torch::Tensor y = at::empty({batch.nodes, shape.columns()}, tables.options());
    with_type(tables, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      auto args = arguments<T>(input, table_rows, shape, batch);
      args.y = y.data_ptr<T>();
      for_rows(batch.nodes, [&](Rows part) { nn::embed_topology(args, part); });
    });
    context->save_for_backward({input, table_rows});
    hold(context, Kept{shape, batch});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto kept = held<Kept>(context);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor dy = gradients[0].contiguous();
    torch::Tensor result = at::empty_like(saved[0]);
    with_type(dy, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      auto args = arguments<T>(saved[0], saved[1], kept.shape, kept.batch);
      args.dy = dy.data_ptr<T>();
      const std::vector<double> sums = sum_over_rows<T>(
          kept.batch.nodes, static_cast<std::size_t>(result.numel()), [&](Rows rows, T* part) {
            TopologyArgs<T> own = args;
            own.gradients = part;
            embed_topology_back(own, rows);
          });
      for (std::size_t i = 0; i < sums.size(); ++i) {
        result.data_ptr<T>()[i] = static_cast<T>(sums[i]);
      }
    });
    return {result, torch::Tensor(), torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor embed_topology(const torch::Tensor& tables, const TopologyShape& shape,
                             const torch::Tensor& table_rows, const Batch& batch) {
  return EmbedTopology::apply(tables, table_rows, shape, Wholes(batch));
}

}  // namespace bermuda::nn::fused
