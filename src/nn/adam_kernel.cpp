#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "adam_kernel.cpp"
// clang-format off
#include "kernel_targets.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "columns-inl.hpp"
// clang-format on

#include "bermuda/nn/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bermuda::nn::HWY_NAMESPACE {

namespace {

template <typename T>
void step_all(const AdamArgs<T>& args, std::size_t count) {
  for_columns<T>(0, count, [&](auto tag, std::size_t i) HWY_ATTR {
    const auto parameter = hn::LoadU(tag, args.parameters + i);
    const auto gradient =
        hn::MulAdd(hn::Set(tag, args.weight_decay), parameter, hn::LoadU(tag, args.gradients + i));
    const auto first = hn::MulAdd(hn::Set(tag, args.beta1), hn::LoadU(tag, args.first + i),
                                  hn::Mul(hn::Set(tag, 1 - args.beta1), gradient));
    const auto second =
        hn::MulAdd(hn::Set(tag, args.beta2), hn::LoadU(tag, args.second + i),
                   hn::Mul(hn::Mul(hn::Set(tag, 1 - args.beta2), gradient), gradient));
    const auto scale = hn::MulAdd(hn::Sqrt(second), hn::Set(tag, 1 / args.correction2),
                                  hn::Set(tag, args.epsilon));
    const auto rate = hn::Set(tag, -args.learning_rate / args.correction1);
    const auto kept = hn::Mul(hn::Set(tag, args.shrink), parameter);
    hn::StoreU(hn::MulAdd(rate, hn::Div(first, scale), kept), tag, args.parameters + i);
    hn::StoreU(first, tag, args.first + i);
    hn::StoreU(second, tag, args.second + i);
  });
}

}  // namespace

void adam_stepF32(const AdamArgs<float>& args, std::size_t count) { step_all(args, count); }
void adam_stepF64(const AdamArgs<double>& args, std::size_t count) { step_all(args, count); }

}  // namespace bermuda::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bermuda::nn {
HWY_EXPORT(adam_stepF32);
HWY_EXPORT(adam_stepF64);
void adam_step(const AdamArgs<float>& args, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(adam_stepF32)(args, count);
}
void adam_step(const AdamArgs<double>& args, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(adam_stepF64)(args, count);
}
}  // namespace bermuda::nn
#endif
