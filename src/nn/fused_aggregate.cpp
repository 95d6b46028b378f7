#include <ATen/ops/dot.h>
#include <ATen/ops/empty.h>

#include "fused.hpp"
#include "parallel.hpp"

namespace bermuda::nn::fused {
namespace {

/// One sweep, forward or back: `lists` and `weights` say which.
torch::Tensor sweep(const torch::Tensor& x, int rows, RowLists lists, const float* weights,
                    RowLists own = {}, const torch::Tensor& self = {}, bool average = false) {
  torch::Tensor y = at::empty({rows, x.size(1)}, x.options());
  with_type(x, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    AggregateArgs<T> args{.entries = lists,
                          .weights = weights,
                          .own = own,
                          .self_weight = self.defined() ? self.data_ptr<T>() : nullptr,
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
                 data_or_null(relation->weights), {}, {}, relation->average);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto relation = held<std::shared_ptr<const Relation>>(context);
    return {sweep(gradients[0].contiguous(), relation->source_count(), relation->back_lists(),
                  data_or_null(relation->back_weights)),
            torch::Tensor()};
  }
};

struct AggregateWithSelf : torch::autograd::Function<AggregateWithSelf> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& self, const Level& level) {
    hold(context, level);
    context->save_for_backward({x, self});
    return sweep(x.contiguous(), level.rows, level.neighbours->lists(),
                 data_or_null(level.neighbours->weights), level.own_lists(), self);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto level = held<Level>(context);
    const Relation& relation = *level.neighbours;
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor dy = gradients[0].contiguous();
    const torch::Tensor dx = sweep(dy, relation.source_count(), relation.back_lists(),
                                   data_or_null(relation.back_weights), level.children(), saved[1]);
    const torch::Tensor own = sum_children(dy, level);
    const torch::Tensor d_self = at::dot(own.view(-1), saved[0].contiguous().view(-1)).view({1});
    return {dx, d_self, torch::Tensor()};
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

torch::Tensor aggregate_with_self(const torch::Tensor& x, const torch::Tensor& self,
                                  const Level& level) {
  return AggregateWithSelf::apply(x, self, level);
}

}  // namespace bermuda::nn::fused
