#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <torch/version.h>

#include "fused.hpp"

namespace bermuda::nn::fused {
namespace {

/// Whether nobody else can see this gradient. LibTorch 1 keeps a second handle during backward().
bool is_ours(const torch::Tensor& gradient) {
  constexpr std::size_t kHandles = TORCH_VERSION_MAJOR < 2 ? 2 : 1;
  return gradient.is_contiguous() && gradient.use_count() <= kHandles &&
         gradient.storage().use_count() == 1;
}

void add_product(torch::Tensor& sum, const torch::Tensor& d_product, const torch::Tensor& weight) {
  if (!d_product.defined() || weight.numel() == 0) return;
  if (sum.defined()) {
    sum.addmm_(d_product, weight);
  } else {
    sum = at::mm(d_product, weight);
  }
}

torch::Tensor weight_gradient(const torch::Tensor& d_product, const torch::Tensor& x,
                              const torch::Tensor& weight) {
  if (!d_product.defined() || weight.numel() == 0) return {};
  return at::mm(d_product.t(), x);
}

struct Fork : torch::autograd::Function<Fork> {
  static variable_list forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& first, const torch::Tensor& second) {
    context->set_materialize_grads(false);
    context->save_for_backward({x, first, second});
    const bool two = second.numel() > 0;
    return {at::mm(x, first.t()), two ? at::mm(x, second.t()) : at::empty({0}, x.options()), x};
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    torch::Tensor dx;
    if (gradients[2].defined()) {
      dx = is_ours(gradients[2]) ? gradients[2] : gradients[2].clone();
    }
    add_product(dx, gradients[0], saved[1]);
    add_product(dx, gradients[1], saved[2]);
    return {dx, weight_gradient(gradients[0], saved[0], saved[1]),
            weight_gradient(gradients[1], saved[0], saved[2])};
  }
};

}  // namespace

Forked fork(const torch::Tensor& x, const torch::Tensor& first, const torch::Tensor& second) {
  variable_list made =
      Fork::apply(x, first, second.defined() ? second : at::empty({0}, x.options()));
  return {made[0], second.defined() ? made[1] : torch::Tensor(), made[2]};
}

}  // namespace bermuda::nn::fused
