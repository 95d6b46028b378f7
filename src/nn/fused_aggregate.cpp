#include <ATen/ops/empty.h>

#include "fused.hpp"
#include "parallel.hpp"

namespace bermuda::nn::fused {
namespace {

/// One sweep, forward or back: `lists` and `weights` say which.
torch::Tensor sweep(const torch::Tensor& x, int rows, RowLists lists, const float* weights,
                    bool average = false) {
  torch::Tensor y = at::empty({rows, x.size(1)}, x.options());
  with_type(x, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    AggregateArgs<T> args{.entries = lists,
                          .weights = weights,
                          .x = x.data_ptr<T>(),
                          .y = y.data_ptr<T>(),
                          .width = static_cast<int>(x.size(1)),
                          .average = average};
    for_rows(rows, [&](Rows part) { nn::aggregate(args, part); });
  });
  return y;
}

const float* data_or_null(const std::vector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

struct Aggregate : torch::autograd::Function<Aggregate> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const std::shared_ptr<const Relation>& relation) {
    hold(context, relation);
    return sweep(x.contiguous(), relation->targets(), relation->lists(),
                 data_or_null(relation->weights), relation->average);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto relation = held<std::shared_ptr<const Relation>>(context);
    return {sweep(gradients[0].contiguous(), relation->source_count(), relation->back_lists(),
                  data_or_null(relation->back_weights)),
            torch::Tensor()};
  }
};

}  // namespace

torch::Tensor sum_children(const torch::Tensor& dy, const Level& level) {
  if (!level.own) return dy;
  return sweep(dy, level.own->source_count(), level.own->back_lists(), nullptr);
}

torch::Tensor aggregate(const torch::Tensor& x, const std::shared_ptr<const Relation>& relation) {
  return Aggregate::apply(x, relation);
}

}  // namespace bermuda::nn::fused
