#pragma once

#include "bermuda/nn/transformer.hpp"

namespace bermuda::nn {

/// Learned tables and the first vectors of nodes that they give.
class Topology : public torch::nn::Module {
 public:
  Topology(const TopologyOptions& options, Engine engine, Initialiser& initialiser);
  torch::Tensor forward(const Batch& batch, const Network::Pass& pass);
  const TopologyShape& shape() const { return shape_; }

 private:
  torch::Tensor spread_tables() const;

  bool shuffle_;
  double first_spread_;
  int spread_epochs_;
  Engine engine_;
  TopologyShape shape_;
  torch::Tensor tables_;
  torch::Tensor spread_;  // a buffer: kept with the weights that were trained with it
};

}  // namespace bermuda::nn
