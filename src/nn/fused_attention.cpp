#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "fused.hpp"
#include "parallel.hpp"

namespace bermuda::nn::fused {
namespace {

struct Attend : torch::autograd::Function<Attend> {
  struct Kept {
    Level level;
    double slope;
  };

  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& z,
                               const torch::Tensor& source, const torch::Tensor& target,
                               const Level& level, double slope) {
    const Relation& relation = *level.neighbours;
    const torch::Tensor input = z.contiguous();
    const auto heads = source.size(1);
    torch::Tensor y = at::empty({level.rows, z.size(1)}, z.options());
    torch::Tensor scores = at::empty({2, z.size(0), heads}, z.options());
    torch::Tensor alpha = at::empty({relation.entries(), heads}, z.options());
    with_type(z, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const AttentionArgs<T> args{
          .z = input.data_ptr<T>(),
          .source = source.data_ptr<T>(),
          .target = target.data_ptr<T>(),
          .source_scores = scores.data_ptr<T>(),
          .target_scores = scores.data_ptr<T>() + z.size(0) * heads,
          .entries = relation.lists(),
          .weights = relation.weights.empty() ? nullptr : relation.weights.data(),
          .parent = level.parent(),
          .alpha = alpha.data_ptr<T>(),
          .y = y.data_ptr<T>(),
          .slope = static_cast<T>(slope),
          .heads = static_cast<int>(heads),
          .size = static_cast<int>(source.size(0))};
      for_rows(static_cast<int>(z.size(0)), [&](Rows part) { attention_scores(args, part); });
      for_rows(level.rows, [&](Rows part) { nn::attend(args, part); });
    });
    context->save_for_backward({input, source, target, scores, alpha});
    hold(context, Kept{level, slope});
    return y;
  }

  template <typename T>
  static variable_list run_back(const variable_list& saved, const torch::Tensor& dy,
                                const Level& level, double slope) {
    const Relation& relation = *level.neighbours;
    const torch::Tensor& z = saved[0];
    const torch::Tensor& source = saved[1];
    const auto heads = source.size(1);
    const auto width = static_cast<std::size_t>(z.size(1));
    torch::Tensor dz = at::empty_like(z);
    torch::Tensor d_vectors = at::empty({2, source.size(0), heads}, z.options());
    torch::Tensor d_entry = at::empty({relation.entries(), heads}, z.options());
    torch::Tensor d_target = at::empty({level.rows, heads}, z.options());
    AttentionBackArgs<T> args{.z = z.data_ptr<T>(),
                              .dy = dy.data_ptr<T>(),
                              .source = source.data_ptr<T>(),
                              .target = saved[2].data_ptr<T>(),
                              .source_scores = saved[3].data_ptr<T>(),
                              .target_scores = saved[3].data_ptr<T>() + z.size(0) * heads,
                              .alpha = saved[4].data_ptr<T>(),
                              .entries = relation.lists(),
                              .parent = level.parent(),
                              .uses = relation.back_lists(),
                              .use_entries = relation.back_entries.data(),
                              .children = level.children(),
                              .d_entry = d_entry.data_ptr<T>(),
                              .d_target = d_target.data_ptr<T>(),
                              .dz = dz.data_ptr<T>(),
                              .slope = static_cast<T>(slope),
                              .heads = static_cast<int>(heads),
                              .size = static_cast<int>(source.size(0))};
    for_rows(level.rows, [&](Rows part) { attend_back_entries(args, part); });
    const std::vector<double> sums =
        sum_over_rows<T>(static_cast<int>(z.size(0)), 2 * width, [&](Rows rows, T* part) {
          AttentionBackArgs<T> own = args;
          own.d_source_vector = part;
          own.d_target_vector = part + width;
          attend_back_sources(own, rows);
        });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      d_vectors.data_ptr<T>()[i] = static_cast<T>(sums[i]);
    }
    return {dz, d_vectors[0], d_vectors[1], torch::Tensor(), torch::Tensor()};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto kept = held<Kept>(context);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor dy = gradients[0].contiguous();
    variable_list result;
    with_type(dy, [&](auto* type) {
      result = run_back<std::remove_pointer_t<decltype(type)>>(saved, dy, kept.level, kept.slope);
    });
    return result;
  }
};

}  // namespace

torch::Tensor attend(const torch::Tensor& z, const torch::Tensor& source,
                     const torch::Tensor& target, const Level& level, double slope) {
  return Attend::apply(z, source, target, level, slope);
}

}  // namespace bermuda::nn::fused
