#include "stack_plan.hpp"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "bermuda/core/index.hpp"

namespace bermuda::nn::fused {
namespace {

int round_up(int number, int step) { return (number + step - 1) / step * step; }

/// heads, rounded up to a divisor or a multiple of kHeadLanes.
int allowed_heads(int heads) {
  if (heads >= HeadShape::kHeadLanes) return round_up(heads, HeadShape::kHeadLanes);
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(heads)));
}

/// Of each block of rows of one side: one more than the last block of the other side that it or any
/// block before it has to do with.
std::vector<int> blocks_needed(int rows, const std::vector<int>& offsets,
                               const std::vector<int>& others, const int* own) {
  std::vector<int> needed;
  int last = -1;
  for (int block = 0; block < block_count(rows); ++block) {
    const Rows part = block_rows(block, rows);
    const auto begin = others.begin() + offsets[at(part.begin)];
    const auto end = others.begin() + offsets[at(part.end)];
    if (begin != end) last = std::max(last, *std::max_element(begin, end));
    for (int row = part.begin; row < part.end; ++row) {
      last = std::max(last, own == nullptr ? row : own[row]);
    }
    needed.push_back(last / kStackRows + 1);
  }
  return needed;
}

int heads_of(const std::vector<StackStep>& steps) {
  int heads = 1;
  for (const StackStep& step : steps) {
    if (step.source.defined()) heads = std::max(heads, static_cast<int>(step.source.size(1)));
  }
  return heads;
}

torch::Tensor padded_mask(const torch::Tensor& mask, const ColumnLayout& columns) {
  if (!mask.defined()) return mask;
  torch::Tensor padded = at::zeros({mask.size(0), columns.stride()}, mask.options());
  for (int c = 0; c < columns.width(); ++c) {
    padded.select(1, static_cast<std::int64_t>(columns.place(c))).copy_(mask.select(1, c));
  }
  return padded;
}

}  // namespace

BlockOrder block_order(const Level& level, int source_rows, bool way_back) {
  const Relation& relation = *level.neighbours;
  BlockOrder order;
  const std::vector<int> needed =
      blocks_needed(level.rows, relation.offsets, relation.sources, level.parent());
  for (int block = 0; block < block_count(source_rows); ++block) {
    const auto ready = std::upper_bound(needed.begin(), needed.end(), block + 1);
    order.ready.push_back(static_cast<int>(ready - needed.begin()));
  }
  if (!way_back) return order;
  std::vector<int> last_child;
  if (level.own) {
    last_child.resize(at(source_rows), -1);
    for (int row = 0; row < level.rows; ++row) last_child[at(level.own->sources[at(row)])] = row;
  }
  order.wanted = blocks_needed(source_rows, relation.back_offsets, relation.back_targets,
                               level.own ? last_child.data() : nullptr);
  return order;
}

ColumnLayout::ColumnLayout(int width, int heads)
    : width_(width),
      heads_(heads),
      lanes_(allowed_heads(heads)),
      used_(width / heads * lanes_),
      stride_(round_up(used_, std::max(lanes_, HeadShape::kHeadLanes))) {}

StackPlan::StackPlan(const torch::Tensor& x, const std::vector<StackStep>& given,
                     const Batch& batch, bool is_training, bool with_way_back)
    : columns(static_cast<int>(x.size(1)), heads_of(given)),
      graphs(batch.graphs),
      training(is_training),
      keep(with_way_back) {
  std::map<const Relation*, std::shared_ptr<const BlockOrder>> orders;
  int rows = static_cast<int>(x.size(0));
  int layer = 0;
  for (std::size_t s = 0; s < given.size(); ++s) {
    const StackStep& step = given[s];
    StepPlan plan{.spread = step.spread, .level = batch.levels[at(step.level)]};
    plan.input_rows = rows;
    rows = plan.level.rows;
    if (step.spread != Spread::kNone) layer = static_cast<int>(s);
    plan.layer = layer;
    plan.activation = step.activation;
    plan.residual = step.residual;
    plan.slope = step.slope;
    plan.single_head = !step.source.defined() || step.source.size(1) == 1;
    plan.mask = padded_mask(step.mask, columns);
    const SharedArray<float>& nodes = plan.level.multiplicity;
    plan.nodes = nodes.empty() ? rows : std::accumulate(nodes.begin(), nodes.end(), 0.0);
    if (step.spread != Spread::kNone) {
      plan.input_pool = batch.levels[at(step.level) - 1].pool;
      auto& order = orders[plan.level.neighbours.get()];
      if (!order) {
        order = std::make_shared<const BlockOrder>(block_order(plan.level, plan.input_rows, keep));
      }
      plan.order = order;
    }
    steps.push_back(std::move(plan));
  }
  int end = steps_count();
  for (int s = steps_count() - 1; s >= 0; --s) {
    StepPlan& step = steps[at(s)];
    step.end = end;
    if (s + 1 == end) step.pool = step.level.pool;
    if (step.layer == s) end = s;
  }
}

int StackPlan::pools() const {
  int count = steps.front().input_pool ? 1 : 0;
  for (const StepPlan& step : steps) count += step.pool ? 1 : 0;
  return count;
}

}  // namespace bermuda::nn::fused
