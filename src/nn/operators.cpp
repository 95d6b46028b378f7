#include "bermuda/nn/operators.hpp"

#include "fused.hpp"
#include "reference.hpp"

namespace bermuda::nn {

torch::Tensor aggregate(const torch::Tensor& x, const std::shared_ptr<const Relation>& relation,
                        Engine engine) {
  return engine == Engine::kFused ? fused::aggregate(x, relation)
                                  : reference::aggregate(x, *relation);
}

torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training, Engine engine) {
  return engine == Engine::kFused
             ? fused::normalise(z, state, residual, level, activation, training)
             : reference::normalise(z, state, residual, level, activation, training);
}

torch::Tensor add_table_rows(const torch::Tensor& x, const torch::Tensor& table,
                             const std::vector<int>& places, Engine engine) {
  return engine == Engine::kFused ? fused::add_table_rows(x, table, places)
                                  : reference::add_table_rows(x, table, places);
}

torch::Tensor stack(const torch::Tensor& x, const std::vector<StackStep>& steps, const Batch& batch,
                    bool training, Engine engine, std::vector<torch::Tensor>* trace) {
  return engine == Engine::kFused ? fused::stack(x, steps, batch, training, trace)
                                  : reference::stack(x, steps, batch, training, trace);
}

torch::Tensor embed_topology(const torch::Tensor& tables, const TopologyShape& shape,
                             const torch::Tensor& table_rows, const Batch& batch, Engine engine) {
  return engine == Engine::kFused ? fused::embed_topology(tables, shape, table_rows, batch)
                                  : reference::embed_topology(tables, shape, table_rows, batch);
}

torch::Tensor encode(const torch::Tensor& x, const torch::Tensor& weights,
                     const EncoderShape& shape, const Batch& batch, bool masked, Engine engine) {
  return engine == Engine::kFused ? fused::encode(x, weights, shape, batch, masked)
                                  : reference::encode(x, weights, shape, batch, masked);
}

}  // namespace bermuda::nn
