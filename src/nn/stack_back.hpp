#pragma once

#include "stack_run.hpp"

namespace bermuda::nn::fused {

/// Gradients of a step's parameters, in a stack's padded columns.
template <typename T>
struct StepGradients {
  std::vector<Buffer<T>> weight;  ///< parts of [output columns, stride] that add up
  std::vector<double> norm_weight;
  std::vector<double> norm_bias;
  std::vector<double> vectors;  ///< of attention: source, then target; else empty
  bool with_self = false;
  double self = 0;
};

/// The way back, in sweeps like those of the way there. A sweep of step s goes from dx(s + 1) to
/// dx(s) and takes the sums that the normalisation of the step before will want while it is there.
template <typename T>
class StackBack : StackRun<T> {
 public:
  StackBack(const StackPlan& plan, const std::vector<StepNumbers<T>>& given, T* kept)
      : StackRun<T>(plan, given, kept) {
    int most = 0;
    for (const StepPlan& each : plan.steps) {
      most = std::max({most, each.input_rows, each.level.rows});
    }
    for (Buffer<T>& dz : dz_) dz = Buffer<T>(row(most));
    for (Buffer<T>& dx : dx_) dx = Buffer<T>(row(most));
  }

  /// d_pools has the gradients of the pools in their order, [graphs, stride] each; gradients(s, of
  /// step s) is called from the last step to the first. Returns dx(0).
  template <class Gradients>
  const T* run(const std::vector<const T*>& d_pools, const Gradients& gradients) {
    int pools = static_cast<int>(d_pools.size());
    const auto next_pool = [&] { return d_pools[at(--pools)]; };
    const int last = plan_.steps_count() - 1;
    BlockSums sums = begin(last, step(last).pool ? next_pool() : nullptr);
    for (int s = last; s >= 0; --s) {
      StepGradients<T> own;
      const T* d_pool = step(s).input_pool ? next_pool() : nullptr;
      sums = sweep(s, sums.total(), d_pool, own);
      gradients(s, own);
    }
    return dx(0);
  }

 private:
  using StackRun<T>::plan_;
  using StackRun<T>::stride_;
  using StackRun<T>::x;
  using StackRun<T>::y;
  using StackRun<T>::z;
  using StackRun<T>::step;
  using StackRun<T>::row;
  using StackRun<T>::numbers;
  using BlockSums = typename StackRun<T>::BlockSums;

  /// What dx(s) is made of lives until dx(s - 2) is there.
  T* dx(int s) const { return dx_[s % 3].data(); }
  /// While a step's is in use, that of the step before is prepared.
  T* dz(int s) const { return dz_[s % 2].data(); }

  NormaliseBackArgs<T> norm_args(int s) const {
    return {.z = z(s),
            .dy = dx(s + 1),
            .mean = this->mean(s),
            .gain = this->gain(s),
            .offset = numbers(s).norm_bias,
            .multiplicity = step(s).level.multiplicities(),
            .dz = dz(s),
            .width = stride_,
            .activation = step(s).activation};
  }

  /// dx(s + 1), of the rows that step s has made, is complete: its mask, and sums for its norm.
  void finish_rows(int s, Rows rows, T* sums) const {
    if (s < 0) return;
    this->apply_mask(step(s).mask, dx(s + 1), rows);
    NormaliseBackArgs<T> args = norm_args(s);
    args.first = sums;
    args.second = sums + stride_;
    normalise_sums(args, rows);
  }

  void from_pool(const Relation& pool, const T* d_pool, T* to, Rows rows) const {
    aggregate(AggregateArgs<T>{.entries = pool.back_lists(),
                               .weights = this->weights_of(pool.back_weights),
                               .x = d_pool,
                               .y = to,
                               .width = stride_},
              rows);
  }

  BlockSums begin(int last, const T* d_pool) const {
    const int rows = step(last).level.rows;
    BlockSums sums(block_count(rows), 2 * stride_);
    this->each(block_count(rows), [&](int block) {
      const Rows part = block_rows(block, rows);
      if (d_pool != nullptr) {
        from_pool(*step(last).pool, d_pool, dx(last + 1), part);
      } else {
        std::fill(dx(last + 1) + row(part.begin), dx(last + 1) + row(part.end), T(0));
      }
      finish_rows(last, part, sums.of(block));
    });
    return sums;
  }

  AttentionBackArgs<T> attention(int s) const {
    const StepPlan& plan = step(s);
    const Relation& relation = *plan.level.neighbours;
    return {.shape = this->heads(s),
            .z = y(s),
            .dy = dz(s),
            .source = numbers(s).source,
            .target = numbers(s).target,
            .source_scores = this->source_scores(s),
            .target_scores = this->target_scores(s),
            .alpha = this->alpha(s),
            .entries = relation.lists(),
            .parent = plan.level.parent(),
            .uses = relation.back_lists(),
            .use_entries = relation.back_entries.data(),
            .children = plan.level.children(),
            .d_entry = d_entry_.data(),
            .d_target = d_target_.data(),
            .slope = static_cast<T>(plan.slope)};
  }

  /// The gradient of what rows said, from that of what was heard: where it is in memory.
  const T* unspread(int s, Rows rows, T* room, T* vectors) const {
    const StepPlan& plan = step(s);
    if (plan.spread == Spread::kNone) return dz(s) + row(rows.begin);
    if (plan.spread == Spread::kAttention) {
      AttentionBackArgs<T> args = attention(s);
      args.dz = room;
      args.first_row = rows.begin;
      args.d_source_vector = vectors;
      args.d_target_vector = vectors + stride_;
      attend_back_sources(args, rows);
      return room;
    }
    const Relation& relation = *plan.level.neighbours;
    const bool with_self = plan.spread == Spread::kSumWithSelf;
    aggregate(AggregateArgs<T>{.entries = relation.back_lists(),
                               .weights = this->weights_of(relation.back_weights),
                               .own = plan.level.children(),
                               .self_weight = with_self ? &numbers(s).self : nullptr,
                               .x = dz(s),
                               .y = room,
                               .width = stride_,
                               .first_row = rows.begin},
              rows);
    return room;
  }

  /// What dx(s) has besides the product: of a pool and of the residual of the layer that begins
  /// with step s. Returns where it is; nullptr: nothing.
  const T* beside(int s, Rows rows, const T* d_pool) const {
    const StepPlan& plan = step(s);
    if (d_pool != nullptr) from_pool(*plan.input_pool, d_pool, dx(s), rows);
    const bool residual = plan.layer == s && step(plan.end - 1).residual;
    if (!residual) return d_pool == nullptr ? nullptr : dx(s);
    const T* made = dx(plan.end);
    if (d_pool == nullptr && !plan.level.own) return made;
    aggregate(AggregateArgs<T>{.entries = plan.level.children(),
                               .x = made,
                               .y = dx(s),
                               .width = stride_,
                               .add = d_pool != nullptr},
              rows);
    return dx(s);
  }

  /// Gradients of the norm, and what normalise_back() needs: mean_g, slope.
  std::vector<T> norm_gradients(int s, const std::vector<double>& sums,
                                StepGradients<T>& own) const {
    const std::size_t width = at(stride_);
    const double nodes = step(s).nodes;
    std::vector<T> means(2 * width, T(0));
    own.norm_weight.resize(width);
    own.norm_bias.assign(sums.begin(), sums.begin() + stride_);
    for (std::size_t c = 0; c < width; ++c) {
      const auto inverse = static_cast<double>(this->deviation(s)[c]);
      own.norm_weight[c] = sums[width + c] * inverse;
      if (!plan_.training || nodes == 0) continue;
      means[c] = static_cast<T>(sums[c] / nodes);
      means[width + c] = static_cast<T>(sums[width + c] * inverse * inverse / nodes);
    }
    return means;
  }

  /// sum of dz . y over the rows' own rows above: the slope of GIN's 1 + eps.
  double self_gradient(int s, Rows rows) const {
    const int* parent = step(s).level.parent();
    double sum = 0;
    for (int r = rows.begin; r < rows.end; ++r) {
      sum += static_cast<double>(
          dot(dz(s) + row(r), y(s) + row(parent == nullptr ? r : parent[r]), stride_));
    }
    return sum;
  }

  /// What the rest of this block, the next one, or the first one of the next sweep, will touch.
  void look_ahead(int s, int block, int next_target, Ahead* first, Ahead* second) const {
    const int rows = step(s).input_rows;
    const Rows here = block_rows(block, rows);
    first[0] = this->rows_ahead(x(s), here);
    if (s > 0) {
      first[1] = this->rows_ahead(z(s - 1), here);
      first[2] = this->rows_ahead(dz(s - 1), here);
    }
    const bool again = block + 1 < block_count(rows);
    const int next = again ? s : s - 1;
    if (next < 0) return;
    const Rows targets = block_rows(again ? next_target : 0, step(next).level.rows);
    second[0] = this->rows_ahead(z(next), targets);
    second[1] = this->rows_ahead(dx(next + 1), targets);
    second[2] = this->rows_ahead(dz(next), targets);
    second[3] =
        this->rows_ahead(dx(next), block_rows(again ? block + 1 : 0, step(next).input_rows));
  }

  BlockSums sweep(int s, const std::vector<double>& sums, const T* d_pool, StepGradients<T>& own) {
    const StepPlan& plan = step(s);
    const int sources = block_count(plan.input_rows);
    const int targets = block_count(plan.level.rows);
    const std::vector<T> means = norm_gradients(s, sums, own);
    NormaliseBackArgs<T> norm = norm_args(s);
    norm.mean_g = means.data();
    norm.slope = means.data() + stride_;
    if (plan.spread == Spread::kAttention) {
      const std::size_t period = at(this->heads(s).period());
      d_entry_ = Buffer<T>(at(plan.level.neighbours->entries()) * period);
      d_target_ = Buffer<T>(at(plan.level.rows) * period);
    }
    std::vector<double> selves(at(targets), 0);
    const auto hear = [&](int block) {
      const Rows rows = block_rows(block, plan.level.rows);
      normalise_back(norm, rows);
      if (plan.spread == Spread::kAttention) attend_back_entries(attention(s), rows);
      if (plan.spread == Spread::kSumWithSelf) selves[at(block)] = self_gradient(s, rows);
    };

    // Sums of products in parts of a fixed size: the number of threads does not matter.
    constexpr int kPart = 8;
    const int parts = (sources + kPart - 1) / kPart;
    const int inner = plan_.columns.used();
    own.weight.resize(at(parts));
    BlockSums before(s > 0 ? sources : 0, 2 * stride_);
    const BlockSums vectors(plan.spread == Spread::kAttention ? sources : 0, 2 * stride_);
    const bool alone = this->alone();
    int heard = 0;
    if (!alone) this->each(targets, hear);
    this->each(parts, [&](int part) {
      own.weight[at(part)] = Buffer<T>(row(inner));
      T* products = own.weight[at(part)].data();
      std::fill_n(products, row(inner), T(0));
      const Buffer<T> room(row(kStackRows));
      for (int block = part * kPart; block < std::min(sources, (part + 1) * kPart); ++block) {
        if (alone) {
          const int wanted = plan.order ? plan.order->wanted[at(block)] : block + 1;
          for (; heard < wanted; ++heard) hear(heard);
        }
        const Rows rows = block_rows(block, plan.input_rows);
        const Rows here{0, rows.end - rows.begin};
        const bool attends = plan.spread == Spread::kAttention;
        const T* dy = unspread(s, rows, room.data(), attends ? vectors.of(block) : nullptr);
        const T* plus = beside(s, rows, d_pool);
        ProductArgs<T> through{.x = dy,
                               .w = numbers(s).back,
                               .plus = plus == nullptr ? nullptr : plus + row(rows.begin),
                               .y = dx(s) + row(rows.begin),
                               .inner = inner,
                               .columns = inner,
                               .width = stride_};
        OuterArgs<T> outer{.x = dy,
                           .y = x(s) + row(rows.begin),
                           .sums = products,
                           .inner = inner,
                           .columns = inner,
                           .width = stride_};
        look_ahead(s, block, alone ? heard : block + 1, through.ahead, outer.ahead);
        product(through, here);
        add_outer(outer, here);
        finish_rows(s - 1, rows, s > 0 ? before.of(block) : nullptr);
      }
    });
    if (plan.spread == Spread::kAttention) own.vectors = vectors.total();
    own.with_self = plan.spread == Spread::kSumWithSelf;
    for (const double part : selves) own.self += part;
    return before;
  }

  Buffer<T> dz_[2];
  Buffer<T> dx_[3];
  Buffer<T> d_entry_;
  Buffer<T> d_target_;
};

}  // namespace bermuda::nn::fused
