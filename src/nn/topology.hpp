#pragma once

#include "bermuda/nn/transformer.hpp"

namespace bermuda::nn {

/// Learned tables and the first vectors of nodes that they give.
class Topology : public torch::nn::Module {
 public:
  Topology(const TopologyOptions& options, Engine engine, Initialiser& initialiser);
  torch::Tensor forward(const Batch& batch, const Network::Pass& pass) const;
  const TopologyShape& shape() const { return shape_; }

 private:
  bool shuffle_;
  Engine engine_;
  TopologyShape shape_;
  torch::Tensor tables_;
};

}  // namespace bermuda::nn
