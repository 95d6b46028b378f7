#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include "bermuda/core/index.hpp"
#include "fused.hpp"

namespace bermuda::nn::fused {
namespace {

/// LibTorch's index_select() takes a microsecond per row on the way back.
struct AddTableRows : torch::autograd::Function<AddTableRows> {
  struct Kept {
    std::vector<int> places;
    std::int64_t rows;
  };

  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& table, const std::vector<int>& places) {
    const torch::Tensor from = x.contiguous();
    const torch::Tensor rows = table.contiguous();
    const auto width = at(static_cast<int>(x.size(1)));
    torch::Tensor result = at::empty_like(from);
    with_type(from, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const std::vector<T> none(width, T(0));
      for (std::size_t i = 0; i < places.size(); ++i) {
        const T* given = from.data_ptr<T>() + i * width;
        const T* added = places[i] < 0 ? none.data() : rows.data_ptr<T>() + at(places[i]) * width;
        T* sum = result.data_ptr<T>() + i * width;
        for (std::size_t c = 0; c < width; ++c) sum[c] = given[c] + added[c];
      }
    });
    hold(context, Kept{places, table.size(0)});
    return result;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto kept = held<Kept>(context);
    const torch::Tensor dy = gradients[0].contiguous();
    const auto width = at(static_cast<int>(dy.size(1)));
    torch::Tensor sums = at::zeros({kept.rows, dy.size(1)}, dy.options());
    with_type(dy, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      for (std::size_t i = 0; i < kept.places.size(); ++i) {
        if (kept.places[i] < 0) continue;
        const T* added = dy.data_ptr<T>() + i * width;
        T* sum = sums.data_ptr<T>() + at(kept.places[i]) * width;
        for (std::size_t c = 0; c < width; ++c) sum[c] += added[c];
      }
    });
    return {dy, sums, torch::Tensor()};
  }
};

}  // namespace

torch::Tensor add_table_rows(const torch::Tensor& x, const torch::Tensor& table,
                             const std::vector<int>& places) {
  return AddTableRows::apply(x, table, places);
}

}  // namespace bermuda::nn::fused
