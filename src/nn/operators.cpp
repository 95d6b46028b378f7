#include "bermuda/nn/operators.hpp"

#include "fused.hpp"
#include "reference.hpp"

namespace bermuda::nn {

Forked fork(const torch::Tensor& x, const torch::Tensor& first, const torch::Tensor& second,
            Engine engine) {
  return engine == Engine::kFused ? fused::fork(x, first, second)
                                  : reference::fork(x, first, second);
}

torch::Tensor aggregate(const torch::Tensor& x, const Relation& relation, Engine engine) {
  return engine == Engine::kFused ? fused::aggregate(x, relation)
                                  : reference::aggregate(x, relation);
}

torch::Tensor aggregate_with_self(const torch::Tensor& x, const torch::Tensor& self,
                                  const Level& level, Engine engine) {
  return engine == Engine::kFused ? fused::aggregate_with_self(x, self, level)
                                  : reference::aggregate_with_self(x, self, level);
}

torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training, Engine engine) {
  return engine == Engine::kFused
             ? fused::normalise(z, state, residual, level, activation, training)
             : reference::normalise(z, state, residual, level, activation, training);
}

torch::Tensor attend(const torch::Tensor& z, const torch::Tensor& source,
                     const torch::Tensor& target, const Level& level, double slope, Engine engine) {
  return engine == Engine::kFused ? fused::attend(z, source, target, level, slope)
                                  : reference::attend(z, source, target, level, slope);
}

}  // namespace bermuda::nn
