#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <cmath>
#include <numeric>

#include "fused.hpp"
#include "parallel.hpp"

namespace bermuda::nn::fused {
namespace {

double node_count(const Level& level) {
  if (level.multiplicity.empty()) return level.rows;
  return std::accumulate(level.multiplicity.begin(), level.multiplicity.end(), 0.0);
}

/// Fills mean, and deviation = 1 / sqrt(variance + epsilon), from the batch; updates the running
/// statistics.
template <typename T>
void batch_statistics(const torch::Tensor& z, const NormState& state, const Level& level, T* mean,
                      T* deviation) {
  const auto width = static_cast<std::size_t>(z.size(1));
  const double nodes = node_count(level);
  const T* shift = z.data_ptr<T>();
  const std::vector<double> sums = sum_over_rows<T>(level.rows, 2 * width, [&](Rows rows, T* part) {
    column_sums(ColumnSumArgs<T>{.z = z.data_ptr<T>(),
                                 .multiplicity = level.multiplicities(),
                                 .shift = shift,
                                 .first = part,
                                 .second = part + width,
                                 .width = static_cast<int>(width)},
                rows);
  });
  T* running_mean = state.running_mean.data_ptr<T>();
  T* running_variance = state.running_variance.data_ptr<T>();
  for (std::size_t c = 0; c < width; ++c) {
    const double first = sums[c] / nodes;
    const double variance = std::max(0.0, sums[width + c] / nodes - first * first);
    mean[c] = static_cast<T>(static_cast<double>(shift[c]) + first);
    deviation[c] = static_cast<T>(1 / std::sqrt(variance + state.epsilon));
    const double unbiased = nodes > 1 ? variance * nodes / (nodes - 1) : variance;
    running_mean[c] += static_cast<T>(state.momentum) * (mean[c] - running_mean[c]);
    running_variance[c] +=
        static_cast<T>(state.momentum) * (static_cast<T>(unbiased) - running_variance[c]);
  }
}

/// What forward and backward share: rows mean, 1 / deviation, gain = weight / deviation.
template <typename T>
void constants(const torch::Tensor& z, const torch::Tensor& weight, const NormState& state,
               const Level& level, bool training, T* rows) {
  const auto width = static_cast<std::size_t>(z.size(1));
  T* mean = rows;
  T* deviation = rows + width;
  if (training && level.rows > 0) {
    batch_statistics(z, state, level, mean, deviation);
  } else {
    for (std::size_t c = 0; c < width; ++c) {
      mean[c] = state.running_mean.data_ptr<T>()[c];
      deviation[c] = static_cast<T>(
          1 /
          std::sqrt(static_cast<double>(state.running_variance.data_ptr<T>()[c]) + state.epsilon));
    }
  }
  for (std::size_t c = 0; c < width; ++c) {
    rows[2 * width + c] = weight.data_ptr<T>()[c] * deviation[c];
  }
}

struct Normalise : torch::autograd::Function<Normalise> {
  struct Kept {
    Level level;
    Activation activation;
    bool training;
    bool with_residual;
  };

  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& z,
                               const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& residual, const NormState& state,
                               const Level& level, Activation activation, bool training) {
    const torch::Tensor input = z.contiguous();
    const torch::Tensor added = residual.contiguous();
    torch::Tensor rows = at::empty({3, z.size(1)}, z.options());
    torch::Tensor y = at::empty_like(input);
    with_type(input, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      constants<T>(input, weight, state, level, training, rows.data_ptr<T>());
      const NormaliseArgs<T> args{.z = input.data_ptr<T>(),
                                  .mean = rows.data_ptr<T>(),
                                  .gain = rows.data_ptr<T>() + 2 * z.size(1),
                                  .offset = bias.data_ptr<T>(),
                                  .residual = added.numel() > 0 ? added.data_ptr<T>() : nullptr,
                                  .parent = level.parent(),
                                  .y = y.data_ptr<T>(),
                                  .width = static_cast<int>(z.size(1)),
                                  .activation = activation};
      for_rows(level.rows, [&](Rows part) { nn::normalise(args, part); });
    });
    context->save_for_backward({input, bias, rows});
    hold(context, Kept{level, activation, training, residual.numel() > 0});
    return y;
  }

  template <typename T>
  static void run_back(const variable_list& saved, const torch::Tensor& dy, const Kept& kept,
                       variable_list& result) {
    const Level& level = kept.level;
    const auto width = static_cast<std::size_t>(dy.size(1));
    const T* deviation = saved[2].data_ptr<T>() + width;
    NormaliseBackArgs<T> args{.z = saved[0].data_ptr<T>(),
                              .dy = dy.data_ptr<T>(),
                              .mean = saved[2].data_ptr<T>(),
                              .gain = saved[2].data_ptr<T>() + 2 * width,
                              .offset = saved[1].data_ptr<T>(),
                              .multiplicity = level.multiplicities(),
                              .dz = result[0].data_ptr<T>(),
                              .width = static_cast<int>(width),
                              .activation = kept.activation};
    const std::vector<double> sums =
        sum_over_rows<T>(level.rows, 2 * width, [&](Rows rows, T* part) {
          NormaliseBackArgs<T> own = args;
          own.first = part;
          own.second = part + width;
          normalise_sums(own, rows);
        });
    const double nodes = node_count(level);
    std::vector<T> means(2 * width, T(0));
    for (std::size_t c = 0; c < width; ++c) {
      const auto inverse = static_cast<double>(deviation[c]);
      result[1].data_ptr<T>()[c] = static_cast<T>(sums[width + c] * inverse);
      result[2].data_ptr<T>()[c] = static_cast<T>(sums[c]);
      if (!kept.training || nodes == 0) continue;
      means[c] = static_cast<T>(sums[c] / nodes);
      means[width + c] = static_cast<T>(sums[width + c] * inverse * inverse / nodes);
    }
    args.mean_g = means.data();
    args.slope = means.data() + width;
    for_rows(level.rows, [&](Rows part) { normalise_back(args, part); });
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto kept = held<Kept>(context);
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor dy = gradients[0].contiguous();
    variable_list result(8);
    result[0] = at::empty_like(dy);
    result[1] = at::empty({dy.size(1)}, dy.options());
    result[2] = at::empty({dy.size(1)}, dy.options());
    with_type(dy, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      run_back<T>(saved, dy, kept, result);
    });
    if (kept.with_residual) result[3] = sum_children(dy, kept.level);
    return result;
  }
};

}  // namespace

torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training) {
  // Function::apply takes no undefined tensors: an empty one says that nothing is added.
  const torch::Tensor added = residual.defined() ? residual : at::empty({0}, z.options());
  return Normalise::apply(z, state.weight, state.bias, added, state, level, activation, training);
}

}  // namespace bermuda::nn::fused
