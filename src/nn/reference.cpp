#include "reference.hpp"

#include <torch/torch.h>

namespace bermuda::nn::reference {

torch::Tensor index_tensor(const std::vector<int>& values, const torch::Tensor& like) {
  return torch::tensor(values, torch::kInt64).to(like.device());
}

torch::Tensor targets_of(const Relation& relation, const torch::Tensor& like) {
  std::vector<int> targets;
  for (int t = 0; t < relation.targets(); ++t) {
    const auto place = static_cast<std::size_t>(t);
    targets.insert(targets.end(),
                   static_cast<std::size_t>(relation.offsets[place + 1] - relation.offsets[place]),
                   t);
  }
  return index_tensor(targets, like);
}

namespace {

torch::Tensor number_tensor(const std::vector<float>& values, const torch::Tensor& like) {
  return torch::tensor(values, torch::kFloat32).to(like.device(), like.scalar_type());
}

torch::Tensor own_rows(const torch::Tensor& x, const Level& level) {
  return level.own ? x.index_select(0, index_tensor(level.own->sources, x)) : x;
}

/// GAT's attention; see AttentionArgs in kernels.hpp.
torch::Tensor attend(const torch::Tensor& z, const torch::Tensor& source,
                     const torch::Tensor& target, const Level& level, double slope) {
  const Relation& relation = *level.neighbours;
  const auto size = source.size(0);
  const auto heads = source.size(1);
  const torch::Tensor by_head = z.view({-1, size, heads});
  const torch::Tensor source_scores = (by_head * source).sum(1);
  const torch::Tensor target_scores = own_rows((by_head * target).sum(1), level);
  const torch::Tensor from = index_tensor(relation.sources, z);
  const torch::Tensor to = targets_of(relation, z);
  const torch::Tensor scores = torch::leaky_relu(
      source_scores.index_select(0, from) + target_scores.index_select(0, to), slope);
  const double highest = scores.numel() > 0 ? scores.detach().max().item<double>() : 0;
  torch::Tensor powers = torch::exp(scores - highest);
  if (!relation.weights.empty()) powers = powers * number_tensor(relation.weights, z).unsqueeze(1);
  const torch::Tensor sums =
      torch::zeros({relation.targets(), heads}, z.options()).index_add(0, to, powers);
  const torch::Tensor alpha = powers / sums.index_select(0, to);
  const torch::Tensor heard = by_head.index_select(0, from) * alpha.unsqueeze(1);
  return torch::zeros({relation.targets(), size, heads}, z.options())
      .index_add(0, to, heard)
      .view({-1, size * heads});
}

}  // namespace

torch::Tensor add_table_rows(const torch::Tensor& x, const torch::Tensor& table,
                             const std::vector<int>& places) {
  const torch::Tensor none = torch::zeros({1, table.size(1)}, table.options());
  std::vector<int> rows = places;
  for (int& row : rows) row = row < 0 ? static_cast<int>(table.size(0)) : row;
  return x + torch::cat({table, none}).index_select(0, index_tensor(rows, table));
}

torch::Tensor aggregate(const torch::Tensor& x, const Relation& relation) {
  torch::Tensor heard = x.index_select(0, index_tensor(relation.sources, x));
  if (!relation.weights.empty()) heard = heard * number_tensor(relation.weights, x).unsqueeze(1);
  return torch::zeros({relation.targets(), x.size(1)}, x.options())
      .index_add(0, targets_of(relation, x), heard);
}

torch::Tensor normalise(const torch::Tensor& z, const NormState& state,
                        const torch::Tensor& residual, const Level& level, Activation activation,
                        bool training) {
  torch::Tensor mean = state.running_mean;
  torch::Tensor variance = state.running_variance;
  if (training && level.rows > 0) {
    const torch::Tensor counts = level.multiplicity.empty()
                                     ? torch::ones({z.size(0)}, z.options())
                                     : number_tensor(level.multiplicity.all(), z);
    const torch::Tensor total = counts.sum();
    mean = torch::matmul(counts, z) / total;
    variance = torch::matmul(counts, (z - mean).square()) / total;
    const torch::NoGradGuard no_grad;
    state.running_mean.mul_(1 - state.momentum).add_(mean * state.momentum);
    const torch::Tensor unbiased = variance * total / torch::clamp_min(total - 1, 1);
    state.running_variance.mul_(1 - state.momentum).add_(unbiased * state.momentum);
  }
  torch::Tensor y = (z - mean) / torch::sqrt(variance + state.epsilon) * state.weight + state.bias;
  if (activation == Activation::kRelu) y = torch::relu(y);
  if (activation == Activation::kElu) y = torch::elu(y);
  return residual.defined() ? y + own_rows(residual, level) : y;
}

torch::Tensor stack(const torch::Tensor& first, const std::vector<StackStep>& steps,
                    const Batch& batch, bool training, std::vector<torch::Tensor>* trace) {
  std::vector<torch::Tensor> pools;
  const auto add_pool = [&](const torch::Tensor& x, const Level& level) {
    if (level.pool) pools.push_back(reference::aggregate(x, *level.pool));
  };
  add_pool(first, batch.levels.front());
  torch::Tensor x = first;
  torch::Tensor began = first;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const StackStep& step = steps[s];
    const Level& level = batch.levels[static_cast<std::size_t>(step.level)];
    if (step.spread != Spread::kNone) began = x;
    torch::Tensor z = torch::mm(x, step.weight.t());
    if (step.spread == Spread::kAttention) {
      z = attend(z, step.source, step.target, level, step.slope);
    } else if (step.spread == Spread::kSumWithSelf) {
      z = (1 + step.eps) * own_rows(z, level) + reference::aggregate(z, *level.neighbours);
    } else if (step.spread == Spread::kSum) {
      z = reference::aggregate(z, *level.neighbours);
    }
    x = reference::normalise(z, step.norm, step.residual ? began : torch::Tensor(), level,
                             step.activation, training);
    if (step.mask.defined()) x = x * step.mask.to(x.device(), x.scalar_type());
    const bool last = s + 1 == steps.size() || steps[s + 1].spread != Spread::kNone;
    if (!last) continue;
    if (trace != nullptr) trace->push_back(x);
    add_pool(x, level);
  }
  return torch::cat(pools, 1);
}

}  // namespace bermuda::nn::reference
